package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpResponse;
import io.stowline.transport.ReadOrigin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A response of the service that has arrived whole.
 *
 * @param body its body; empty if there is none
 * @param origin the place of the account that sent it
 * @param request its request, or {@code null} if that is not known
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier on the hot path; responses are never compared
public record StorageResponse(
        int status,
        Headers headers,
        byte[] body,
        ReadOrigin origin,
        @Nullable Trace request) {

    /** The header with the id that a client gives a request; the service repeats it in the response. */
    public static final HttpHeaderName CLIENT_REQUEST_ID = HttpHeaderName.fromString("x-ms-client-request-id");

    /** The header with the id that the service gives a request. */
    public static final HttpHeaderName REQUEST_ID = HttpHeaderName.fromString("x-ms-request-id");

    /** The facts of the request that a response belongs to. */
    public interface Trace {

        /** Returns the caller's verb. */
        String operationName();

        /** Returns the resource of the request. */
        String resource();

        /** Returns the number of attempts so far. */
        int attempts();

        /** Returns the time since the operation began. */
        Duration elapsed();

        /** Returns the id that all attempts share. */
        String clientRequestId();

        /** Masks the proof that the request carries in a text that may repeat it. */
        String masked(String text);
    }

    /** The headers, looked up where they are. */
    public interface Headers {

        /** Returns these headers, which are not copied. */
        static Headers of(HttpHeaders headers) {
            return new FoundHeader(headers::getValue, () -> headers);
        }

        /** Returns the headers of a response. */
        static Headers of(HttpResponse response) {
            return new FoundHeader(response::getHeaderValue, response::getHeaders);
        }

        /**
         * Returns one header.
         *
         * @return its value, or {@code null} if it is not there
         */
        @Nullable
        String value(HttpHeaderName name);

        /** Returns whether a header is there. */
        default boolean has(HttpHeaderName name) {
            return value(name) != null;
        }

        /** Returns all headers; a copy where they are not kept so. */
        HttpHeaders all();

        /**
         * Returns the headers whose names begin with the prefix, in any case.
         *
         * @param prefix the beginning
         * @return their values by what follows it
         */
        default Map<String, String> startingWith(String prefix) {
            Map<String, String> found = new HashMap<>();
            for (HttpHeader header : all()) {
                String name = header.getName();
                if (name.regionMatches(true, 0, prefix, 0, prefix.length())) {
                    found.put(name.substring(prefix.length()), header.getValue());
                }
            }
            return found;
        }
    }

    private record FoundHeader(Function<HttpHeaderName, @Nullable String> lookup, Supplier<HttpHeaders> headers)
            implements Headers {

        @Override
        public @Nullable String value(HttpHeaderName name) {
            return lookup.apply(name);
        }

        @Override
        public HttpHeaders all() {
            return headers.get();
        }
    }

    /**
     * Makes a response of the primary to an unknown request.
     *
     * @param body its body; empty if there is none
     */
    public StorageResponse(int status, HttpHeaders headers, byte[] body) {
        this(status, Headers.of(headers), body, ReadOrigin.primary(), null);
    }

    /**
     * Returns the body as text.
     *
     * @return the text, read as UTF-8
     */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /**
     * Returns one header.
     *
     * @return its value, or {@code null}; a header that is present and empty gives the empty string
     */
    public @Nullable String header(HttpHeaderName name) {
        return headers.value(name);
    }

    /**
     * Masks the proof of the request in a text of this response.
     *
     * @return the text, as it is if the request is not known
     */
    public String masked(String text) {
        return request == null ? text : request.masked(text);
    }

    /**
     * Returns the service's clock at the time of the response.
     *
     * @return the time, or {@code null} if the response lacks it
     */
    public @Nullable Instant date() {
        return HttpDates.parse(header(HttpHeaderName.DATE));
    }

    /** The meaning of a response. */
    @FunctionalInterface
    public interface ResponseMeaning<A> {
        A of(StorageResponse response) throws IOException;
    }
}
