package io.stowline.error;

/**
 * The failure of an explicit entity group transaction that the service refused because of one of its operations. The
 * refused attempt applied nothing of it.
 *
 * <p>The cause is the failure of that operation, for example a {@link ConflictException}.
 */
public final class TransactionFailedException extends StorageException {

    private static final long serialVersionUID = 1L;

    private final int index;
    private final String member;

    /**
     * Makes the exception from the operation that failed.
     *
     * @param index the position of the operation in the transaction, from 0
     * @param cause its failure
     */
    public TransactionFailedException(int index, StorageException cause) {
        this(index, "", cause);
    }

    /**
     * Makes the exception from the operation that failed, by its type and keys.
     *
     * @param index the position of the operation in the transaction, from 0
     * @param member the operation, such as {@code insert of Employee staff(Marketing, E:7)}; empty if only its position is known
     * @param cause its failure
     */
    public TransactionFailedException(int index, String member, StorageException cause) {
        super(
                "operation " + index + " of the transaction" + (member.isEmpty() ? "" : " (" + member + ")")
                        + " failed: " + cause.getMessage(),
                cause.failure(),
                cause);
        this.index = index;
        this.member = member;
    }

    /**
     * Returns the position of the operation that failed, counted from 0 in the order in which the operations were added.
     *
     * @return the index
     */
    public int index() {
        return index;
    }

    /**
     * Returns the operation that failed, by its verb, the Java type of its row, and its keys.
     *
     * @return such as {@code insert of Employee staff(Marketing, E:7)}; empty if only its position is known
     */
    public String member() {
        return member;
    }
}
