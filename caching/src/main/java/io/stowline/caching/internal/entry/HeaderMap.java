package io.stowline.caching.internal.entry;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Headers by names without case. */
public final class HeaderMap {

    /** Headers that describe a response without a body, and not the cached body (RFC 9111, 3.2). */
    private static final Set<String> OF_ONE_RESPONSE = names(
            "Connection",
            "Keep-Alive",
            "Proxy-Connection",
            "TE",
            "Trailer",
            "Transfer-Encoding",
            "Upgrade",
            "ETag",
            "x-ms-error-code");

    private HeaderMap() {}

    public static SortedMap<String, String> of(Map<String, String> headers) {
        SortedMap<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        copy.putAll(headers);
        return Collections.unmodifiableSortedMap(copy);
    }

    /** Returns the cached headers after the service has confirmed the response. */
    static SortedMap<String, String> renewed(Map<String, String> kept, Map<String, String> stated) {
        SortedMap<String, String> merged = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        merged.putAll(kept);
        stated.forEach((name, value) -> {
            if (!OF_ONE_RESPONSE.contains(name)
                    && !name.toLowerCase(Locale.ROOT).startsWith("content-")) {
                merged.put(name, value);
            }
        });
        return Collections.unmodifiableSortedMap(merged);
    }

    /**
     * Returns the time of modification if it names one version: the response was made a second later or more (RFC 9110,
     * 8.8.2.2).
     */
    static @Nullable String strongLastModified(Map<String, String> headers) {
        String modified = headers.get("Last-Modified");
        Instant at = time(modified);
        Instant responded = time(headers.get("Date"));
        return at != null && responded != null && !responded.isBefore(at.plusSeconds(1)) ? modified : null;
    }

    private static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static Set<String> names(String... names) {
        Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Collections.addAll(set, names);
        return set;
    }
}
