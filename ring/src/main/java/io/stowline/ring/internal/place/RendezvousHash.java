package io.stowline.ring.internal.place;

import io.stowline.ring.RingAccount;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/**
 * The choice of an account for each placement, by weighted rendezvous hashing (highest random weight). The score of an account is
 * {@code -weight / ln(u)}, where {@code u} in (0, 1) comes from the first 8 bytes of two SHA-256, of the placement and of the account's
 * name in UTF-8. All versions and all processes must agree on it: a change moves the data of every application. Immutable.
 */
public final class RendezvousHash {

    private static final double UNIT = 0x1.0p-52;
    private static final int LOW_BITS = 12;
    private static final double HALF = 0.5;

    private final List<RingAccount> accounts;
    private final long[] seeds;

    /**
     * Makes the choice among some accounts. Their order does not matter.
     *
     * @param accounts at least one, of different names
     */
    public RendezvousHash(List<RingAccount> accounts) {
        if (accounts.isEmpty()) {
            throw new IllegalArgumentException("a placement needs at least one account");
        }
        this.accounts = List.copyOf(accounts);
        this.seeds = accounts.stream()
                .mapToLong(account -> first64Bits(account.name()))
                .toArray();
    }

    /**
     * Returns the account of a placement.
     *
     * @param placement any text
     * @return its account: the one with the highest score, of equal ones that with the lowest name
     */
    public RingAccount account(String placement) {
        if (seeds.length == 1) {
            return accounts.get(0);
        }
        long hash = first64Bits(placement);
        RingAccount chosen = accounts.get(0);
        double highest = score(chosen, hash, seeds[0]);
        for (int i = 1; i < seeds.length; i++) {
            RingAccount account = accounts.get(i);
            double score = score(account, hash, seeds[i]);
            if (score > highest || (score == highest && account.name().compareTo(chosen.name()) < 0)) {
                highest = score;
                chosen = account;
            }
        }
        return chosen;
    }

    /** {@code StrictMath} gives each JVM the same last bit. */
    private static double score(RingAccount account, long hash, long seed) {
        return -account.weight() / StrictMath.log(unit(mix(hash ^ seed)));
    }

    static double unit(long hash) {
        return ((hash >>> LOW_BITS) + HALF) * UNIT;
    }

    /** David Stafford's variant 13 of the finalizer of MurmurHash3. */
    static long mix(long bits) {
        long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    static long first64Bits(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
