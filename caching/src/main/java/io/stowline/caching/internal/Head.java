package io.stowline.caching.internal;

import io.stowline.caching.Conditions;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** An answer without its body, and when the service said that it holds. */
record Head(int status, SortedMap<String, String> headers, Stamp stamp) {

    static Head of(int status, Map<String, String> headers, Stamp stamp) {
        return new Head(status, Headers.of(headers), stamp);
    }

    boolean absent() {
        return status >= 400;
    }

    @Nullable
    String etag() {
        return headers.get("ETag");
    }

    /** Without one, nothing could ever say that it still holds. */
    boolean hasValidator() {
        return etag() != null || headers.containsKey("Last-Modified");
    }

    /**
     * What to ask under whether it still holds.
     *
     * @param written whether we have written since: a time of modification has whole seconds, and cannot tell our write from what was there
     */
    Conditions conditions(boolean written) {
        if (absent()) {
            return Conditions.NONE;
        }
        String etag = etag();
        if (etag != null) {
            return new Conditions(etag, null);
        }
        String modified = written ? null : Headers.strongLastModified(headers);
        return modified == null ? Conditions.NONE : new Conditions(null, modified);
    }

    Head renewed(Map<String, String> said, Stamp now) {
        return new Head(status, Headers.renewed(headers, said), now);
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
