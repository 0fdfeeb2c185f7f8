package io.stowline.blob.internal;

/** A blob is longer than the reader who began its load may take; another reader may take more. */
final class LongerThanAskedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final long size;

    LongerThanAskedException(long size) {
        super("the blob has " + size + " bytes");
        this.size = size;
    }

    long size() {
        return size;
    }
}
