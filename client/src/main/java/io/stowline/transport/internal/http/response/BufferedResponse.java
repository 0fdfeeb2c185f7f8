package io.stowline.transport.internal.http.response;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.CoreUtils;
import io.stowline.transport.internal.http.StorageResponse;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response that has arrived whole. */
public final class BufferedResponse extends HttpResponse {

    private final int status;
    private final StorageResponse.Headers headers;
    private final byte[] body;

    public BufferedResponse(HttpRequest request, int status, HttpHeaders headers, byte[] body) {
        this(request, status, StorageResponse.Headers.of(headers), body);
    }

    /**
     * Makes a response with headers that are looked up in place, and copied only for a caller that wants all of them.
     */
    public BufferedResponse(HttpRequest request, int status, StorageResponse.Headers headers, byte[] body) {
        super(request);
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /** Reads a response, up to a bound. */
    public static Mono<HttpResponse> of(HttpResponse source) {
        return Mono.using(
                () -> source,
                response -> AggregateBodyMono.of(response)
                        .map(body -> new BufferedResponse(
                                response.getRequest(), response.getStatusCode(), response.getHeaders(), body)),
                HttpResponse::close);
    }

    /** Reads a response whose body goes into a sink, unless the HTTP client has put it there. */
    public static Mono<HttpResponse> fed(HttpResponse source) {
        return Mono.deferContextual(context -> {
            WriteTracker tracker = context.getOrDefault(WriteTracker.class, null);
            BodyFeed feed = tracker == null ? null : tracker.feed();
            return feed == null || feed.begun() ? Mono.just(source) : of(source);
        });
    }

    /** Returns the body of a response that is read whole; not to be changed. */
    public static byte[] bytes(HttpResponse response) {
        return response instanceof BufferedResponse whole
                ? whole.body
                : response.getBodyAsBinaryData().toBytes();
    }

    /** Returns the headers of a response, looked up in place. */
    public static StorageResponse.Headers headers(HttpResponse response) {
        return response instanceof BufferedResponse whole ? whole.headers : StorageResponse.Headers.of(response);
    }

    /** Returns whether its body contains this ASCII text. */
    public boolean contains(String text) {
        byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i <= body.length - wanted.length; i++) {
            if (Arrays.equals(body, i, i + wanted.length, wanted, 0, wanted.length)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int getStatusCode() {
        return status;
    }

    @Override
    @Deprecated
    public @Nullable String getHeaderValue(String name) {
        return headers.value(HttpHeaderName.fromString(name));
    }

    @Override
    public @Nullable String getHeaderValue(HttpHeaderName name) {
        return headers.value(name);
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers.all();
    }

    @Override
    public BinaryData getBodyAsBinaryData() {
        return BinaryData.fromBytes(body);
    }

    @Override
    public Flux<ByteBuffer> getBody() {
        return Flux.just(ByteBuffer.wrap(body).asReadOnlyBuffer());
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return Mono.just(body);
    }

    @Override
    public Mono<String> getBodyAsString() {
        return Mono.fromSupplier(() -> CoreUtils.bomAwareToString(body, getHeaderValue(HttpHeaderName.CONTENT_TYPE)));
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return Mono.just(new String(body, charset));
    }
}
