package io.stowline.blob.internal.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.internal.base.BufferedBytes;
import io.stowline.blob.internal.base.BufferedBytes.BufferReservation;
import io.stowline.blob.internal.upload.ByteSource.ArraySource;
import io.stowline.blob.internal.upload.ByteSource.FileSource;
import io.stowline.blob.internal.upload.ByteSource.StreamSource;
import io.stowline.blob.internal.upload.UploadBlock.BlockCutter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockCutterTest {

    private static List<UploadBlock> all(ByteSource source, int blockSize) throws IOException {
        List<UploadBlock> all = new ArrayList<>();
        try (BufferReservation ledger = new BufferReservation(new BufferedBytes())) {
            BlockCutter blocks = new BlockCutter(source, blockSize, ledger);
            for (UploadBlock block = blocks.next(); !block.isEmpty(); block = blocks.next()) {
                all.add(block);
            }
            assertThat(blocks.next().isEmpty()).as("still at the end").isTrue();
        }
        return all;
    }

    private static byte[] joined(List<UploadBlock> blocks) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (UploadBlock block : blocks) {
            byte[] bytes = new byte[block.size()];
            block.content().get(bytes);
            joined.writeBytes(bytes);
        }
        return joined.toByteArray();
    }

    /** Gives as few bytes at a time as it likes. */
    private static InputStream dripping(byte[] content, Random random) {
        return new FilterInputStream(new ByteArrayInputStream(content)) {
            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                return super.read(target, offset, length == 0 ? 0 : 1 + random.nextInt(length));
            }
        };
    }

    @Property(tries = 300)
    @Label("TRANSFER-1, TRANSFER-3: whatever length and block size, the blocks are the content, full but for the"
            + " last, with ids of one length")
    void coverTheContentExactly(
            @ForAll @IntRange(max = 200_000) int length,
            @ForAll @IntRange(min = 1, max = 90_000) int size,
            @ForAll Random random)
            throws IOException {
        int blockSize = Math.max(size, length / 500);
        byte[] content = new byte[length];
        random.nextBytes(content);
        List<UploadBlock> blocks = all(new StreamSource(dripping(content, random)), blockSize);

        assertThat(joined(blocks)).isEqualTo(content);
        assertThat(blocks).hasSize((length + blockSize - 1) / blockSize);
        assertThat(blocks.subList(0, Math.max(0, blocks.size() - 1)))
                .allSatisfy(block -> assertThat(block.size()).isEqualTo(blockSize));
        List<String> ids = blocks.stream().map(UploadBlock::id).toList();
        assertThat(new HashSet<>(ids)).hasSameSizeAs(ids);
        assertThat(ids).allSatisfy(id -> assertThat(id).hasSize(48));
        assertThat(all(new ArraySource(content), blockSize).stream().map(UploadBlock::id))
                .isEqualTo(ids);
    }

    @Property(tries = 100)
    @Label("T1: an id is of its place and its content")
    void idsTellBlocksApart(@ForAll byte[] content, @ForAll @IntRange(max = UploadBlock.MOST) int index) {
        byte[] other = Arrays.copyOf(content, content.length + 1);
        Set<String> ids = new HashSet<>(List.of(
                UploadBlock.of(index, ByteBuffer.wrap(content), 0).id(),
                UploadBlock.of(index + 1, ByteBuffer.wrap(content), 0).id(),
                UploadBlock.of(index, ByteBuffer.wrap(other), 0).id()));

        assertThat(ids).hasSize(3);
        assertThat(UploadBlock.of(index, ByteBuffer.wrap(content), 7).id())
                .isEqualTo(UploadBlock.of(index, ByteBuffer.wrap(content), 0).id());
        assertThat(Base64.getDecoder().decode(ids.iterator().next())).hasSizeLessThanOrEqualTo(64);
    }

    @Property(tries = 50)
    @Label("TRANSFER-3: a file gives the blocks of its content")
    void filesAreReadWhole(
            @ForAll @IntRange(max = 100_000) int length, @ForAll @IntRange(min = 1, max = 200_000) int size)
            throws IOException {
        int blockSize = Math.max(size, length / 500);
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        Path file = Files.createTempFile("blocks", ".bin");
        try (FileSource source = new FileSource(file(file, content))) {
            assertThat(source.length()).isEqualTo(length);
            assertThat(joined(all(source, blockSize))).isEqualTo(content);
        } finally {
            Files.delete(file);
        }
    }

    private static Path file(Path file, byte[] content) throws IOException {
        return Files.write(file, content);
    }

    @Test
    @DisplayName("TRANSFER-3: a stream of unknown length ends with an error that names the limit when it has too many"
            + " blocks")
    void refusesTooManyBlocks() {
        StreamSource endless = new StreamSource(new InputStream() {
            @Override
            public int read() {
                return 7;
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                Arrays.fill(target, offset, offset + length, (byte) 7);
                return length;
            }
        });

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> all(endless, 3))
                .withMessageContaining("50000 blocks of 3 bytes")
                .withMessageContaining("nothing was committed");
    }

    @Test
    void aFullLastBlockIsTheLast() throws IOException {
        byte[] content = new byte[3 * UploadBlock.MOST];

        assertThat(all(new ArraySource(content), 3)).hasSize(UploadBlock.MOST);
    }

    @Test
    void shortStreamsDoNotCostAWholeBlock() throws IOException {
        StreamSource source = new StreamSource(new ByteArrayInputStream(new byte[100]));

        assertThat(source.held(source.read(8 * 1024 * 1024))).isEqualTo(64 * 1024);
    }

    @Test
    void contentInMemoryCostsNothing() {
        ArraySource source = new ArraySource(new byte[100]);

        assertThat(source.held(source.read(10))).isZero();
    }

    @Test
    void refusesAFileThatShrank(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("a"), new byte[100]);
        try (FileSource source = new FileSource(file)) {
            source.read(10);
            Files.write(file, new byte[50]);
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> source.read(90))
                    .withMessageContaining("had 100 bytes")
                    .withMessageContaining("has 50 now");
        }
    }
}
