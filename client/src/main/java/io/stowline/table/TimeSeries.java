package io.stowline.table;

import io.stowline.outcome.WriteResult;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A time series stored with many values in one row: reading a chart of a day reads one entity.
 *
 * <pre>{@code
 * TimeSeries<Double> temperature = storage.table("weather").series("temperature", Double.class, TimeSeries.Layout.HOURS_OF_DAY);
 * temperature.put("station-7", Instant.now(), 21.5);
 * SortedMap<Instant, Double> day = temperature.read("station-7", Instant.now());
 * }</pre>
 *
 * <p>The row key is the period in UTC, such as {@code 20261122}, and a value is a property of that row, such as
 * {@code temperature_13}. A time that is not at the start of a slot counts as the start of the slot that it is in; the next period is
 * a new row. Series of other names share the rows; together they have at most 252 properties, which are four series of minutes.
 *
 * <p>Times are in the years 1601 to 9999. Thread-safe. Failures are those of {@link Table}; a value that another client stored in a form
 * that is none of this type is a {@link io.stowline.projection.PropertyConversionException}.
 *
 * @param <V> the values' type: any that {@link Entity.Builder#set} takes
 */
public interface TimeSeries<V> {

    /**
     * Sets the value of a slot, in one request and without reading: an upsert of one property.
     *
     * @param partitionKey whose value it is
     * @param at a time in the slot
     * @param value the value
     * @return what was written
     */
    WriteResult put(String partitionKey, Instant at, V value);

    /**
     * Sets the values of several slots, each row of them with one operation. Up to 100 rows are one request and happen all or not at
     * all, more are several; what is written stays if a later one fails, and can be written again.
     *
     * @param partitionKey whose values they are
     * @param values the values by times in their slots
     * @return what was written, one for each row in the order of time
     * @throws IllegalArgumentException if two times are in one slot, or 100 rows are larger than the 4 MiB that the service takes
     */
    List<WriteResult> putAll(String partitionKey, Map<Instant, V> values);

    /**
     * Returns the values of the whole period that a time is in, by one point read.
     *
     * @param partitionKey whose values they are
     * @param at a time in the period
     * @return the values by the starts of their slots; slots without one are absent
     */
    SortedMap<Instant, V> read(String partitionKey, Instant at);

    /**
     * Returns the values of a span of time, by one query over its rows; of what else stands in them nothing is fetched.
     *
     * @param partitionKey whose values they are
     * @param from a time in the first slot
     * @param to the time before which the last slot begins
     * @return the values by the starts of their slots; slots without one are absent
     * @throws IllegalArgumentException if {@code from} is after {@code to}
     */
    SortedMap<Instant, V> read(String partitionKey, Instant from, Instant to);

    /**
     * The row layout of a {@link TimeSeries}: one row for a period, one property for each slot of it. All times are UTC. Row keys have a fixed
     * width for each layout, so that they sort by time.
     */
    enum Layout {

        /** A row for each day, {@code yyyyMMdd}, with 24 slots, 00 to 23. */
        HOURS_OF_DAY(24, ChronoField.HOUR_OF_DAY, "uuuuMMdd"),

        /** A row for each hour, {@code yyyyMMddHH}, with 60 slots, 00 to 59. */
        MINUTES_OF_HOUR(60, ChronoField.MINUTE_OF_HOUR, "uuuuMMddHH"),

        /** A row for each month, {@code yyyyMM}, with up to 31 slots, 01 to 31. */
        DAYS_OF_MONTH(31, ChronoField.DAY_OF_MONTH, "uuuuMM"),

        /** A row for each year, {@code yyyy}, with 12 slots, 01 to 12. */
        MONTHS_OF_YEAR(12, ChronoField.MONTH_OF_YEAR, "uuuu");

        private static final Instant FIRST = Instant.parse("1601-01-01T00:00:00Z");
        private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

        private final int slots;
        private final ChronoField field;
        private final int keyLength;
        private final DateTimeFormatter key;

        Layout(int slots, ChronoField field, String pattern) {
            this.slots = slots;
            this.field = field;
            this.keyLength = pattern.length();
            this.key = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
        }

        /**
         * Returns how many slots a row has at the most.
         *
         * @return the number of slots
         */
        public int slots() {
            return slots;
        }

        /**
         * Returns the row that holds a time.
         *
         * @param at the time, in the years 1601 to 9999
         * @return its row key
         * @throws IllegalArgumentException if the year is another
         */
        public String rowKey(Instant at) {
            return key.format(utc(at));
        }

        /**
         * Returns the start of the slot that holds a time.
         *
         * @param at the time, in the years 1601 to 9999
         * @return the time itself or the last before it at which a slot begins
         * @throws IllegalArgumentException if the year is another
         */
        public Instant start(Instant at) {
            LocalDateTime time = utc(at);
            LocalDateTime start =
                    switch (this) {
                        case MINUTES_OF_HOUR -> time.truncatedTo(ChronoUnit.MINUTES);
                        case HOURS_OF_DAY -> time.truncatedTo(ChronoUnit.HOURS);
                        case DAYS_OF_MONTH -> time.truncatedTo(ChronoUnit.DAYS);
                        case MONTHS_OF_YEAR -> time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
                    };
            return start.toInstant(ZoneOffset.UTC);
        }

        /**
         * Returns the number of the slot that holds a time.
         *
         * @param at the time, in the years 1601 to 9999
         * @return the number, as the names of properties end with it
         * @throws IllegalArgumentException if the year is another
         */
        public int slot(Instant at) {
            return utc(at).get(field);
        }

        /**
         * Returns the number of the first slot of a row.
         *
         * @return 0 or 1
         */
        public int firstSlot() {
            return (int) field.range().getMinimum();
        }

        /**
         * Returns the start of a slot of a row.
         *
         * @param rowKey the row's key
         * @param slot the number of the slot
         * @return the start; {@code null} if there is no such row or slot, such as the 31st of February
         */
        public @Nullable Instant at(String rowKey, int slot) {
            if (rowKey.length() != keyLength || !rowKey.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return null;
            }
            try {
                return LocalDateTime.of(
                                part(rowKey, 0, 4, 0),
                                part(rowKey, 4, 6, 1),
                                part(rowKey, 6, 8, 1),
                                part(rowKey, 8, 10, 0),
                                0)
                        .with(field, slot)
                        .toInstant(ZoneOffset.UTC);
            } catch (DateTimeException e) {
                return null;
            }
        }

        private static int part(String rowKey, int from, int to, int otherwise) {
            return rowKey.length() < to ? otherwise : Integer.parseInt(rowKey, from, to, 10);
        }

        private static LocalDateTime utc(Instant at) {
            checkYear(at);
            return LocalDateTime.ofInstant(at, ZoneOffset.UTC);
        }

        static void checkYear(Instant at) {
            Objects.requireNonNull(at, "at");
            if (at.isBefore(FIRST) || at.isAfter(LAST)) {
                throw new IllegalArgumentException("the time " + at + " is not in the years 1601 to 9999");
            }
        }
    }
}
