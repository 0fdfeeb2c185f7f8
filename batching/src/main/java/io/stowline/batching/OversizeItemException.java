package io.stowline.batching;

/** An item that would not fit even in a batch of its own; it was not accepted. */
public final class OversizeItemException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** The bytes of a batch with this item alone. */
    private final long size;

    /** The most bytes of a batch. */
    private final int limit;

    OversizeItemException(long size, int limit) {
        super("a batch of this item alone takes " + size + " bytes, the limit is " + limit);
        this.size = size;
        this.limit = limit;
    }

    /**
     * Returns the bytes of a batch with this item alone.
     *
     * @return the number of bytes
     */
    public long size() {
        return size;
    }

    /**
     * Returns the most bytes of a batch.
     *
     * @return the number of bytes
     */
    public int limit() {
        return limit;
    }
}
