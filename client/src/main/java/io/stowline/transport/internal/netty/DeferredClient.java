package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.stowline.transport.internal.concurrent.Lazy;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** An HTTP client that is made for its first request, since most applications send none by it. Thread-safe. */
final class DeferredClient implements HttpClient {

    private final Lazy<HttpClient> client;

    DeferredClient(Supplier<HttpClient> maker) {
        this.client = new Lazy<>(maker);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return client.get().send(request);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return client.get().send(request, context);
    }
}
