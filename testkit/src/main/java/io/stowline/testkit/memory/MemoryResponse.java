package io.stowline.testkit.memory;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A response of the service. Not thread-safe. */
final class MemoryResponse {

    private static final HttpHeaderName CLIENT_REQUEST_ID = HttpHeaderName.fromString("x-ms-client-request-id");

    private final int status;
    private final HttpHeaders headers = new HttpHeaders();
    private byte[] body = new byte[0];

    MemoryResponse(int status) {
        this.status = status;
    }

    int status() {
        return status;
    }

    MemoryResponse header(String name, @Nullable String value) {
        if (value != null) {
            headers.set(HttpHeaderName.fromString(name), value);
        }
        return this;
    }

    MemoryResponse body(String contentType, byte[] bytes) {
        headers.set(HttpHeaderName.CONTENT_TYPE, contentType);
        body = bytes;
        return this;
    }

    MemoryResponse xml(String xml) {
        return body("application/xml", (MemoryXml.HEAD + xml).getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the response as a part of a batch. */
    String toPart() {
        StringBuilder part = new StringBuilder("HTTP/1.1 " + status + " " + (status < 300 ? "OK" : "Refused") + "\r\n");
        headers.forEach(header -> part.append(header.getName())
                .append(": ")
                .append(header.getValue())
                .append("\r\n"));
        return part.append("\r\n")
                .append(new String(body, StandardCharsets.UTF_8))
                .append("\r\n")
                .toString();
    }

    HttpResponse toHttp(HttpRequest request, Instant now) {
        headers.set(HttpHeaderName.DATE, ServiceTimes.rfc1123(now));
        header("x-ms-request-id", UUID.randomUUID().toString());
        header("x-ms-version", request.getHeaders().getValue(HttpHeaderName.fromString("x-ms-version")));
        headers.set(CLIENT_REQUEST_ID, request.getHeaders().getValue(CLIENT_REQUEST_ID));
        if (headers.getValue(HttpHeaderName.CONTENT_LENGTH) == null) {
            headers.set(HttpHeaderName.CONTENT_LENGTH, Integer.toString(body.length));
        }
        boolean bodiless = request.getHttpMethod() == com.azure.core.http.HttpMethod.HEAD;
        return new InMemory(request, status, headers, bodiless ? new byte[0] : body);
    }

    /** A response whose body is there. */
    private static final class InMemory extends HttpResponse {

        private final int status;
        private final HttpHeaders headers;
        private final byte[] body;

        InMemory(HttpRequest request, int status, HttpHeaders headers, byte[] body) {
            super(request);
            this.status = status;
            this.headers = headers;
            this.body = body;
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
            return Flux.defer(() -> Flux.just(ByteBuffer.wrap(body)));
        }

        @Override
        public Mono<byte[]> getBodyAsByteArray() {
            return Mono.fromSupplier(body::clone);
        }

        @Override
        public Mono<String> getBodyAsString() {
            return getBodyAsString(StandardCharsets.UTF_8);
        }

        @Override
        public Mono<String> getBodyAsString(Charset charset) {
            return Mono.fromSupplier(() -> new String(body, charset));
        }
    }
}
