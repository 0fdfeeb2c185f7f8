package io.stowline.blob.internal.lease;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A wire whose uploads to one blob take time, get no response, or arrive late. */
final class HeldUploads implements HttpClient {

    private final HttpClient service;
    private final String path;
    private final AtomicReference<@Nullable Hold> next = new AtomicReference<>();
    private final AtomicReference<@Nullable HttpRequest> late = new AtomicReference<>();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private volatile CountDownLatch arrived = new CountDownLatch(1);
    private volatile Duration delay = Duration.ZERO;

    HeldUploads(HttpClient service, String path) {
        this.service = service;
        this.path = path;
    }

    /** The fate of an upload that is kept. */
    enum Hold {
        APPLIED,
        LATE
    }

    void delays(Duration each) {
        delay = each;
    }

    int mostAtOnce() {
        return mostAtOnce.get();
    }

    void holdsNextUpload(Hold hold) {
        arrived = new CountDownLatch(1);
        next.set(hold);
    }

    void awaitHeld() {
        try {
            if (!arrived.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("no upload has come");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Brings the upload that was late to the service. */
    void deliversHeld() {
        HttpRequest request = late.getAndSet(null);
        if (request != null) {
            service.send(request).block();
        }
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        boolean upload = request.getHttpMethod() == HttpMethod.PUT
                && request.getUrl().getPath().endsWith(path)
                && !request.getUrl().toString().contains("comp=");
        return Mono.defer(() -> upload ? held(request, context) : service.send(request, context));
    }

    private Mono<HttpResponse> held(HttpRequest request, Context context) {
        Hold hold = next.getAndSet(null);
        if (hold == null) {
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            Mono<HttpResponse> sent = delay.isZero()
                    ? service.send(request, context)
                    : Mono.delay(delay).then(Mono.defer(() -> service.send(request, context)));
            // Before its receiver sends the next one.
            return sent.doOnNext(end -> atOnce.decrementAndGet());
        }
        Mono<HttpResponse> end = Mono.defer(() -> {
            arrived.countDown();
            return Mono.never();
        });
        if (hold == Hold.LATE) {
            late.set(request.copy());
            return end;
        }
        return service.send(request, context).then(end);
    }
}
