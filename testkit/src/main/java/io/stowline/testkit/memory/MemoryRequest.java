package io.stowline.testkit.memory;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A request as the service reads it.
 *
 * @param service the service that it goes to
 * @param method the HTTP method in capitals
 * @param path the path, decoded
 * @param query the parameters of the query, decoded
 */
@SuppressWarnings("ArrayRecordComponent") // requests are never compared
record MemoryRequest(
        MemoryResource service,
        String method,
        String path,
        Map<String, String> query,
        HttpHeaders headers,
        byte[] body) {

    /** The service that a request goes to. */
    enum MemoryResource {
        TABLE,
        QUEUE,
        BLOB
    }

    private static final HttpHeaderName METHOD = HttpHeaderName.fromString("X-HTTP-Method");

    static MemoryRequest of(HttpRequest http, byte[] body) {
        String host = http.getUrl().getHost();
        String[] labels = host.split("\\.", -1);
        MemoryResource service = target(labels.length > 1 ? labels[1] : host);
        String tunnelled = http.getHeaders().getValue(METHOD);
        return new MemoryRequest(
                service,
                tunnelled == null ? http.getHttpMethod().toString() : tunnelled,
                decoded(http.getUrl().getPath()),
                parameters(http.getUrl().getQuery()),
                http.getHeaders(),
                body);
    }

    private static MemoryResource target(String name) {
        for (MemoryResource target : MemoryResource.values()) {
            if (target.name().equalsIgnoreCase(name)) {
                return target;
            }
        }
        throw new IllegalArgumentException("MemoryStorage has tables, queues and blobs, and no " + name);
    }

    /** Returns a request as a part of a batch. */
    MemoryRequest part(String verb, String target, HttpHeaders own, byte[] content) {
        int host = target.indexOf("://");
        int from = host < 0 ? target.indexOf('/') : target.indexOf('/', host + 3);
        String relative = target.substring(Math.max(0, from));
        int mark = relative.indexOf('?');
        return new MemoryRequest(
                service,
                verb,
                decoded(mark < 0 ? relative : relative.substring(0, mark)),
                parameters(mark < 0 ? null : relative.substring(mark + 1)),
                own,
                content);
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new TreeMap<>();
        if (query != null) {
            for (String pair : query.split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    parameters.put(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
                }
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text; // an escape that is none stands for itself
        }
    }

    @Nullable
    String parameter(String name) {
        return query.get(name);
    }

    boolean has(String name, String value) {
        return value.equals(query.get(name));
    }

    int number(String name, int otherwise) {
        String text = query.get(name);
        try {
            return text == null ? otherwise : Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new RefusedOperation(400, "InvalidQueryParameterValue", name + " is no number: " + text);
        }
    }

    @Nullable
    String header(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    /** Returns the segments of the path; none for the root. */
    List<String> steps() {
        String bare = path.startsWith("/") ? path.substring(1) : path;
        return bare.isEmpty() ? List.of() : List.of(bare.split("/", 2));
    }

    /** Returns the metadata, from the headers with their prefix. */
    Map<String, String> metadata() {
        Map<String, String> metadata = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach(header -> {
            if (header.getName().toLowerCase(Locale.ROOT).startsWith("x-ms-meta-")) {
                metadata.put(header.getName().substring("x-ms-meta-".length()), header.getValue());
            }
        });
        return metadata;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Returns the refusal of a request that this account does not know. */
    RefusedOperation unknown() {
        return new RefusedOperation(501, "NotImplemented", "MemoryStorage has no " + this);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(method).append(' ').append(path);
        query.forEach((name, value) -> text.append(text.indexOf("?") < 0 ? '?' : '&')
                .append(name)
                .append('=')
                .append(value));
        return text.toString();
    }
}
