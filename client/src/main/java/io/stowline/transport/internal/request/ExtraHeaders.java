package io.stowline.transport.internal.request;

import com.azure.core.http.HttpHeaderName;
import io.stowline.transport.internal.account.AccountCredential;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Headers that an application adds to the requests of a view. For requests that an SDK client makes they lie in the Reactor context of
 * the call. Immutable.
 */
public final class ExtraHeaders {

    /** An empty set of headers. */
    public static final ExtraHeaders NONE = new ExtraHeaders(Map.of());

    public static final String KEY = "stowline-headers";

    private static final int MAX_NAME = 256;
    private static final int MAX_VALUE = 8_192;

    /** The token of RFC 9110. */
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** Headers that the library sets, that concern the connection, or that another verb needs. */
    private static final Set<String> OWN = Set.of(
            "authorization",
            "connection",
            "cookie",
            "dataserviceversion",
            "date",
            "expect",
            "host",
            "keep-alive",
            "maxdataserviceversion",
            "prefer",
            "range",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade",
            "user-agent",
            "x-ms-client-request-id",
            "x-ms-date",
            "x-ms-range",
            "x-ms-version");

    private static final List<String> OWN_FAMILIES = List.of(
            "accept",
            "content-",
            "if-",
            "proxy-",
            "x-http-method",
            "x-ms-blob-",
            "x-ms-content-",
            "x-ms-copy-",
            "x-ms-if-",
            "x-ms-meta-",
            "x-ms-range-",
            "x-ms-source-",
            "x-ms-structured-");

    private final Map<HttpHeaderName, String> all;

    private ExtraHeaders(Map<HttpHeaderName, String> all) {
        this.all = all;
    }

    /**
     * Returns the headers with one more, or with another value.
     *
     * @throws IllegalArgumentException if it is one that the library sets or that changes what a request means, or cannot be sent; the
     *     value is not shown, for it may be a secret
     */
    public ExtraHeaders with(String name, String value) {
        checkName(name);
        checkValue(name, value);
        Map<HttpHeaderName, String> more = new LinkedHashMap<>(all);
        more.put(HttpHeaderName.fromString(name), value);
        return new ExtraHeaders(more);
    }

    /** Calls a setter of headers for each. */
    public void forEach(BiConsumer<HttpHeaderName, String> setter) {
        all.forEach(setter);
    }

    /** Distinguishes what is read with other headers; their values may be secrets. A line is unambiguous, since no value has a line end. */
    public String digest(String scope) {
        Map<String, String> sorted = new TreeMap<>();
        all.forEach((name, value) -> sorted.put(name.getCaseInsensitiveName(), value));
        StringBuilder lines = new StringBuilder();
        sorted.forEach(
                (name, value) -> lines.append(name).append(':').append(value).append('\n'));
        return AccountCredential.fingerprint(scope, lines.toString());
    }

    /** Returns whether one of them has this name. */
    public boolean has(String name) {
        return all.containsKey(HttpHeaderName.fromString(name));
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    private static void checkName(String name) {
        Objects.requireNonNull(name, "name");
        if (name.length() > MAX_NAME || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a header's name is 1 to " + MAX_NAME
                    + " letters, digits and other characters that RFC 9110 allows, not the " + name.length()
                    + " characters that were given (not shown, they may be its value)");
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (OWN.contains(lower) || OWN_FAMILIES.stream().anyMatch(lower::startsWith)) {
            throw new IllegalArgumentException("header " + name
                    + " cannot be added: the library sets it itself, or it changes what a request means");
        }
    }

    private static void checkValue(String name, String value) {
        Objects.requireNonNull(value, "value");
        if (value.isEmpty() || value.length() > MAX_VALUE) {
            throw new IllegalArgumentException(
                    "the value of header " + name + " is 1 to " + MAX_VALUE + " characters, not " + value.length());
        }
        if (value.startsWith(" ") || value.endsWith(" ")) {
            throw new IllegalArgumentException("the value of header " + name + " begins or ends with a space");
        }
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c > '~') {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "the value of header %s has the character U+%04X at position %d; only U+0020 to U+007E can be"
                                + " sent",
                        name,
                        (int) c,
                        i + 1));
            }
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ExtraHeaders that && all.equals(that.all);
    }

    @Override
    public int hashCode() {
        return all.hashCode();
    }

    @Override
    public String toString() {
        return "ExtraHeaders" + all.keySet();
    }
}
