package io.stowline.caching.internal.entry;

import io.stowline.caching.Loader.Conditions;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import java.util.Map;
import java.util.SortedMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An answer without its body, and when the service confirmed it. */
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

    /** Whether it is a part of something larger: others of the same version are likely to be read after it. */
    public boolean isPart() {
        String range = status == 206 ? headers.get("Content-Range") : null;
        Matcher parts = range == null ? null : RANGE.matcher(range);
        return parts != null && parts.matches() && !isWhole(parts);
    }

    private static boolean isWhole(Matcher parts) {
        long last = Long.parseLong(parts.group(2));
        return Long.parseLong(parts.group(1)) == 0 && last + 1 == Long.parseLong(parts.group(3));
    }

    /** Without one, nothing could ever say that it still holds. */
    public boolean hasValidator() {
        return etag() != null || headers.containsKey("Last-Modified");
    }

    /**
     * What to ask under whether it still holds.
     *
     * @param written whether we have written since: a time of modification has whole seconds, and cannot tell our write from what was there
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

    public EntryHead renewed(Map<String, String> said, InvalidationStamp now) {
        return new EntryHead(status, HeaderMap.renewed(headers, said), now);
    }

    /** How many bytes it takes in memory, roughly. */
    long weight() {
        long weight = 256;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            weight += 160 + header.getKey().length() + header.getValue().length();
        }
        return weight;
    }
}
