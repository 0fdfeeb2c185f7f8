package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.CoreUtils;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer that has arrived whole. */
public final class BufferedResponse extends HttpResponse {

    private final int status;
    private final StorageResponse.Headers headers;
    private final byte[] body;

    public BufferedResponse(HttpRequest request, int status, HttpHeaders headers, byte[] body) {
        this(request, status, StorageResponse.Headers.of(headers), body);
    }

    /** With headers that are looked up where they are, and copied only for those who want all of them. */
    public BufferedResponse(HttpRequest request, int status, StorageResponse.Headers headers, byte[] body) {
        super(request);
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /** Reads an answer, up to a bound. */
    public static Mono<HttpResponse> of(HttpResponse source) {
        return Mono.using(
                () -> source,
                response -> AggregateBodyMono.of(response)
                        .map(body -> new BufferedResponse(
                                response.getRequest(), response.getStatusCode(), response.getHeaders(), body)),
                HttpResponse::close);
    }

    /** The same of an answer whose body goes into a sink, unless the HTTP client has put it there. */
    public static Mono<HttpResponse> fed(HttpResponse source) {
        return Mono.deferContextual(context -> {
            WriteTracker tracker = context.getOrDefault(WriteTracker.class, null);
            BodyFeed feed = tracker == null ? null : tracker.feed();
            return feed == null || feed.begun() ? Mono.just(source) : of(source);
        });
    }

    /** The body of an answer that is read whole; not to be changed. */
    public static byte[] bytes(HttpResponse response) {
        return response instanceof BufferedResponse whole
                ? whole.body
                : response.getBodyAsBinaryData().toBytes();
    }

    /** The headers of an answer, looked up where they are. */
    public static StorageResponse.Headers headers(HttpResponse response) {
        return response instanceof BufferedResponse whole ? whole.headers : StorageResponse.Headers.of(response);
    }

    /** Whether its body has this ASCII text in it. */
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
