package io.stowline.table;

import io.stowline.outcome.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A time series of the last slots, such as the last 24 hours, in one row: the newest value takes the place of the one that leaves the
 * window, and one point read gives the window.
 *
 * <pre>{@code
 * RollingSeries<Double> recent = storage.table("weather").series("temperature", Double.class, RollingSeries.Ring.hours(24));
 * recent.put("station-7", Instant.now(), 21.5);
 * SortedMap<Instant, Double> day = recent.read("station-7", Instant.now());
 * }</pre>
 *
 * <p>The row key is the ring, such as {@code PT1H-24}. A slot is two properties: the value, such as {@code temperature_13}, and the start
 * of its slot in UTC, such as {@code temperature_13_at}. By that time a read knows a value of an earlier round, which is absent from the
 * result. Series of other names share the row; together they have at most 252 properties, which are five series of 24 slots.
 *
 * <p>A value of a slot that leaves the window soon, or has left it, is written on the version of the row that was read, so that it never
 * takes the place of a newer one. Times are in the years 1601 to 9999. Thread-safe. Failures are those of {@link Table}; a value that
 * another client stored in a form that is none of this type is a {@link io.stowline.projection.PropertyConversionException}.
 *
 * @param <V> the values' type: any that {@link Entity.Builder#set} takes
 */
public interface RollingSeries<V> {

    /**
     * Sets the value of a slot. A value of the window but for its two oldest slots is one request: an upsert of two properties, without
     * reading. An older one costs a point read and a conditional write, again while other writers are faster.
     *
     * @param partitionKey whose value it is
     * @param at a time in the slot, no more than one slot after this machine's clock
     * @param value the value; it takes the place of an earlier one of the same slot
     * @return what was written; empty if the place holds a value of a later slot
     * @throws IllegalArgumentException if the time is too far ahead
     * @throws io.stowline.error.PreconditionFailedException if other clients were faster until the deadline; of an older value only
     */
    default Optional<WriteResult> put(String partitionKey, Instant at, V value) {
        return putAll(partitionKey, Map.of(Objects.requireNonNull(at, "at"), Objects.requireNonNull(value, "value")));
    }

    /**
     * Sets the values of several slots by one operation, as {@link #put} does. Of values a whole round apart, which have one place, the
     * newest is written.
     *
     * @param partitionKey whose values they are
     * @param values the values by times in their slots
     * @return what was written; empty if there are no values, or each place holds a value of a later slot
     * @throws IllegalArgumentException if two times are in one slot, or a time is too far ahead
     * @throws io.stowline.error.PreconditionFailedException if other clients were faster until the deadline; with an older value only
     */
    Optional<WriteResult> putAll(String partitionKey, Map<Instant, V> values);

    /**
     * Returns the values of the window that ends with the slot that holds a time, by one point read.
     *
     * @param partitionKey whose values they are
     * @param at a time in the last slot of the window, such as the present
     * @return the values by the starts of their slots, in the order of time; slots without one are absent
     */
    SortedMap<Instant, V> read(String partitionKey, Instant at);

    /**
     * The layout of a {@link RollingSeries}: the length of a slot and the number of slots. Slots begin at multiples of their length since
     * 1970-01-01T00:00:00Z, so that hours and days are those of UTC. Another ring is another row: it begins empty, and the old row stays.
     *
     * @param slotLength the length of a slot: whole minutes, up to 1,000 days
     * @param slots the number of slots, 3 to 126: an entity has 252 properties
     */
    record Ring(Duration slotLength, int slots) {

        private static final Duration MAX_LENGTH = Duration.ofDays(1_000);
        private static final int MIN_SLOTS = 3;
        private static final int MAX_SLOTS = 126;

        /**
         * Makes a ring.
         *
         * @param slotLength the length of a slot
         * @param slots the number of slots
         * @throws IllegalArgumentException if the length or the number is out of its limits
         */
        public Ring {
            Objects.requireNonNull(slotLength, "slotLength");
            if (slotLength.compareTo(Duration.ofMinutes(1)) < 0
                    || slotLength.compareTo(MAX_LENGTH) > 0
                    || !slotLength.equals(Duration.ofMinutes(slotLength.toMinutes()))) {
                throw new IllegalArgumentException("the slotLength " + slotLength
                        + " of a ring is not a number of whole minutes, up to 1,000 days");
            }
            if (slots < MIN_SLOTS || slots > MAX_SLOTS) {
                throw new IllegalArgumentException("a ring of " + slots + " slots: the limits are " + MIN_SLOTS
                        + " and " + MAX_SLOTS + ", since each slot is two of the 252 properties of an entity");
            }
        }

        /**
         * Returns the ring of the last minutes.
         *
         * @param slots their number, 3 to 126
         * @return the ring
         */
        public static Ring minutes(int slots) {
            return new Ring(Duration.ofMinutes(1), slots);
        }

        /**
         * Returns the ring of the last hours.
         *
         * @param slots their number, 3 to 126
         * @return the ring
         */
        public static Ring hours(int slots) {
            return new Ring(Duration.ofHours(1), slots);
        }

        /**
         * Returns the ring of the last days.
         *
         * @param slots their number, 3 to 126
         * @return the ring
         */
        public static Ring days(int slots) {
            return new Ring(Duration.ofDays(1), slots);
        }

        /**
         * Returns the key of the ring's row.
         *
         * @return the length of a slot and the number of slots, such as {@code PT1H-24}
         */
        public String rowKey() {
            return slotLength + "-" + slots;
        }

        /**
         * Returns the time after which a slot is used again.
         *
         * @return the length of the window
         */
        public Duration span() {
            return slotLength.multipliedBy(slots);
        }

        /**
         * Returns the start of the slot that holds a time.
         *
         * @param at the time, in the years 1601 to 9999
         * @return the time itself or the last before it at which a slot begins
         * @throws IllegalArgumentException if the year is another
         */
        public Instant start(Instant at) {
            return Instant.ofEpochSecond(number(at) * slotLength.toSeconds());
        }

        /**
         * Returns the number of the slot that holds a time.
         *
         * @param at the time, in the years 1601 to 9999
         * @return the number from 0, as the names of properties end with it
         * @throws IllegalArgumentException if the year is another
         */
        public int slot(Instant at) {
            return Math.floorMod(number(at), slots);
        }

        private long number(Instant at) {
            TimeSeries.Layout.checkYear(at);
            return Math.floorDiv(at.getEpochSecond(), slotLength.toSeconds());
        }
    }
}
