package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.FluxUtil;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.StorageResponse;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response whose body still arrives; it reports whether it was closed. */
public final class StreamResponse extends HttpResponse {

    private final int status;
    private final HttpHeaders headers = new HttpHeaders().set(StorageResponse.REQUEST_ID, "6ca9");
    private final Flux<ByteBuffer> body;
    private boolean closed;

    public StreamResponse(int status, Flux<ByteBuffer> body) {
        super(new HttpRequest(HttpMethod.GET, Bench.ROOT));
        this.status = status;
        this.body = body;
    }

    public static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    public boolean closed() {
        return closed;
    }

    @Override
    public int getStatusCode() {
        return status;
    }

    @Override
    @Deprecated
    public String getHeaderValue(String name) {
        return headers.getValue(name);
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    @Override
    public Flux<ByteBuffer> getBody() {
        return body.map(ByteBuffer::duplicate);
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return FluxUtil.collectBytesInByteBufferStream(getBody());
    }

    @Override
    public Mono<String> getBodyAsString() {
        return getBodyAsString(StandardCharsets.UTF_8);
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return getBodyAsByteArray().map(bytes -> new String(bytes, charset));
    }

    @Override
    public void close() {
        closed = true;
    }
}
