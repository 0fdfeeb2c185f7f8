package io.stowline.ring;

import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * An account of a ring. Its name decides which placements it has: another connection string under the same name keeps them, another name
 * moves them.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param name the name in the ring: 1 to 63 letters, digits and {@code . - _}; it need not be that of the storage account
 * @param weight its share of the placements of its region, beside the weights of the others: 1 to 1,000
 * @param region the region whose placements it can have
 * @param membership whether the account stays in the ring, joins or leaves it
 */
public record RingAccount(String name, int weight, String region, Membership membership) {

    /** The largest weight. */
    public static final int MAX_WEIGHT = 1_000;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");
    private static final Pattern REFUSED = Pattern.compile("[^A-Za-z0-9._-]");
    private static final int MAX_SHOWN = 80;

    /**
     * Checks the facts.
     *
     * @param name the name in the ring
     * @param weight its share, 1 to 1,000
     * @param region the region whose placements it can have
     * @param membership whether the account stays in the ring, joins or leaves it
     */
    public RingAccount {
        checkedName("account", name);
        checkedName("region", region);
        if (weight < 1 || weight > MAX_WEIGHT) {
            throw new IllegalArgumentException(
                    "weight of the account " + name + " is 1 to " + MAX_WEIGHT + ", not " + weight);
        }
        Objects.requireNonNull(membership, "membership");
    }

    static String checkedName(String kind, String name) {
        if (!NAME.matcher(Objects.requireNonNull(name, () -> "name of " + kind)).matches()) {
            String shown = REFUSED.matcher(name.substring(0, Math.min(name.length(), MAX_SHOWN)))
                    .replaceAll("?");
            throw new IllegalArgumentException(
                    "name of " + kind + " is 1 to 63 letters, digits and . - _ with a letter or digit first, not \""
                            + shown + "\" (" + name.length() + " characters)");
        }
        return name;
    }

    @Override
    public String toString() {
        return name + "(weight=" + weight + ", region=" + region
                + (membership == Membership.STAYING
                        ? ""
                        : ", " + membership.name().toLowerCase(Locale.ROOT)) + ")";
    }

    /** The membership of an account while a ring changes. */
    public enum Membership {
        /** The account is in the ring before and after a change. The membership of all accounts while nothing changes. */
        STAYING,
        /** The account is in the ring after the change only. */
        JOINING,
        /** The account is in the ring before the change only. */
        LEAVING
    }

    /** The builder of an account's weight and region. Not thread-safe. */
    public static final class Builder {

        private int weight = 1;
        private String region;

        Builder(String region) {
            this.region = region;
        }

        /**
         * Sets its share of the placements. A changed weight moves the difference only.
         *
         * @param weight 1 to 1,000, beside the weights of the other accounts of the region; the default is 1
         * @return this builder
         */
        public Builder weight(int weight) {
            this.weight = weight;
            return this;
        }

        /**
         * Sets the region whose placements it can have.
         *
         * @param region the region's name; the default is the home region of the ring
         * @return this builder
         */
        public Builder region(String region) {
            this.region = checkedName("region", region);
            return this;
        }

        RingAccount build(String name, Membership membership) {
            return new RingAccount(name, weight, region, membership);
        }
    }
}
