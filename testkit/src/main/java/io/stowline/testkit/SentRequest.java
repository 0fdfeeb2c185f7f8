package io.stowline.testkit;

import io.stowline.testkit.internal.wire.HeaderLines;
import io.stowline.testkit.internal.wire.Targets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as it crossed the wire.
 *
 * <p>The target and the headers are those of the client, byte for byte, so that a signature over them still holds when they
 * are passed on. Immutable.
 */
public final class SentRequest {

    private final String method;
    private final String target;
    private final @Nullable StorageService service;
    private final HeaderLines headers;
    private final byte[] body;

    private SentRequest(
            String method, String target, @Nullable StorageService service, HeaderLines headers, byte[] body) {
        this.method = method;
        this.target = target;
        this.service = service;
        this.headers = headers;
        this.body = body;
    }

    /**
     * Makes a request to no particular service.
     *
     * @param method the method, such as {@code MERGE}
     * @param target the raw target, such as {@code /devstoreaccount1/$batch?timeout=30}
     * @param headers names with values
     * @param body the body, empty for none
     * @return the request
     * @throws IllegalArgumentException if a header is not of the form that HTTP allows
     */
    public static SentRequest of(String method, String target, Map<String, String> headers, byte[] body) {
        return received(method, target, new ArrayList<>(headers.entrySet()), body);
    }

    /**
     * Makes a request out of what was received.
     *
     * @param method the method
     * @param target the raw target
     * @param headers header lines in order
     * @param body the body, empty for none
     * @return the request
     * @throws IllegalArgumentException if a header is not of the form that HTTP allows
     */
    public static SentRequest received(
            String method, String target, List<Map.Entry<String, String>> headers, byte[] body) {
        return new SentRequest(method, target, null, new HeaderLines(headers), body.clone());
    }

    /**
     * Returns the method.
     *
     * @return as sent, such as {@code POST}
     */
    public String method() {
        return method;
    }

    /**
     * Returns the raw target.
     *
     * @return as sent, such as {@code /devstoreaccount1/$batch?timeout=30}
     */
    public String target() {
        return target;
    }

    /**
     * Returns the raw path.
     *
     * @return the target without its query, undecoded
     */
    public String path() {
        return Targets.path(target);
    }

    /**
     * Returns the query parameters.
     *
     * @return decoded names and values in order, unmodifiable; of several with one name the first
     */
    public Map<String, String> query() {
        return Targets.query(target);
    }

    /**
     * Returns the service whose endpoint was addressed.
     *
     * @return {@code null} when the endpoint is of no particular service
     */
    public @Nullable StorageService service() {
        return service;
    }

    /**
     * Returns a header.
     *
     * @param name the name, in any case
     * @return its values joined by {@code ", "}, or {@code null} when there is none
     */
    public @Nullable String header(String name) {
        return headers.joined(name);
    }

    /**
     * Returns all headers.
     *
     * @return an unmodifiable map that ignores the case of names
     */
    public Map<String, List<String>> headers() {
        return headers.asMap();
    }

    /**
     * Returns the header lines as sent.
     *
     * @return names with values, unmodifiable
     */
    public List<Map.Entry<String, String>> headerLines() {
        return headers.lines();
    }

    /**
     * Returns the body, without the chunks that it may have come in.
     *
     * @return a copy, empty for none
     */
    public byte[] body() {
        return body.clone();
    }

    /**
     * Returns the length of the body.
     *
     * @return a number of bytes
     */
    public int bodyLength() {
        return body.length;
    }

    /**
     * Returns the body as UTF-8.
     *
     * @return text, empty for none
     */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /**
     * Changes the target.
     *
     * @param changed the raw target
     * @return a request with that target
     */
    public SentRequest withTarget(String changed) {
        return new SentRequest(method, changed, service, headers, body);
    }

    /**
     * Sets a header in place of those of that name.
     *
     * @param name the name
     * @param value the value
     * @return a request with that header
     * @throws IllegalArgumentException if the name is no HTTP token, or the value holds a line end
     */
    public SentRequest withHeader(String name, String value) {
        return new SentRequest(method, target, service, headers.with(name, value), body);
    }

    /**
     * Removes a header.
     *
     * @param name the name
     * @return a request without that header
     */
    public SentRequest withoutHeader(String name) {
        return new SentRequest(method, target, service, headers.without(name), body);
    }

    /**
     * Changes the body. The proxy sets {@code Content-Length} when it sends the request.
     *
     * @param changed the body, empty for none
     * @return a request with that body
     */
    public SentRequest withBody(byte[] changed) {
        return new SentRequest(method, target, service, headers, changed.clone());
    }

    /**
     * Returns the service to which the request goes.
     *
     * @param addressed the service, or {@code null} for none in particular
     * @return a request to that service
     */
    public SentRequest withService(@Nullable StorageService addressed) {
        return new SentRequest(method, target, addressed, headers, body);
    }

    /** Names method, target and size; the signature in a target, the headers and the body are left out. */
    @Override
    public String toString() {
        return method + " " + Targets.shown(target) + " (" + body.length + " bytes)";
    }
}
