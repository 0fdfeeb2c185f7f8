package io.stowline.caching.internal.entry;

import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A response without its body, with the stamp of its confirmation. */
public record EntryHead(int status, SortedMap<String, String> headers, InvalidationStamp stamp) {

    private static final Pattern RANGE = Pattern.compile("bytes (\\d{1,18})-(\\d{1,18})/(\\d{1,18})");

    public static EntryHead of(int status, Map<String, String> headers, InvalidationStamp stamp) {
        return new EntryHead(status, HeaderMap.of(headers), stamp);
    }

    public boolean absent() {
        return status >= 400;
    }

    public @Nullable String etag() {
        return headers.get("ETag");
    }

    /** Returns whether it is a part of a larger resource: others of the same version are likely to be read after it. */
    public boolean isPart() {
        String range = status == 206 ? headers.get("Content-Range") : null;
        Matcher parts = range == null ? null : RANGE.matcher(range);
        return parts != null && parts.matches() && !isComplete(parts);
    }

    private static boolean isComplete(Matcher parts) {
        long last = Long.parseLong(parts.group(2));
        return Long.parseLong(parts.group(1)) == 0 && last + 1 == Long.parseLong(parts.group(3));
    }

    /** Returns the time since the load that has confirmed it began. */
    public Duration age(ClockReading now) {
        return Duration.ofNanos(stamp.begun().ageNanos(now));
    }

    /** Returns whether the response has a validator, without which no revalidation can confirm it. */
    public boolean hasValidator() {
        return etag() != null || headers.containsKey("Last-Modified");
    }

    /**
     * Returns the conditions of a revalidation.
     *
     * @param written whether this process has written since: a time of modification has whole seconds, and cannot
     * distinguish that write from the version before
     */
    public Conditions conditions(boolean written) {
        if (absent()) {
            return Conditions.NONE;
        }
        String etag = etag();
        if (etag != null) {
            return new Conditions(etag, null);
        }
        String modified = written ? null : HeaderMap.strongLastModified(headers);
        return modified == null ? Conditions.NONE : new Conditions(null, modified);
    }

    public EntryHead renewed(Map<String, String> stated, InvalidationStamp now) {
        return new EntryHead(status, HeaderMap.renewed(headers, stated), now);
    }

    /** Returns the approximate bytes of the head in memory. */
    long weight() {
        long weight = 256;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            weight += 160 + header.getKey().length() + header.getValue().length();
        }
        return weight;
    }
}
