package io.stowline.testkit;

import io.stowline.testkit.internal.wire.HeaderLines;
import io.stowline.testkit.internal.wire.ServiceErrorBody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response to a request: one that a test has scripted, or one that was received.
 *
 * <pre>{@code
 * StubResponse busy = StubResponse.error(503, "ServerBusy", "The server is busy.").retryAfter(Duration.ofSeconds(1));
 * }</pre>
 *
 * <p>Immutable.
 */
public final class StubResponse {

    private static final int LOWEST = 200;
    private static final int HIGHEST = 599;

    private final int status;
    private final HeaderLines headers;
    private final byte[] body;

    private StubResponse(int status, HeaderLines headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /**
     * Returns a response without headers and body. Stowline takes a success without {@code x-ms-request-id} for the response of a gateway,
     * which decides nothing: give it one where it is to be the service's.
     *
     * @param status the status, 200 to 599
     * @return the response
     * @throws IllegalArgumentException if the status is none of these
     */
    public static StubResponse of(int status) {
        return received(status, List.of(), new byte[0]);
    }

    /**
     * Returns a response as it was received.
     *
     * @param status the status, 200 to 599
     * @param headers header lines in order
     * @param body the body, empty for none
     * @return the response
     * @throws IllegalArgumentException if the status is none of these, or a header is not of the form that HTTP allows
     */
    public static StubResponse received(int status, List<Map.Entry<String, String>> headers, byte[] body) {
        if (status < LOWEST || status > HIGHEST) {
            throw new IllegalArgumentException("status must be " + LOWEST + " to " + HIGHEST + ": " + status);
        }
        return new StubResponse(status, new HeaderLines(headers), body.clone());
    }

    /**
     * Returns an error in the form of the blob and the queue service: XML, and the code in {@code x-ms-error-code}.
     *
     * @param status the status
     * @param errorCode the code, such as {@code ServerBusy}
     * @param message the text
     * @return the response
     * @throws IllegalArgumentException if the status is not 200 to 599
     */
    public static StubResponse error(int status, String errorCode, String message) {
        return of(status)
                .header("x-ms-error-code", errorCode)
                .body("application/xml", ServiceErrorBody.xml(errorCode, message, Map.of()));
    }

    /**
     * Returns an error in the form of the table service: JSON, and the code in {@code x-ms-error-code}.
     *
     * @param status the status
     * @param errorCode the code, such as {@code EntityAlreadyExists}
     * @param message the text
     * @return the response
     * @throws IllegalArgumentException if the status is not 200 to 599
     */
    public static StubResponse tableError(int status, String errorCode, String message) {
        return of(status)
                .header("x-ms-error-code", errorCode)
                .body(
                        "application/json;odata=minimalmetadata;streaming=true;charset=utf-8",
                        ServiceErrorBody.json(errorCode, message));
    }

    /**
     * Sets a header in place of those of that name.
     *
     * @param name the name
     * @param value the value
     * @return a response with that header
     * @throws IllegalArgumentException if the name is no HTTP token, or the value holds a line end
     */
    public StubResponse header(String name, String value) {
        return new StubResponse(status, headers.with(name, value), body);
    }

    /**
     * Removes a header.
     *
     * @param name the name
     * @return a response without that header
     */
    public StubResponse withoutHeader(String name) {
        return new StubResponse(status, headers.without(name), body);
    }

    /**
     * Sets the body in UTF-8, and its {@code Content-Type}.
     *
     * @param contentType the media type
     * @param text the body
     * @return a response with that body
     */
    public StubResponse body(String contentType, String text) {
        return header("Content-Type", contentType).body(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sets the body. The proxy sets {@code Content-Length} when it sends the response.
     *
     * @param bytes the body, empty for none
     * @return a response with that body
     */
    public StubResponse body(byte[] bytes) {
        return new StubResponse(status, headers, bytes.clone());
    }

    /**
     * Sets {@code Retry-After}.
     *
     * @param wait whole seconds; fractions are dropped
     * @return a response with that header
     * @throws IllegalArgumentException if it is negative
     */
    public StubResponse retryAfter(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("retryAfter must not be negative: " + wait);
        }
        return header("Retry-After", Long.toString(wait.toSeconds()));
    }

    /**
     * Returns the status.
     *
     * @return 200 to 599
     */
    public int status() {
        return status;
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
     * Returns the header lines in order.
     *
     * @return names with values, unmodifiable
     */
    public List<Map.Entry<String, String>> headerLines() {
        return headers.lines();
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

    /** Names the status, the error code and the size; other headers and the body are left out. */
    @Override
    public String toString() {
        String code = header("x-ms-error-code");
        return status + (code == null ? "" : " " + code) + " (" + body.length + " bytes)";
    }
}
