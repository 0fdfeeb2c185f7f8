package io.stowline.advisor.internal.sdk;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpPipeline;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import com.azure.core.util.Context;
import com.azure.core.util.FluxUtil;
import io.stowline.observe.AttemptEvent;
import io.stowline.observe.AttemptReason;
import io.stowline.observe.QueryPageEvent;
import io.stowline.observe.StowlineListener;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A pipeline of the Azure SDK with the policy, before a wire that gives one response. */
final class SdkExchange implements StowlineListener {

    static final Context READ_WHOLE = new Context("azure-eagerly-read-response", true);

    final List<SeenAttempt> seen = new ArrayList<>();
    final List<QueryPageEvent> pages = new ArrayList<>();
    final List<String> sent = new ArrayList<>();
    private int status = 200;
    private HttpHeaders headers = new HttpHeaders();
    private byte[] body = {};
    private @Nullable RuntimeException failure;

    /** The facts of an attempt, copied while it can be read. */
    record SeenAttempt(
            String service,
            String account,
            String container,
            @Nullable String partition,
            @Nullable String row,
            String operation,
            boolean write,
            AttemptEvent.Condition condition,
            @Nullable String accept,
            @Nullable String queryClass,
            int entities,
            int returned,
            boolean continued,
            long bytesSent,
            long bytesReceived,
            int number,
            int status,
            @Nullable String errorCode,
            AttemptReason reason,
            boolean ambiguous,
            @Nullable String etag,
            @Nullable String range) {}

    SdkExchange responds(int code, String text, String... named) {
        status = code;
        body = text.getBytes(StandardCharsets.UTF_8);
        headers = new HttpHeaders().set(HttpHeaderName.CONTENT_LENGTH, String.valueOf(body.length));
        for (int i = 0; i < named.length; i += 2) {
            headers.set(HttpHeaderName.fromString(named[i]), named[i + 1]);
        }
        return this;
    }

    SdkExchange fails(RuntimeException error) {
        failure = error;
        return this;
    }

    HttpResponse send(HttpRequest request, Context context) {
        return pipeline(new SdkTrafficPolicy(this)).send(request, context).block();
    }

    HttpResponse sendSync(HttpRequest request, Context context) {
        return pipeline(new SdkTrafficPolicy(this)).sendSync(request, context);
    }

    HttpResponse sendWithout(HttpRequest request, Context context) {
        return pipeline().sendSync(request, context);
    }

    HttpPipeline pipeline(HttpPipelinePolicy... policies) {
        return new HttpPipelineBuilder()
                .policies(policies)
                .httpClient(new Wire())
                .build();
    }

    SeenAttempt only() {
        if (seen.size() != 1) {
            throw new AssertionError(seen.size() + " attempts");
        }
        return seen.get(0);
    }

    @Override
    public void onAttemptEnd(AttemptEvent event) {
        seen.add(new SeenAttempt(
                event.service(),
                event.account(),
                event.container(),
                event.partition(),
                event.row(),
                event.operation(),
                event.write(),
                event.condition(),
                event.accept(),
                event.queryClass(),
                event.entities(),
                event.returned(),
                event.continued(),
                event.bytesSent(),
                event.bytesReceived(),
                event.number(),
                event.status(),
                event.errorCode(),
                event.reason(),
                event.ambiguous(),
                event.etag(),
                event.range()));
    }

    @Override
    public void onQueryPage(QueryPageEvent event) {
        pages.add(event);
    }

    /** A wire that notes a request as it would be written. */
    private final class Wire implements HttpClient {

        @Override
        public Mono<HttpResponse> send(HttpRequest request) {
            return Mono.fromCallable(() -> respond(request));
        }

        @Override
        public HttpResponse sendSync(HttpRequest request, Context context) {
            return respond(request);
        }

        private HttpResponse respond(HttpRequest request) {
            byte[] content = request.getBody() == null
                    ? new byte[0]
                    : FluxUtil.collectBytesInByteBufferStream(request.getBody()).block();
            sent.add(request.getHttpMethod() + " " + request.getUrl() + "\n" + request.getHeaders() + "\n"
                    + Arrays.toString(content));
            if (failure != null) {
                throw failure;
            }
            return new OnceRead(request, status, headers, body);
        }
    }

    /** A response whose body can be read once, as it comes from a connection. */
    private static final class OnceRead extends HttpResponse {

        private final int status;
        private final HttpHeaders headers;
        private final byte[] body;
        private final AtomicBoolean read = new AtomicBoolean();

        OnceRead(HttpRequest request, int status, HttpHeaders headers, byte[] body) {
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
        public String getHeaderValue(String name) {
            return headers.getValue(HttpHeaderName.fromString(name));
        }

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public Flux<ByteBuffer> getBody() {
            return Flux.defer(() -> read.compareAndSet(false, true)
                    ? Flux.just(ByteBuffer.wrap(body))
                    : Flux.error(new IllegalStateException("the body was read before")));
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
    }
}
