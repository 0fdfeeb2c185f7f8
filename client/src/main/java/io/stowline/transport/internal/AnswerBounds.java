package io.stowline.transport.internal;

/**
 * The most that is read of what a server sends. A server may be broken, or another one than it says: whatever it sends costs bounded
 * memory, and time in proportion to its length.
 */
final class AnswerBounds {

    /** Bytes of the body of an error; the rest is cut off, since status and headers say the most. */
    static final int ERROR_BYTES = 64 << 10;

    /** Characters of it that are looked at. */
    static final int ERROR_TEXT = 16 << 10;

    /** Characters of one header: the service's own bound on all metadata of a blob. */
    static final int HEADER = 8 << 10;

    /** Bytes of all headers of an answer: metadata, and the service's own beside it. */
    static final int ALL_HEADERS = 32 << 10;

    /** Bytes of an answer that is read whole: a page of entities, a batch's parts. */
    static final int PAGE_BYTES = 16 << 20;

    /** The same for the clients of the Azure SDK: 5,000 blobs with 8 KiB of metadata each, or 150,000 blocks. */
    static final int LISTING_BYTES = 64 << 20;

    private AnswerBounds() {}

    static boolean success(int status) {
        return status / 100 == 2;
    }
}
