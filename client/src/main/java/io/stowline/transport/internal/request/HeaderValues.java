package io.stowline.transport.internal.request;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rules of values in a request's headers. */
public final class HeaderValues {

    private HeaderValues() {}

    /**
     * Checks the value of a header.
     *
     * @param what names the value in the error
     * @param value the value, or {@code null} for none
     * @throws IllegalArgumentException if it is empty, has a blank at an end, which is lost on the way, or a character beyond ASCII
     */
    @Nullable
    public static String check(String what, @Nullable String value) {
        if (value != null) {
            if (value.isEmpty()) {
                throw new IllegalArgumentException(what + " is empty");
            }
            text(what, value);
        }
        return value;
    }

    static void text(String what, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < 0x20 || c > 0x7E) {
                throw new IllegalArgumentException(what + " has a character that cannot stand in a header (U+"
                        + String.format(Locale.ROOT, "%04X", (int) c) + " at " + i + "); encode it first");
            }
        }
        if (!value.strip().equals(value)) {
            throw new IllegalArgumentException(
                    what + " begins or ends with a blank, which would be lost on the way: '" + value + "'");
        }
    }

    /**
     * Checks a version that the caller names.
     *
     * @return the ETag as it stands in a header
     * @throws IllegalArgumentException if it is empty or cannot stand in a header
     */
    public static String etag(String etag) {
        if (etag.isEmpty()) {
            throw new IllegalArgumentException("the ETag is empty: a condition needs the ETag of a version");
        }
        text("the ETag", etag);
        return quoted(etag);
    }

    /** Returns whether the version of a response is the one that its request names; a proxy that marks an ETag as weak leaves the version. */
    public static boolean sameVersion(String condition, String found) {
        return condition.equals("*") || strong(quoted(condition)).equals(strong(quoted(found)));
    }

    private static String strong(String etag) {
        return etag.startsWith("W/") ? etag.substring(2) : etag;
    }

    /** Returns the message of a response that has another version than its request names. */
    public static String otherVersion(String condition, String found) {
        return "the response has the version " + found + " while ifMatch is " + condition
                + ": a cache before the service may ignore the condition";
    }

    /** Listings give ETags without the quotes that headers have, and conditions need. */
    public static String quoted(String etag) {
        return etag.endsWith("\"") || etag.equals("*") ? etag : '"' + etag + '"';
    }
}
