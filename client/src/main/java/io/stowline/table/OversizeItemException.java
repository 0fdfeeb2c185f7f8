package io.stowline.table;

/** An item that does not fit even in a batch without others; it was not accepted. */
public final class OversizeItemException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    /** The bytes of a batch with this item alone. */
    private final long size;

    /** The most bytes of a batch. */
    private final int limit;

    /**
     * Makes the exception.
     *
     * @param size the bytes of a batch with this item alone
     * @param limit the most bytes of a batch
     */
    public OversizeItemException(long size, int limit) {
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
