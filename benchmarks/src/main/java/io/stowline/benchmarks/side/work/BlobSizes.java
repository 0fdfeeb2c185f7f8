package io.stowline.benchmarks.side.work;

/**
 * The sizes of the workloads of transfers.
 *
 * @param fileMiB the length of the file
 * @param blobs the small blobs of a directory
 * @param streamMiB the length of the stream
 * @param textMiB the length of the text that is compressed
 * @param rows the rows of a table
 * @param manyRows the rows of a large table
 */
public record BlobSizes(int fileMiB, int blobs, int streamMiB, int textMiB, int rows, int manyRows) {

    /** The sizes of a comparison. */
    public static final BlobSizes FULL = new BlobSizes(1_024, 10_000, 512, 64, 171_075, 1_000_000);

    /** Enough to see that all of it works. */
    public static final BlobSizes QUICK = new BlobSizes(20, 40, 20, 4, 3_000, 5_000);
}
