package io.stowline.caching;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.caching.internal.load.CacheKey;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The key of the cached response to a request, if it may be cached at all. */
final class RequestKey {

    private static final Set<String> OF_THE_BLOB = Set.of("snapshot", "versionid", "timeout");

    /** Headers that concern one request and not its response, so that they are no part of the key. */
    private static final Set<String> OF_ONE_REQUEST = Set.of(
            "connection",
            "content-length",
            "content-type",
            "date",
            "host",
            "request-id",
            "traceparent",
            "tracestate",
            "user-agent",
            "x-ms-client-request-id",
            "x-ms-date",
            "x-ms-return-client-request-id");

    private RequestKey() {}

    /** Returns the key, or null for a request that the cache must not serve. */
    static @Nullable CacheKey of(HttpRequest request, String scope) {
        ResourceUrl url = ResourceUrl.of(request);
        if (!mayBeKept(request, url)) {
            return null;
        }
        Map<String, String> rest = new TreeMap<>(url.query());
        rest.remove("timeout");
        String variant = request.getHttpMethod() + " " + digest(rest) + " " + digest(headers(request));
        return new CacheKey(
                digest(Map.of("scope", scope, "signature", digest(url.signature()))), url.resource(), variant);
    }

    private static boolean mayBeKept(HttpRequest request, ResourceUrl url) {
        HttpMethod method = request.getHttpMethod();
        return (method == HttpMethod.GET || method == HttpMethod.HEAD)
                && OF_THE_BLOB.containsAll(url.query().keySet())
                && !url.namesMessagesOrRows()
                && request.getHeaders().stream().noneMatch(RequestKey::isCondition);
    }

    private static boolean isCondition(HttpHeader header) {
        String name = header.getName().toLowerCase(Locale.ROOT);
        return name.startsWith("if-") || name.startsWith("x-ms-if-") || name.equals("x-ms-lease-id");
    }

    /** All headers that may select the response; a customer's keys are among them, so only the digest is kept. */
    private static Map<String, String> headers(HttpRequest request) {
        Map<String, String> headers = new TreeMap<>();
        for (HttpHeader header : request.getHeaders()) {
            String name = header.getName().toLowerCase(Locale.ROOT);
            if (!OF_ONE_REQUEST.contains(name)) {
                headers.put(name, header.getValue());
            }
        }
        return headers;
    }

    /** A SHA-256 digest over names and values, which reveals none of them. */
    private static String digest(Map<String, String> values) {
        MessageDigest digest = sha256();
        new TreeMap<>(values).forEach((name, value) -> {
            add(digest, name);
            add(digest, value);
        });
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void add(MessageDigest digest, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
