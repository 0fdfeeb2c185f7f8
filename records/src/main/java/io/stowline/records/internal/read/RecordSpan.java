package io.stowline.records.internal.read;

import io.stowline.records.RecordReadSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The records that a pass has: those behind a vector, up to an instant. Immutable.
 *
 * @param <T> the records' type
 */
public final class RecordSpan<T> {

    /** The time by which the clocks of writers may be ahead of the reader's. */
    private static final Duration AHEAD = Duration.ofDays(1);

    private final ReadVector begin;
    private final @Nullable Instant end;
    private final Optional<Function<? super T, Instant>> time;
    private final Instant from;
    private final Instant to;

    private RecordSpan(
            ReadVector begin,
            @Nullable Instant end,
            Optional<Function<? super T, Instant>> time,
            Instant from,
            Instant to) {
        this.begin = begin;
        this.end = end;
        this.time = time;
        this.from = from;
        this.to = to;
    }

    /** Returns all records behind a vector that are there. */
    public static <T> RecordSpan<T> after(ReadVector vector) {
        return new RecordSpan<>(vector, null, Optional.empty(), ReadVector.FIRST, ReadVector.LAST);
    }

    /**
     * Returns the records of a span: of the intervals that overlap it, or, where records have a time, those whose time is in it.
     *
     * @throws IllegalArgumentException if it ends before it begins
     */
    public static <T> RecordSpan<T> of(Instant from, Instant to, RecordReadSettings<T> settings) {
        if (to.isBefore(from)) {
            throw new IllegalArgumentException("a span ends behind its begin, and not at " + to + " after " + from);
        }
        Instant begin = within(from);
        Instant end = from.isBefore(to) ? within(to) : ReadVector.FIRST;
        if (settings.mergedBy().isPresent() && from.isBefore(to)) {
            begin = within(begin.minus(settings.tolerance()));
            end = within(end.plus(settings.tolerance()));
        }
        return new RecordSpan<>(ReadVector.at(begin), end, settings.mergedBy(), from, to);
    }

    private static Instant within(Instant instant) {
        if (instant.isBefore(ReadVector.FIRST)) {
            return ReadVector.FIRST;
        }
        return instant.isAfter(ReadVector.LAST) ? ReadVector.LAST : instant;
    }

    /** Returns the vector behind which it begins. */
    ReadVector begin() {
        return begin;
    }

    /** Returns the end of the intervals that have its records. */
    Instant end(Instant now) {
        return end == null ? within(now.plus(AHEAD)) : end;
    }

    /** Returns whether it has a record of an interval that it has. */
    boolean has(T record) {
        if (time.isEmpty()) {
            return true;
        }
        Instant at = time.get().apply(record);
        return !at.isBefore(from) && at.isBefore(to);
    }

    /** Returns whether it takes some records of an interval and leaves others. */
    boolean isFiltered() {
        return time.isPresent();
    }
}
