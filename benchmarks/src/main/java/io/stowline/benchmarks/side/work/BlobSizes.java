package io.stowline.benchmarks.side.work;

/**
 * The sizes of the workloads of transfers.
 *
 * @param fileMiB the length of the file
 * @param blobs the small blobs of a directory
 * @param streamMiB the length of the stream
 * @param textMiB the length of the text that is compressed
 */
public record BlobSizes(int fileMiB, int blobs, int streamMiB, int textMiB) {

    /** The sizes of a comparison. */
    public static final BlobSizes FULL = new BlobSizes(1_024, 10_000, 512, 64);

    /** Enough to see that all of it works. */
    public static final BlobSizes QUICK = new BlobSizes(20, 40, 20, 4);
}
