package io.stowline.transport.internal.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.pipeline.StreamResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class EagerHttpClientTest {

    private final StreamResponse silent = new StreamResponse(200, Flux.never());
    private final AtomicReference<Context> seen = new AtomicReference<>();
    private final EagerHttpClient client = new EagerHttpClient(new HttpClient() {
        @Override
        public Mono<HttpResponse> send(HttpRequest request) {
            return send(request, Context.NONE);
        }

        @Override
        public Mono<HttpResponse> send(HttpRequest request, Context context) {
            seen.set(context);
            return Mono.just(silent);
        }
    });

    private CompletableFuture<HttpResponse> sent(String key) {
        return client.send(silent.getRequest(), new Context(key, true)).toFuture();
    }

    @ParameterizedTest
    @ValueSource(strings = {EagerHttpClient.EAGER, EagerHttpClient.IGNORED})
    @DisplayName("a body that is announced beyond the bound is refused before it comes, also where its call ignores it")
    void refusesTheAnnouncement(String key) {
        silent.getHeaders().set(HttpHeaderName.CONTENT_LENGTH, "200000000");

        assertThat(sent(key)).isCompletedExceptionally().satisfies(end -> assertThat(
                        end.handle((r, e) -> e).join())
                .isInstanceOf(ResponseTooLongException.class));
        assertThat(silent.closed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {EagerHttpClient.EAGER, EagerHttpClient.IGNORED})
    @DisplayName("the HTTP client below neither reads a body whole nor drains it")
    void readsHere(String key) {
        assertThat(sent(key)).isNotDone();
        assertThat(seen.get().getData(key)).contains(false);
    }
}
