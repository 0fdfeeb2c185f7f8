package io.stowline.ring.internal.place;

import io.stowline.Stowline;
import io.stowline.ring.RingAccount;

/**
 * An account of a ring with its client.
 *
 * @param account the account
 * @param client its client
 */
public record RingMember(RingAccount account, Stowline client) {

    /** Returns the account's name in the ring. */
    public String name() {
        return account.name();
    }
}
