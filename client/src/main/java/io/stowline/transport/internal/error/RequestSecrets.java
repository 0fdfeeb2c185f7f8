package io.stowline.transport.internal.error;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.http.DirectRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The secrets that one request carries: the signature in its address, and that or the token of its header, each of the source of a copy too,
 * and the keys of an encryption that a view adds. A response may repeat one without the words by which {@link Redaction} recognises a secret, so
 * that the literal is looked for, in each usual escape. Immutable.
 */
public final class RequestSecrets {

    private static final String GONE = "***";
    private static final Pattern SIGNATURE = Pattern.compile("(?i)[?&]sig=([^&]+)");
    private static final HttpHeaderName COPY_SOURCE = HttpHeaderName.fromString("x-ms-copy-source");
    private static final HttpHeaderName COPY_SOURCE_AUTHORIZATION =
            HttpHeaderName.fromString("x-ms-copy-source-authorization");
    private static final HttpHeaderName KEY = HttpHeaderName.fromString("x-ms-encryption-key");
    private static final HttpHeaderName SOURCE_KEY = HttpHeaderName.fromString("x-ms-source-encryption-key");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9]+");
    /** A shorter one would mask ordinary words. */
    private static final int SHORTEST = 16;

    /** The secrets of a request that carries no proof. */
    public static final RequestSecrets NONE = new RequestSecrets("", null, null, null, null, null);

    private final String address;
    private final @Nullable String authorization;
    private final @Nullable String source;
    private final @Nullable String sourceAuthorization;
    private final @Nullable String key;
    private final @Nullable String sourceKey;

    private RequestSecrets(
            String address,
            @Nullable String authorization,
            @Nullable String source,
            @Nullable String sourceAuthorization,
            @Nullable String key,
            @Nullable String sourceKey) {
        this.address = address;
        this.authorization = authorization;
        this.source = source;
        this.sourceAuthorization = sourceAuthorization;
        this.key = key;
        this.sourceKey = sourceKey;
    }

    /** Returns the secrets of a request as it is sent; later changes of the request do not count. */
    public static RequestSecrets of(@Nullable HttpRequest request) {
        if (request == null) {
            return NONE;
        }
        return new RequestSecrets(
                String.valueOf(DirectRequest.address(request)),
                DirectRequest.header(request, HttpHeaderName.AUTHORIZATION),
                DirectRequest.header(request, COPY_SOURCE),
                DirectRequest.header(request, COPY_SOURCE_AUTHORIZATION),
                DirectRequest.header(request, KEY),
                DirectRequest.header(request, SOURCE_KEY));
    }

    /** Taken out of the request only when a text is to be masked, since each attempt keeps its secrets. */
    private List<String> literals() {
        List<String> literals = new ArrayList<>();
        addSignature(literals, address);
        addAuthorization(literals, authorization);
        addSignature(literals, source);
        addAuthorization(literals, sourceAuthorization);
        addAuthorization(literals, key);
        addAuthorization(literals, sourceKey);
        return literals;
    }

    private static void addSignature(List<String> literals, @Nullable String address) {
        Matcher signature = SIGNATURE.matcher(address == null ? "" : address);
        if (signature.find()) {
            add(literals, decoded(signature.group(1)));
        }
    }

    private static void addAuthorization(List<String> literals, @Nullable String header) {
        if (header != null) {
            add(literals, header.substring(Math.max(header.lastIndexOf(' '), header.lastIndexOf(':')) + 1));
        }
    }

    private static void add(List<String> literals, String secret) {
        int end = secret.length();
        while (end > 0 && secret.charAt(end - 1) == '=') {
            end--;
        }
        if (end >= SHORTEST) {
            literals.add(secret.substring(0, end));
        }
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return value;
        }
    }

    /** Masks these secrets in a text. */
    public String maskedIn(String text) {
        String clean = text;
        for (String literal : literals()) {
            if (mayHold(clean, literal)) {
                clean = Pattern.compile(pattern(literal)).matcher(clean).replaceAll(GONE);
            }
        }
        return clean;
    }

    /**
     * Cheap test: the longest run of letters and digits of the secret needs no escape, and stands in the text if the
     * secret does.
     */
    private static boolean mayHold(String text, String literal) {
        String longest = "";
        Matcher runs = PLAIN.matcher(literal);
        while (runs.find()) {
            longest = runs.group().length() > longest.length() ? runs.group() : longest;
        }
        return text.contains(longest);
    }

    private static String pattern(String literal) {
        StringBuilder all = new StringBuilder(literal.length() * 4);
        for (int i = 0; i < literal.length(); i++) {
            char c = literal.charAt(i);
            all.append(Character.isLetterOrDigit(c) ? String.valueOf(c) : escaped(c));
        }
        return all.append("(?:").append(escaped('=')).append("){0,2}").toString();
    }

    /**
     * The character itself, percent-encoded at any depth, as an entity of XML, as an escape of JSON; a plus as a blank,
     * too.
     */
    private static String escaped(char c) {
        String hex = String.format(Locale.ROOT, "%02x", (int) c);
        return "(?:\\\\?" + Pattern.quote(String.valueOf(c))
                + "|(?i:%(?:25){0,3}" + hex + "|&#x0{0,4}" + hex + ";|\\\\u00" + hex + ")"
                + "|&#0{0,4}" + (int) c + ";" + (c == '+' ? "| " : "") + ")";
    }
}
