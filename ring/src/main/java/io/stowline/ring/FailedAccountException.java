package io.stowline.ring;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

/**
 * The note on a failure that names the account of the ring where it happened: a suppressed exception of it, without a stack trace. It is
 * never thrown itself.
 */
public final class FailedAccountException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String account;

    /**
     * Makes the note.
     *
     * @param account the name of the account in the ring
     * @throws IllegalArgumentException if it cannot be the name of one
     */
    public FailedAccountException(String account) {
        super("in the account " + RingAccount.checkedName("account", account) + " of the ring", null, false, false);
        this.account = account;
    }

    /**
     * Returns the account of a failure.
     *
     * @param failure an exception of an operation of a ring
     * @return the name of the account in the ring; empty if the failure happened before an account was chosen
     */
    public static Optional<String> accountOf(Throwable failure) {
        return Arrays.stream(Objects.requireNonNull(failure, "failure").getSuppressed())
                .filter(FailedAccountException.class::isInstance)
                .map(note -> ((FailedAccountException) note).account())
                .findFirst();
    }

    /**
     * Returns the account.
     *
     * @return its name in the ring
     */
    public String account() {
        return account;
    }
}
