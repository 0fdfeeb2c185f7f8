package io.stowline.table;

/** An item that had no outcome when the deadline of a close was over. */
public final class LeftoverException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Object item;
    private final boolean sent;

    /**
     * Makes the exception.
     *
     * @param item the item, or the list of items of a group
     * @param sent whether it was in flight
     */
    public LeftoverException(Object item, boolean sent) {
        super(
                sent
                        ? "no response at the deadline of close; the item was sent and may have had its effect"
                        : "not sent at the deadline of close");
        this.item = item;
        this.sent = sent;
    }

    /**
     * Returns the item, or the list of items of a group.
     *
     * @return the item
     */
    public Object item() {
        return item;
    }

    /**
     * Returns whether the item was in flight, so that it may have had its effect.
     *
     * @return false when it was never sent
     */
    public boolean sent() {
        return sent;
    }
}
