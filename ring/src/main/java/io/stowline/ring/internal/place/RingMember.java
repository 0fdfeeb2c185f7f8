package io.stowline.ring.internal.place;

import io.stowline.Stowline;
import io.stowline.ring.FailedAccountException;
import io.stowline.ring.RingAccount;
import java.util.function.Supplier;

/**
 * An account of a ring with its client.
 *
 * @param account the account
 * @param client its client
 * @param services the services that the client has opened
 */
public record RingMember(RingAccount account, Stowline client, AccountServices services) {

    /** Returns the account's name in the ring. */
    public String name() {
        return account.name();
    }

    /** Carries out an operation on this account, whose failure names it. */
    public <R> R call(Supplier<R> operation) {
        try {
            return operation.get();
        } catch (RuntimeException e) {
            throw named(e);
        }
    }

    /** Returns a failure with a note that names this account. */
    public <E extends Throwable> E named(E failure) {
        if (FailedAccountException.accountOf(failure).isEmpty()) {
            failure.addSuppressed(new FailedAccountException(name()));
        }
        return failure;
    }
}
