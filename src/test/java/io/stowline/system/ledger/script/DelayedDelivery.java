package io.stowline.system.ledger.script;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StorageService;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** Brings requests to the service when their client has long given up on them, yet before their horizon. */
public final class DelayedDelivery {

    private static final Set<String> SET_BY_THE_CLIENT =
            Set.of("host", "connection", "content-length", "expect", "upgrade", "transfer-encoding");

    private final HttpClient http;
    private final Function<StorageService, URI> endpoint;
    private final long horizon;
    private final List<CompletableFuture<?>> underWay = new ArrayList<>();
    private final Set<String> beyond = ConcurrentHashMap.newKeySet();

    public DelayedDelivery(HttpClient http, Function<StorageService, URI> endpoint, Duration horizon) {
        this.http = http;
        this.endpoint = endpoint;
        this.horizon = horizon.toNanos();
    }

    /** Brings a request so many milliseconds from now; at what time it came from its client decides whether that is too late. */
    synchronized void deliver(SentRequest request, long came, long millis) {
        Executor then = CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS);
        underWay.add(CompletableFuture.runAsync(() -> deliver(request), then).whenComplete((done, error) -> {
            if (System.nanoTime() - came > horizon) {
                beyond.add(Wire.id(request));
            }
        }));
    }

    private void deliver(SentRequest request) {
        try {
            http.send(copy(request), HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            throw new IllegalStateException("cannot deliver " + request, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpRequest copy(SentRequest request) {
        URI to = endpoint.apply(Objects.requireNonNull(request.service(), "service"));
        HttpRequest.BodyPublisher body = request.bodyLength() == 0
                ? HttpRequest.BodyPublishers.noBody()
                : HttpRequest.BodyPublishers.ofByteArray(request.body());
        HttpRequest.Builder copy = HttpRequest.newBuilder(URI.create("http://" + to.getAuthority() + request.target()))
                .version(HttpClient.Version.HTTP_1_1)
                .method(request.method(), body);
        request.headerLines().stream()
                .filter(line -> !SET_BY_THE_CLIENT.contains(line.getKey().toLowerCase(Locale.ROOT)))
                .forEach(line -> copy.header(line.getKey(), line.getValue()));
        return copy.build();
    }

    /** Waits until all are delivered. */
    public void await() {
        List<CompletableFuture<?>> all;
        synchronized (this) {
            all = List.copyOf(underWay);
        }
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    /** Records that a request came later than any client could promise, for another reason than this. */
    void isBeyond(String requestId) {
        beyond.add(requestId);
    }

    /** Returns the names of requests that came later than any client could promise. */
    public Set<String> beyond() {
        return Set.copyOf(beyond);
    }
}
