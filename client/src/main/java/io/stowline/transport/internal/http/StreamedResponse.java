package io.stowline.transport.internal.http;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.CoreUtils;
import com.azure.core.util.FluxUtil;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer whose body is still on its way, seen through an operator. */
public final class StreamedResponse extends HttpResponse {

    private final HttpResponse source;
    private final UnaryOperator<Flux<ByteBuffer>> through;

    /**
     * Looks at an answer through an operator.
     *
     * @param through what its body goes through
     */
    public StreamedResponse(HttpResponse source, UnaryOperator<Flux<ByteBuffer>> through) {
        super(source.getRequest());
        this.source = source;
        this.through = through;
    }

    @Override
    public int getStatusCode() {
        return source.getStatusCode();
    }

    @Override
    @Deprecated
    public String getHeaderValue(String name) {
        return source.getHeaderValue(name);
    }

    @Override
    public HttpHeaders getHeaders() {
        return source.getHeaders();
    }

    @Override
    public Flux<ByteBuffer> getBody() {
        return through.apply(source.getBody());
    }

    @Override
    public Mono<byte[]> getBodyAsByteArray() {
        return FluxUtil.collectBytesFromNetworkResponse(getBody(), getHeaders());
    }

    @Override
    public Mono<String> getBodyAsString() {
        return getBodyAsByteArray()
                .map(bytes -> CoreUtils.bomAwareToString(bytes, getHeaderValue(HttpHeaderName.CONTENT_TYPE)));
    }

    @Override
    public Mono<String> getBodyAsString(Charset charset) {
        return getBodyAsByteArray().map(bytes -> new String(bytes, charset));
    }

    @Override
    public void close() {
        source.close();
    }
}
