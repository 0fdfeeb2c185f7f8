package io.stowline.records.internal.read;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The records that a reader has passed: of each session all up to a place, and all of intervals that ended before an instant. A session's
 * blobs appear in the order of their sequence, so that one place for each session is enough. Immutable.
 *
 * @param since the end of what is never read again, or never was to be
 * @param reached the begin of the latest interval of which something was read
 * @param places the places by session, of blobs that ended behind {@code since}
 */
public record ReadVector(Instant since, Instant reached, SortedMap<String, SessionPlace> places) {

    /** The earliest instant: a reader that begins there reads all that there is. */
    public static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");

    /** The latest instant. */
    public static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    /** Keeps its own copy. */
    public ReadVector {
        places = new TreeMap<>(places);
    }

    /**
     * A place in the blobs of a session, all of whose earlier blobs have been read.
     *
     * @param interval the interval of the blob
     * @param sequence the blob's sequence
     * @param offset the offset in the blob from which another reader can begin
     * @param passed the records from there on that have been read
     */
    public record SessionPlace(Instant interval, long sequence, long offset, long passed) {}

    /** Returns a vector of a reader that begins with the intervals that have an instant, or are later. */
    public static ReadVector at(Instant from) {
        Instant since = from.isBefore(FIRST) ? FIRST : from.isAfter(LAST) ? LAST : from;
        return new ReadVector(since, FIRST, new TreeMap<>());
    }

    /** Returns whether a blob has something that was not read. */
    boolean wants(RecordBlob blob) {
        if (!blob.end().isAfter(since)) {
            return false;
        }
        SessionPlace place = places.get(blob.chunk().session());
        return place == null
                || blob.chunk().sequence() > place.sequence
                || (blob.chunk().sequence() == place.sequence && blob.size() > place.offset);
    }

    /** Returns this vector after places that have been reached since, without the sessions that have been silent for too long. */
    ReadVector with(Map<String, SessionPlace> later, Instant now, Duration lateness) {
        SortedMap<String, SessionPlace> all = new TreeMap<>(places);
        all.putAll(later);
        Instant latest = reached;
        for (SessionPlace place : later.values()) {
            latest = place.interval.isAfter(latest) ? place.interval : latest;
        }
        Instant horizon = earlier(latest, now);
        horizon = horizon.isBefore(FIRST.plus(lateness)) ? FIRST : horizon.minus(lateness);
        Instant begin = horizon.isAfter(since) ? horizon : since;
        all.entrySet().removeIf(session -> !RecordBlob.end(session.getValue().interval, session.getKey())
                .isAfter(begin));
        return new ReadVector(begin, latest, all);
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
