package io.stowline.blob.internal.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.internal.upload.BlockOperations;
import io.stowline.blob.internal.upload.Upload;
import io.stowline.transport.StorageLimits;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The plan of a copy in blocks. */
class CopyBlocksTest {

    private static CopyBlocks blocks(long size, int blockSize) {
        return new CopyBlocks("https://acct.blob.core.windows.net/photos/a", "\"v1\"", size, blockSize);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("the blocks of a copy cover its source once, in order, whatever its size")
    void coversTheSource(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            int wanted = 1 + random.nextInt(1 << random.nextInt(1, 31) - 1);
            long size = 1 + Math.floorMod(random.nextLong(), wanted * 300L);
            size += random.nextInt(4) == 0 ? wanted - size % wanted : 0;
            CopyBlocks blocks = blocks(size, (int) Upload.blockSize(size, wanted));
            long end = 0;
            for (int index = 0; index < blocks.count(); index++) {
                assertThat(blocks.first(index)).isEqualTo(end);
                assertThat(blocks.bytes(index)).isBetween(1L, (long) blocks.blockSize());
                end += blocks.bytes(index);
            }
            assertThat(end)
                    .as("%d in blocks of %d, seed %d", size, wanted, seed)
                    .isEqualTo(size);
        }
    }

    @Test
    @DisplayName("the sizes at the limits: 50,000 blocks, and the next byte takes larger ones")
    void limits() {
        int size = StorageLimits.COPY_MAX_SINGLE_BYTES;
        assertThat(blocks(size + 1L, size).count()).isEqualTo(2);
        assertThat(blocks(size + 1L, size).bytes(1)).isEqualTo(1);
        assertThat(blocks(50_000L * size, (int) Upload.blockSize(50_000L * size, size))
                        .count())
                .isEqualTo(50_000);
        assertThat(blocks(50_000L * size + 1, (int) Upload.blockSize(50_000L * size + 1, size))
                        .count())
                .isLessThan(50_000);
    }

    @Test
    @DisplayName(
            "TRANSFER-1: ids are of the source, its version and the range, so that only the same copy goes on with a"
                    + " block")
    void ids() {
        CopyBlocks blocks = blocks(100, 10);
        List<String> ids = blocks.ids();
        assertThat(ids)
                .hasSize(10)
                .doesNotHaveDuplicates()
                .isEqualTo(blocks(100, 10).ids())
                .allSatisfy(id -> assertThat(Base64.getDecoder().decode(id)).hasSize(BlockOperations.ID_LENGTH));
        for (CopyBlocks other : List.of(
                new CopyBlocks(blocks.source() + "b", blocks.etag(), 100, 10),
                new CopyBlocks(blocks.source(), "\"v2\"", 100, 10),
                blocks(100, 11))) {
            assertThat(new HashSet<>(other.ids())).doesNotContainAnyElementsOf(ids);
        }
    }
}
