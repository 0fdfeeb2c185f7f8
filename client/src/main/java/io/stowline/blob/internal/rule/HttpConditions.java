package io.stowline.blob.internal.rule;

import io.stowline.transport.internal.http.HttpDates;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of an HTTP request, evaluated against one version in the order of RFC 9110, 13.2.2.
 *
 * @param etag the strong entity tag of the version, in quotes; empty if it is not known
 * @param lastModified when the version was written
 */
public record HttpConditions(String etag, Instant lastModified) {

    private static final Pattern TAG = Pattern.compile("(?:W/)?\"[^\"]*\"|[^,\\s]+");
    private static final String WEAK = "W/";

    /** Dates of HTTP have no fractions, and a version of the same second is taken for the one that the client has. */
    public HttpConditions {
        lastModified = lastModified.truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * Evaluates the conditions of a {@code GET} or a {@code HEAD}.
     *
     * @param headers gives the value of a header, or {@code null}
     * @return 200, 304 or 412
     */
    public int evaluate(Function<String, @Nullable String> headers) {
        String ifMatch = headers.apply("If-Match");
        Instant unmodifiedSince = date(headers.apply("If-Unmodified-Since"));
        if (ifMatch != null ? !isStrongMatch(ifMatch) : unmodifiedSince != null && isAfter(unmodifiedSince)) {
            return 412;
        }
        String ifNoneMatch = headers.apply("If-None-Match");
        Instant modifiedSince = date(headers.apply("If-Modified-Since"));
        boolean known =
                ifNoneMatch != null ? isWeakMatch(ifNoneMatch) : modifiedSince != null && !isAfter(modifiedSince);
        return known ? 304 : 200;
    }

    /** Returns whether {@code If-Range} leaves {@code Range} in force: it is absent, or names this version by its tag or by its exact date. */
    public boolean allowsRange(@Nullable String ifRange) {
        if (ifRange == null) {
            return true;
        }
        String value = ifRange.strip();
        return value.equals(etag) || lastModified.equals(date(value));
    }

    private boolean isAfter(Instant date) {
        return lastModified.isAfter(date);
    }

    private boolean isStrongMatch(String tags) {
        return tags(tags).anyMatch(tag -> tag.equals("*") || tag.equals(etag));
    }

    private boolean isWeakMatch(String tags) {
        return tags(tags)
                .map(tag -> tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag)
                .anyMatch(tag -> tag.equals("*") || tag.equals(etag));
    }

    private static Stream<String> tags(String list) {
        return TAG.matcher(list).results().map(MatchResult::group);
    }

    /** A malformed date counts as absent. */
    private @Nullable Instant date(@Nullable String text) {
        return text == null ? null : HttpDates.parse(text.strip(), lastModified);
    }
}
