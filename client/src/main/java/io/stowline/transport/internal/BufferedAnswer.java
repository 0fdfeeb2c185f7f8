package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.core.util.CoreUtils;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer that has arrived whole. */
final class BufferedAnswer extends HttpResponse {

    private final int status;
    private final HttpHeaders headers;
    private final byte[] body;

    BufferedAnswer(HttpRequest request, int status, HttpHeaders headers, byte[] body) {
        super(request);
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    static Mono<HttpResponse> of(HttpResponse source) {
        return Mono.using(
                () -> source,
                answer -> answer.getBodyAsByteArray()
                        .defaultIfEmpty(new byte[0])
                        .map(body -> new BufferedAnswer(
                                answer.getRequest(), answer.getStatusCode(), answer.getHeaders(), body)),
                HttpResponse::close);
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
