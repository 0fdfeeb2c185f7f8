package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.http.HttpDates;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A shared access signature, which the application may exchange while the client runs. It is put on the address of each attempt and
 * nowhere else.
 */
final class SasCredential implements AccountCredential, Authorizer {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");

    private static final String SIGNATURE = "sig=";
    /** Beside letters and digits, what RFC 3986 lets stand in a query. */
    private static final String QUERY_MARKS = "-._~!$&'()*+,;=:@/?%";

    private final String setting;
    private final AzureSasCredential credential;
    private final HttpDates dates = new HttpDates();

    /**
     * A signature that can go on an address.
     *
     * @param setting where it was given
     * @throws IllegalArgumentException if it is no signature; it is not shown
     */
    SasCredential(String setting, AzureSasCredential credential) {
        this.setting = setting;
        this.credential = credential;
        checked(held());
    }

    @Override
    public Authorizer authorizer(Service service) {
        return this;
    }

    /** What the application has exchanged it for since is checked here, and fails the operation without being shown. */
    @Override
    public Mono<Proof> authorize(HttpRequest request, Instant now) {
        return Mono.fromSupplier(() -> put(request, now));
    }

    private Proof put(HttpRequest request, Instant now) {
        String used = checked(held());
        request.setHeader(DATE, dates.print(now.getEpochSecond()));
        char separator = request.getUrl().getQuery() == null ? '?' : '&';
        request.setUrl(request.getUrl().toString() + separator + used);
        return refusal -> used.equals(held())
                ? null
                : refusal.status() + ", but the shared access signature has changed since the attempt began";
    }

    @Override
    public String scope() {
        return AccountCredential.fingerprint("signature", held());
    }

    private String held() {
        String given = credential.getSignature().strip();
        return given.startsWith("?") ? given.substring(1) : given;
    }

    private String checked(String held) {
        String wrong = wrong(held);
        if (wrong != null) {
            throw new IllegalArgumentException(
                    setting + " is not a shared access signature: " + wrong + " (its value is not shown)");
        }
        return held;
    }

    private static @Nullable String wrong(String held) {
        if (held.contains("://")) {
            return "it is a whole address";
        }
        for (int i = 0; i < held.length(); i++) {
            char c = held.charAt(i);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!alphanumeric && QUERY_MARKS.indexOf(c) < 0) {
                return Character.isWhitespace(c)
                        ? "it has blanks or line ends within"
                        : "it has a character that no query of an address has";
            }
        }
        return signed(held) ? null : "it has no parameter sig with a value";
    }

    /** Whether one of its parameters is a signature with a value. */
    private static boolean signed(String held) {
        for (int at = 0; at >= 0; ) {
            int end = held.indexOf('&', at);
            int length = (end < 0 ? held.length() : end) - at;
            if (length > SIGNATURE.length() && held.regionMatches(true, at, SIGNATURE, 0, SIGNATURE.length())) {
                return true;
            }
            at = end < 0 ? -1 : end + 1;
        }
        return false;
    }

    @Override
    public String toString() {
        return "SharedAccess(not shown)";
    }
}
