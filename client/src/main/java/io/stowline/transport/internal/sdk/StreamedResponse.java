package io.stowline.transport.internal.sdk;

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

/** A response whose body still arrives, seen through an operator. */
public final class StreamedResponse extends HttpResponse {

    private final HttpResponse source;
    private final UnaryOperator<Flux<ByteBuffer>> through;
    private final HttpHeaders headers;

    /**
     * Makes the view of a response through an operator.
     *
     * @param through the operator of its body
     */
    public StreamedResponse(HttpResponse source, UnaryOperator<Flux<ByteBuffer>> through) {
        this(source, through, source.getHeaders());
    }

    /** Makes the view of a response with other headers. */
    public StreamedResponse(HttpResponse source, HttpHeaders headers) {
        this(source, body -> body, headers);
    }

    private StreamedResponse(HttpResponse source, UnaryOperator<Flux<ByteBuffer>> through, HttpHeaders headers) {
        super(source.getRequest());
        this.source = source;
        this.through = through;
        this.headers = headers;
    }

    @Override
    public int getStatusCode() {
        return source.getStatusCode();
    }

    @Override
    @Deprecated
    public String getHeaderValue(String name) {
        return headers.getValue(HttpHeaderName.fromString(name));
    }

    @Override
    public HttpHeaders getHeaders() {
        return headers;
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
