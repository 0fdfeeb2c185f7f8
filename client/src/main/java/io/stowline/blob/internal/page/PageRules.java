package io.stowline.blob.internal.page;

import io.stowline.blob.PageRange;
import io.stowline.transport.StorageLimits;

/** The service's rules for the places and sizes of pages. Stateless. */
final class PageRules {

    static final int PAGE = StorageLimits.PAGE_BYTES;

    /** The most bytes of one write. */
    static final int MAX_WRITE = StorageLimits.PAGE_WRITE_MAX_BYTES;

    private PageRules() {}

    /**
     * Checks a range of pages.
     *
     * @throws IllegalArgumentException naming the value and the rule
     */
    static PageRange range(long offset, long length) {
        aligned("the offset", offset);
        aligned("the length", length);
        if (length == 0 || length > StorageLimits.PAGE_BLOB_MAX_BYTES - offset) {
            throw new IllegalArgumentException("a range of pages has at least " + PAGE + " bytes and ends at most at "
                    + StorageLimits.PAGE_BLOB_MAX_BYTES + ", the limit of a page blob, not " + length
                    + " bytes from offset " + offset);
        }
        return new PageRange(offset, length);
    }

    /**
     * Checks the size of a page blob.
     *
     * @throws IllegalArgumentException naming the value and the rule
     */
    static long size(String thing, long size) {
        aligned(thing, size);
        if (size > StorageLimits.PAGE_BLOB_MAX_BYTES) {
            throw new IllegalArgumentException(thing + " is " + size + " bytes, more than "
                    + StorageLimits.PAGE_BLOB_MAX_BYTES + ", the limit of a page blob");
        }
        return size;
    }

    private static void aligned(String thing, long value) {
        if (value < 0 || value % PAGE != 0) {
            throw new IllegalArgumentException(thing + " is " + value + ": with page blobs it is a multiple of " + PAGE
                    + ", the size of a page, and not negative");
        }
    }

    /**
     * Checks a sequence number.
     *
     * @throws IllegalArgumentException if it is negative
     */
    static long sequenceNumber(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("a sequence number is not negative, but was " + number);
        }
        return number;
    }
}
