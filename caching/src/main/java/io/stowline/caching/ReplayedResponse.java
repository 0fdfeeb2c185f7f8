package io.stowline.caching;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.CoreUtils;
import io.stowline.caching.internal.engine.CachedResponse;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response made of what the cache has given, as if the service had sent it for this request. */
final class ReplayedResponse extends HttpResponse {

    private static final HttpHeaderName OUTCOME = HttpHeaderName.fromString("x-stowline-cache");

    private final int status;
    private final HttpHeaders headers = new HttpHeaders();
    private final Flux<ByteBuffer> body;
    private final Mono<byte[]> bytes;
    private final Runnable close;

    ReplayedResponse(HttpRequest request, CachedResponse response) {
        super(request);
        this.status = response.status();
        this.body = response.body();
        this.bytes = response.bytes();
        this.close = response::close;
        fill(response.headers());
        headers.set(OUTCOME, response.outcome().name().toLowerCase(Locale.ROOT));
        if (request.getHttpMethod() == HttpMethod.HEAD) {
            response.close();
        }
    }

    ReplayedResponse(HttpRequest request, int status, Map<String, String> headers, byte[] content) {
        super(request);
        this.status = status;
        this.body = Flux.defer(() -> Flux.just(ByteBuffer.wrap(content).asReadOnlyBuffer()));
        this.bytes = Mono.fromSupplier(content::clone);
        this.close = () -> {};
        fill(headers);
    }

    private void fill(Map<String, String> kept) {
        kept.forEach((name, value) -> headers.set(HttpHeaderName.fromString(name), value));
        String id = getRequest().getHeaders().getValue(HttpHeaderName.X_MS_CLIENT_REQUEST_ID);
        if (id != null) {
            headers.set(HttpHeaderName.X_MS_CLIENT_REQUEST_ID, id);
        }
    }

    @Override
    public int getStatusCode() {
        return status;
    }

    @Override
    @Deprecated
    public @Nullable String getHeaderValue(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public Flux<ByteBuffer> getBody() {
        return body;
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return bytes;
    }

    @Override
    public Mono<String> getBodyAsString() {
        return bytes.map(all -> CoreUtils.bomAwareToString(all, headers.getValue(HttpHeaderName.CONTENT_TYPE)));
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return bytes.map(all -> new String(all, charset));
    }

    @Override
    public void close() {
        close.run();
    }
}
