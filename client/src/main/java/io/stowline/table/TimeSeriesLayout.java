package io.stowline.table;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The row layout of a {@link TimeSeries}: one row for a period, one property for each slot of it. All times are UTC. Row keys have a fixed
 * width for each layout, so that they sort by time.
 */
public enum TimeSeriesLayout {

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

    TimeSeriesLayout(int slots, ChronoField field, String pattern) {
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

    /** The number of the slot that holds a time. */
    int slot(Instant at) {
        return utc(at).get(field);
    }

    /** The number of the first slot of a row. */
    int firstSlot() {
        return (int) field.range().getMinimum();
    }

    /** When a slot begins, or null if there is no such row or slot, such as the 31st of February. */
    @Nullable
    Instant at(String rowKey, int slot) {
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
        if (at.isBefore(FIRST) || at.isAfter(LAST)) {
            throw new IllegalArgumentException("the time " + at + " is not in the years 1601 to 9999");
        }
        return LocalDateTime.ofInstant(at, ZoneOffset.UTC);
    }
}
