package io.stowline.transport.internal.http;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.sdk.StreamedResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** An HTTP client that plays a script, one step for each attempt, and keeps what it was given to send. */
public final class FakeWire implements HttpClient {

    /**
     * A request as it went out.
     *
     * @param method its method
     * @param url its address
     * @param headers its headers at that moment
     * @param body its body, as text
     * @param at when, counted from the beginning of the test
     */
    public record Sent(String method, String url, HttpHeaders headers, String body, Duration at) {

        /** One of its headers. */
        public String header(String name) {
            return headers.getValue(com.azure.core.http.HttpHeaderName.fromString(name));
        }
    }

    /** The script of one attempt. */
    @FunctionalInterface
    private interface Step {
        Mono<HttpResponse> play(HttpRequest request);
    }

    private final Scheduler clock;
    private final Deque<Step> script = new ArrayDeque<>();
    private final List<Sent> sent = new ArrayList<>();
    private @Nullable Step otherwise;
    private int cancelled;

    public FakeWire(Scheduler clock) {
        this.clock = clock;
    }

    /** Gives the next attempt a response; headers are given as name, value, name, value. */
    public FakeWire responds(int status, String body, String... headers) {
        return step(request -> Mono.just(respond(request, status, body, headers)));
    }

    /** Gives the next attempt a response of something else in the service's place. */
    public FakeWire respondsAsGateway(int status, String page, String... headers) {
        return step(request -> {
            HttpResponse plain = respond(request, status, page, headers);
            HttpHeaders unmarked = new HttpHeaders(plain.getHeaders());
            unmarked.remove(StorageResponse.REQUEST_ID);
            return Mono.just(new BufferedResponse(request, status, unmarked, page.getBytes(StandardCharsets.UTF_8)));
        });
    }

    /** Gives the next attempt a response that is known only then. */
    public FakeWire respondsLike(Function<HttpRequest, String> body, int status, String... headers) {
        return step(request -> Mono.just(respond(request, status, body.apply(request), headers)));
    }

    /** Gives the next attempt a response after a while. */
    public FakeWire respondsAfter(Duration delay, int status, String body, String... headers) {
        return step(request -> Mono.delay(delay, clock).map(tick -> respond(request, status, body, headers)));
    }

    /** Writes the next attempt and never responds. */
    public FakeWire staysSilent() {
        return step(request -> Mono.<HttpResponse>never().doOnCancel(() -> cancelled++));
    }

    /** Reports the last byte of the next attempt and never responds. */
    public FakeWire staysSilentAfterItsLastByte() {
        script.add(request -> Mono.deferContextual(seen -> {
            seen.get(WriteTracker.class).markWritten();
            seen.get(WriteTracker.class).markComplete();
            return Mono.<HttpResponse>never().doOnCancel(() -> cancelled++);
        }));
        return this;
    }

    /** Gives the next attempt a response whose body stands still after these bytes. */
    public FakeWire standsStillAfter(byte[] begun, int status, String... headers) {
        return step(request -> Mono.just(
                new StreamedResponse(respond(request, status, "", headers), none -> Flux.just(ByteBuffer.wrap(begun))
                        .concatWith(Flux.<ByteBuffer>never().doOnCancel(() -> cancelled++)))));
    }

    private Mono<Void> movements(Duration pause, long times) {
        return Mono.deferContextual(seen -> Flux.interval(pause, clock)
                .take(times)
                .doOnNext(tick -> seen.get(WriteTracker.class).moved())
                .then());
    }

    /** Moves the next attempt so many times, each after the pause, and then responds. */
    public FakeWire moves(Duration pause, long times, int status, String body) {
        return step(request -> movements(pause, times).then(Mono.fromSupplier(() -> respond(request, status, body))));
    }

    /** The next attempt moves so many times, and then this happens. */
    public FakeWire movesAndBreaks(Duration pause, long times, Throwable error) {
        return step(request -> movements(pause, times).then(Mono.error(error)));
    }

    /** The next attempt moves so many times, and then no more. */
    public FakeWire standsStillAfter(Duration pause, long times) {
        return step(request ->
                movements(pause, times).then(Mono.<HttpResponse>never().doOnCancel(() -> cancelled++)));
    }

    /** The next attempt is written, then this happens. */
    public FakeWire breaks(Throwable error) {
        return step(request -> Mono.error(error));
    }

    /** The next attempt is written, and after a while this happens. */
    public FakeWire breaksAfter(Duration delay, Throwable error) {
        return step(request -> Mono.delay(delay, clock).then(Mono.error(error)));
    }

    /** The next attempt is never written, because this happens. */
    public FakeWire breaksBeforeWriting(Throwable error) {
        script.add(request -> Mono.error(error));
        return this;
    }

    /** The HTTP client itself fails before it gives anything back. */
    public FakeWire throwsAtOnce(RuntimeException error) {
        script.add(request -> {
            throw error;
        });
        return this;
    }

    /** Gives attempts beyond the script this response; headers are given as name, value, name, value. */
    public FakeWire otherwise(int status, String body, String... headers) {
        otherwise = request -> Mono.deferContextual(seen -> {
            seen.get(WriteTracker.class).markWritten();
            return Mono.just(respond(request, status, body, headers));
        });
        return this;
    }

    private FakeWire step(Step step) {
        script.add(request -> Mono.deferContextual(seen -> {
            seen.get(WriteTracker.class).markWritten();
            return step.play(request);
        }));
        return this;
    }

    private static HttpResponse respond(HttpRequest request, int status, String body, String... headers) {
        HttpHeaders all = new HttpHeaders().set(StorageResponse.REQUEST_ID, "6ca9");
        for (int i = 0; i < headers.length; i += 2) {
            all.set(com.azure.core.http.HttpHeaderName.fromString(headers[i]), headers[i + 1]);
        }
        return new BufferedResponse(request, status, all, body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        BinaryData body = request.getBodyAsBinaryData();
        HttpHeaders headers = new HttpHeaders();
        request.getHeaders()
                .forEach(header -> headers.add(
                        com.azure.core.http.HttpHeaderName.fromString(header.getName()), header.getValue()));
        sent.add(new Sent(
                request.getHttpMethod().toString(),
                request.getUrl().toString(),
                headers,
                body == null ? "" : body.toString(),
                Duration.ofNanos(clock.now(TimeUnit.NANOSECONDS))));
        Step next = script.isEmpty() ? otherwise : script.poll();
        if (next == null) {
            throw new AssertionError("attempt " + sent.size() + " is not in the script: " + request.getUrl());
        }
        return next.play(request);
    }

    /** Returns the sent requests, in their order. */
    public List<Sent> sent() {
        return sent;
    }

    /** Returns the last request. */
    public Sent last() {
        return sent.get(sent.size() - 1);
    }

    /** Returns the place to which each attempt was sent. */
    public List<String> places() {
        return sent.stream()
                .map(request -> request.url().contains("comp=stats")
                        ? "stats"
                        : request.url().contains("-secondary.") ? "secondary" : "primary")
                .toList();
    }

    /** Returns the time at which each attempt was sent. */
    public List<Duration> times() {
        return sent.stream().map(Sent::at).toList();
    }

    /** Returns the number of silent attempts that were cancelled. */
    public int cancelled() {
        return cancelled;
    }
}
