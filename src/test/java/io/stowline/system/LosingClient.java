package io.stowline.system;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Mono;

/** An HTTP client that lets the service do a request and loses its response, when the test says so. */
final class LosingClient implements HttpClient {

    private final HttpClient real;
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicBoolean armed = new AtomicBoolean();

    LosingClient(HttpClient real) {
        this.real = real;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return Mono.defer(() -> {
            sent.incrementAndGet();
            Mono<HttpResponse> response = real.send(request, context);
            return armed.compareAndSet(true, false)
                    ? response.flatMap(HttpResponse::getBodyAsByteArray)
                            .then(Mono.error(new IOException("connection reset by peer")))
                    : response;
        });
    }

    /** Loses the next response, and starts to count again. */
    void loseTheNext() {
        sent.set(0);
        armed.set(true);
    }

    /** Returns the number of requests since then. */
    int sent() {
        return sent.get();
    }
}
