package io.stowline.blob.internal.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.UploadSettings;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** The cut of content into blocks, whatever its length. */
class BlockSizesTest {

    private static final long MAX = 50_000L * UploadSettings.MAX_BLOCK;

    @Property
    @Label("TRANSFER-3: content of a known length has at most 50,000 blocks, none larger than the service takes")
    void knownLengths(
            @ForAll @LongRange(min = 1, max = MAX) long length,
            @ForAll @IntRange(min = 1, max = UploadSettings.MAX_BLOCK) int configured) {
        long size = Upload.blockSize(length, configured);

        assertThat(size).isBetween((long) configured, (long) UploadSettings.MAX_BLOCK);
        assertThat((length + size - 1) / size).isLessThanOrEqualTo(UploadBlock.MAX);
        assertThat(Upload.blockSize(length, (int) size)).isEqualTo(size);
    }

    @Property
    @Label("TRANSFER-3: blocks of an unknown length never become smaller, and stay within the memory for them")
    void unknownLengths(
            @ForAll @IntRange(max = UploadBlock.MAX - 2) int index,
            @ForAll @IntRange(min = 1, max = UploadSettings.MAX_BLOCK) int first,
            @ForAll @LongRange(max = 1L << 40) long more) {
        long largest = first + more;
        long size = BlockWriter.sizeAt(index, first, largest);

        assertThat(size).isBetween((long) first, largest);
        assertThat(BlockWriter.sizeAt(index + 1, first, largest)).isBetween(size, Math.min(largest, 2 * size));
    }
}
