package io.stowline.error;

import java.util.Objects;

/**
 * The failure of an explicit entity group transaction that the service refused because of one of its operations. The
 * refused attempt applied nothing of it.
 *
 * <p>The cause is the failure of that operation, for example a {@link ConflictException}.
 */
public final class TransactionFailedException extends StorageException {

    private static final long serialVersionUID = 1L;

    private final int index;

    /**
     * Makes the exception from the operation that failed.
     *
     * @param index the position of the operation in the transaction, from 0
     * @param cause its failure
     */
    public TransactionFailedException(int index, StorageException cause) {
        super(
                "operation " + index + " of the transaction failed: " + cause.getMessage(),
                Objects.requireNonNull(cause, "cause").failure(),
                cause);
        this.index = index;
    }

    /**
     * Returns the position of the operation that failed, counted from 0 in the order in which the operations were added.
     *
     * @return the index
     */
    public int index() {
        return index;
    }
}
