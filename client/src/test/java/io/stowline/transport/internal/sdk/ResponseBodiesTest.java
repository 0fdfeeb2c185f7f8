package io.stowline.transport.internal.sdk;

import static io.stowline.transport.internal.pipeline.StreamResponse.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.EagerHttpClient;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StreamResponse;
import io.stowline.transport.internal.request.OperationType;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class ResponseBodiesTest {

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final InFlightRegistry inFlight = new InFlightRegistry();
    private final ResponseBodies bodies = new ResponseBodies(inFlight, timer);
    private final Exchange<?> exchange = Bench.call(OperationType.READ);
    private final StreamResponse endless = new StreamResponse(200, Flux.concat(Flux.just(bytes("part")), Flux.never()));

    /** Made with the defaults: 30 s for the service, 5 s more for the client. */
    private static HttpPipelineCallContext context(Context data) {
        return CallContexts.of(new HttpRequest(HttpMethod.GET, Bench.ROOT), data);
    }

    private static HttpPipelineCallContext streaming() {
        return context(Context.NONE);
    }

    @ParameterizedTest
    @ValueSource(ints = {304, 400, 404, 503})
    void refusalsAreReadWhole(int status) {
        StreamResponse refusal = new StreamResponse(status, Flux.just(bytes("text")));

        HttpResponse read = bodies.whole(Mono.just(refusal)).block();

        assertThat(read).isInstanceOf(BufferedResponse.class);
        assertThat(refusal.closed()).isTrue();
    }

    @Test
    void successIsNotTouched() {
        StreamResponse success = new StreamResponse(206, Flux.error(new AssertionError("read")));

        assertThat(bodies.whole(Mono.just(success)).block()).isSameAs(success);
    }

    @Test
    @DisplayName(
            "RETRY-5: a body that stands still for longer than an attempt may last ends with an error to resume after")
    void standingBodyEnds() {
        CompletableFuture<byte[]> read = bodies.guarded(streaming(), exchange, endless)
                .getBodyAsByteArray()
                .toFuture();

        timer.advanceTimeBy(Duration.ofMillis(34_999));
        assertThat(read).isNotDone();
        timer.advanceTimeBy(Duration.ofMillis(1));
        assertThat(catchThrowable(read::join)).hasCauseInstanceOf(TimeoutException.class);
    }

    @Test
    void bodyThatComesWholeIsHandedOnAsItIs() {
        HttpPipelineCallContext eager = context(new Context(EagerHttpClient.EAGER, true));

        assertThat(bodies.guarded(eager, exchange, endless)).isSameAs(endless);
    }

    @Test
    void refusalIsHandedOnAsItIs() {
        HttpResponse refusal =
                bodies.whole(Mono.just(new StreamResponse(404, Flux.empty()))).block();

        assertThat(bodies.guarded(streaming(), exchange, refusal)).isSameAs(refusal);
    }

    @Test
    @DisplayName("a body counts as in flight from when it is read until its reader is done with it")
    void bodiesAreInFlightWhileTheyAreRead() {
        HttpResponse response = bodies.guarded(streaming(), exchange, endless);
        var reading = response.getBody().subscribe();

        CompletableFuture<Void> drained = inFlight.close().toFuture();
        assertThat(drained).isNotDone();
        reading.dispose();
        assertThat(drained).isDone();
    }

    @Test
    void bodyIsNotReadOnceAllIsClosed() {
        HttpResponse response = bodies.guarded(streaming(), exchange, endless);
        inFlight.close().block();

        assertThat(catchThrowable(() -> response.getBody().blockFirst())).hasMessageContaining("closed");
    }
}
