package io.stowline.blob.internal;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.FluxUtil;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Remembers why a body broke off, while its reader only sees it end. Serves one attempt. */
final class BodyBreak {

    private volatile @Nullable Throwable cause;

    @Nullable
    Throwable cause() {
        return cause;
    }

    HttpResponse quiet(HttpResponse response) {
        return new Quiet(response);
    }

    private final class Quiet extends HttpResponse {

        private final HttpResponse source;

        Quiet(HttpResponse source) {
            super(source.getRequest());
            this.source = source;
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
            return source.getBody().doOnError(error -> cause = error).onErrorComplete();
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
            source.close();
        }
    }
}
