package io.stowline.testkit.memory;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.XmlDocument;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Response as azure-core reads it, whose body is in memory. */
final class MemoryResponse extends HttpResponse {

    private final StubResponse response;
    private final HttpHeaders headers = new HttpHeaders();

    MemoryResponse(HttpRequest request, StubResponse response) {
        super(request);
        this.response = response;
        response.headerLines().forEach(line -> headers.set(HttpHeaderName.fromString(line.getKey()), line.getValue()));
        if (headers.getValue(HttpHeaderName.CONTENT_LENGTH) == null) {
            headers.set(HttpHeaderName.CONTENT_LENGTH, Integer.toString(response.bodyLength()));
        }
    }

    static StubResponse xml(int status, String xml) {
        return StubResponse.of(status).body("application/xml", XmlDocument.HEAD + xml);
    }

    static StubResponse json(int status, String json) {
        return StubResponse.of(status).body("application/json", json);
    }

    /** Sets a header for each entry, with a prefix before its name. */
    static StubResponse with(StubResponse response, String prefix, Map<String, String> entries) {
        StubResponse changed = response;
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            changed = changed.header(prefix + entry.getKey(), entry.getValue());
        }
        return changed;
    }

    static StubResponse withMetadata(StubResponse response, Map<String, String> metadata) {
        return with(response, "x-ms-meta-", metadata);
    }

    @Override
    public int getStatusCode() {
        return response.status();
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
        return Flux.defer(() -> Flux.just(ByteBuffer.wrap(response.body())));
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return Mono.fromSupplier(response::body);
    }

    @Override
    public Mono<String> getBodyAsString() {
        return getBodyAsString(StandardCharsets.UTF_8);
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return Mono.fromSupplier(() -> new String(response.body(), charset));
    }
}
