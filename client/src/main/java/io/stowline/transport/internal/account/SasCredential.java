package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.http.HttpDates;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A shared access signature, which the application may exchange while the client runs. It is put on the address of each attempt and
 * nowhere else.
 */
final class SasCredential implements AccountCredential, Authorizer {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");

    private static final List<String> FOREIGN = List.of("&amp;", "&#38;", "\\u0026");
    private static final String SIGNATURE = "sig=";
    /** The characters of a query beside letters and digits, by RFC 3986. */
    private static final String QUERY_MARKS = "-._~!$&'()*+,;=:@/?%";

    /** An HMAC-SHA256 in Base64, whose last digit before the padding has two bits that are zero. */
    private static final Pattern HMAC = Pattern.compile("([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048])=?");

    private final String setting;
    private final AzureSasCredential credential;
    private volatile Encoded last = new Encoded("", "");
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
        checked(current());
    }

    @Override
    public Authorizer authorizer(Service service) {
        return this;
    }

    /**
     * Authorizes a request. A signature that the application has exchanged since is checked here, and fails the
     * operation without being shown.
     */
    @Override
    public Mono<Proof> authorize(HttpRequest request, Instant now) {
        return Mono.fromSupplier(() -> put(request, now));
    }

    private Proof put(HttpRequest request, Instant now) {
        String used = checked(current());
        request.setHeader(DATE, dates.print(now.getEpochSecond()));
        char separator = request.getUrl().getQuery() == null ? '?' : '&';
        request.setUrl(request.getUrl().toString() + separator + used);
        return refusal -> used.equals(current())
                ? null
                : refusal.status() + ", but the shared access signature has changed since the attempt began";
    }

    @Override
    public String scope() {
        return AccountCredential.fingerprint("signature", current());
    }

    /** A signature as it was given and as it goes on an address. */
    private record Encoded(String given, String signature) {}

    private String current() {
        String given = credential.getSignature();
        Encoded known = last;
        if (!known.given.equals(given)) {
            String stripped = given.strip();
            known = new Encoded(given, encoded(stripped.startsWith("?") ? stripped.substring(1) : stripped));
            last = known;
        }
        return known.signature;
    }

    private static String encoded(String text) {
        int from = signature(text);
        if (from < 0) {
            return text;
        }
        int next = text.indexOf('&', from);
        int end = next < 0 ? text.length() : next;
        String plain;
        try {
            plain = URLDecoder.decode(text.substring(from, end).replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
        Matcher hmac = HMAC.matcher(plain);
        return hmac.matches()
                ? text.substring(0, from)
                        + URLEncoder.encode(hmac.group(1) + "=", StandardCharsets.UTF_8)
                        + text.substring(end)
                : text;
    }

    /** Returns the escape by which XML or JSON replace an ampersand, if the text has one. */
    static @Nullable String foreignEscape(String text) {
        for (String escape : FOREIGN) {
            if (text.contains(escape)) {
                return escape;
            }
        }
        return null;
    }

    private String checked(String signature) {
        String wrong = wrong(signature);
        if (wrong != null) {
            throw new IllegalArgumentException(
                    setting + " is not a shared access signature: " + wrong + " (its value is not shown)");
        }
        return signature;
    }

    private static @Nullable String wrong(String signature) {
        if (signature.contains("://")) {
            return "it is a whole address";
        }
        String escape = foreignEscape(signature);
        if (escape != null) {
            return "it has " + escape + ", a copy out of XML or JSON: give & in its place";
        }
        for (int i = 0; i < signature.length(); i++) {
            char c = signature.charAt(i);
            boolean alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!alphanumeric && QUERY_MARKS.indexOf(c) < 0) {
                return Character.isWhitespace(c)
                        ? "it has blanks or line ends within"
                        : "it has a character that no query of an address has";
            }
        }
        return signature(signature) >= 0 ? null : "it has no parameter sig with a value";
    }

    private static int signature(String signature) {
        for (int at = 0; at >= 0; ) {
            int end = signature.indexOf('&', at);
            int length = (end < 0 ? signature.length() : end) - at;
            if (length > SIGNATURE.length() && signature.regionMatches(true, at, SIGNATURE, 0, SIGNATURE.length())) {
                return at + SIGNATURE.length();
            }
            at = end < 0 ? -1 : end + 1;
        }
        return -1;
    }

    @Override
    public String toString() {
        return "SharedAccess(not shown)";
    }
}
