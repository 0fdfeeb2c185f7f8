package io.stowline.blob.internal.request;

import com.azure.core.http.HttpHeaderName;
import io.stowline.transport.internal.http.RequestHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The access of the service to one version of the source of a copy: its address with a signature, or a token beside it. Its {@code toString}
 * shows neither. Immutable.
 */
public final class SourceAccess {

    /** The longest address that the service takes (its page "Copy Blob"). */
    private static final int MAX_ADDRESS = 2_048;

    private static final HttpHeaderName SOURCE = HttpHeaderName.fromString("x-ms-copy-source");
    private static final HttpHeaderName AUTHORIZATION = HttpHeaderName.fromString("x-ms-copy-source-authorization");
    private static final HttpHeaderName RANGE = HttpHeaderName.fromString("x-ms-source-range");
    private static final HttpHeaderName IF_MATCH = HttpHeaderName.fromString("x-ms-source-if-match");

    private final String address;
    private final @Nullable String authorization;
    private final String etag;

    /**
     * An access to a source.
     *
     * @param address the address, with its signature if there is one
     * @param authorization the token with its scheme, or {@code null} where the address is enough
     * @param etag the only version that is copied, quoted
     * @throws IllegalArgumentException if the service does not take an address of this length
     */
    public SourceAccess(String address, @Nullable String authorization, String etag) {
        if (address.length() > MAX_ADDRESS) {
            throw new IllegalArgumentException("the address of the source " + shown(address) + " has "
                    + address.length() + " characters with its signature, and the service takes " + MAX_ADDRESS);
        }
        this.address = address;
        this.authorization = authorization;
        this.etag = etag;
    }

    /** Returns an address without its query, which may hold a signature. */
    public static String shown(String address) {
        int query = address.indexOf('?');
        return query < 0 ? address : address.substring(0, query);
    }

    /** Returns whether a token stands beside the address. */
    public boolean hasToken() {
        return authorization != null;
    }

    /** Returns whether it has another token than an earlier access. */
    public boolean renews(SourceAccess earlier) {
        return authorization != null && !authorization.equals(earlier.authorization);
    }

    void on(RequestHeaders headers) {
        headers.set(SOURCE, address).set(IF_MATCH, etag);
        if (authorization != null) {
            headers.set(AUTHORIZATION, authorization);
        }
    }

    void on(RequestHeaders headers, long first, long bytes) {
        on(headers);
        headers.set(RANGE, "bytes=" + first + "-" + (first + bytes - 1));
    }

    @Override
    public String toString() {
        return "SourceAccess[" + shown(address) + ", version " + etag + "]";
    }
}
