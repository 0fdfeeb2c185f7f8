package io.stowline.transport.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class InFlightMonoTest {

    private static final Operation OPERATION =
            Operation.of("op", "thing", OperationType.WRITE, RetrySettings.defaults());

    private final InFlightRegistry inFlight = new InFlightRegistry();
    private final TestPublisher<HttpResponse> source =
            TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
    private final List<String> reported = new ArrayList<>();
    private final Mono<HttpResponse> request = request(source.mono());

    private Mono<HttpResponse> request(Mono<HttpResponse> exchange) {
        return new InFlightMono<>(
                () -> exchange,
                inFlight,
                Exchange.of(
                        OPERATION,
                        Request.bySdkClient(
                                OPERATION, new HttpRequest(HttpMethod.PUT, "http://h/a"), true, true, RequestCost.ONE),
                        "id"),
                call -> reported.add(call.request().name()));
    }

    private static HttpResponse response() {
        return new BufferedResponse(new HttpRequest(HttpMethod.GET, "http://h/a"), 200, new HttpHeaders(), new byte[0]);
    }

    private boolean closed() {
        List<String> ends = new ArrayList<>();
        inFlight.close().subscribe(value -> {}, error -> {}, () -> ends.add("closed"));
        return !ends.isEmpty();
    }

    @Test
    void countsUntilItsSubscriberHasBeenReported() {
        List<Boolean> drained = new ArrayList<>();
        request.doOnSuccess(response -> drained.add(closed())).subscribe();

        source.emit(response());
        assertThat(drained).containsExactly(false);
        assertThat(closed()).isTrue();
    }

    @Test
    @DisplayName("a fatal error that the HTTP client throws when it is subscribed to ends the request")
    void aBrokenBeginning() {
        Mono<HttpResponse> broken = request(Mono.defer(() -> {
            throw new NoClassDefFoundError("of the client");
        }));

        StepVerifier.create(broken).verifyErrorSatisfies(error -> assertThat(error)
                .isInstanceOf(IllegalStateException.class)
                .hasCauseInstanceOf(NoClassDefFoundError.class));
        assertThat(reported).containsExactly("op");
        assertThat(closed()).isTrue();
    }

    @Test
    @DisplayName("CACHE-4: the end of a write is told before its writer hears of it")
    void itsEndIsReportedBeforeItsSubscriber() {
        request.subscribe(response -> reported.add("answer"));
        assertThat(reported).isEmpty();
        source.emit(response());
        assertThat(reported).containsExactly("op", "answer");
    }

    @Test
    @DisplayName("CACHE-4: a write that fails, is given up or abandoned has an end, too")
    void everyEndIsReported() {
        request.subscribe(response -> {}, error -> reported.add("error"));
        source.error(new IllegalStateException("broken"));
        assertThat(reported).containsExactly("op", "error");
    }

    @Test
    @DisplayName("CACHE-4: a write that fails, is given up or abandoned has an end, too")
    void givingUpIsReportedOnce() {
        request.subscribe().dispose();
        inFlight.abandon();
        assertThat(reported).containsExactly("op");
    }

    @Test
    void countsUntilItHasFailed() {
        request.onErrorComplete().subscribe();
        assertThat(closed()).isFalse();
        source.error(new IllegalStateException("broken"));
        assertThat(closed()).isTrue();
    }

    @Test
    void givenUpItCountsNoMore() {
        request.subscribe().dispose();
        source.assertCancelled();
        assertThat(closed()).isTrue();
    }

    @Test
    void refusedOnceClosed() {
        assertThat(closed()).isTrue();
        StepVerifier.create(request).verifyErrorMessage("this Stowline is closed");
        source.assertWasNotSubscribed();
    }

    @Test
    void abandonedItEndsWithAnErrorAndCancelsItsWork() {
        List<Throwable> errors = new ArrayList<>();
        request.subscribe(value -> {}, errors::add);
        inFlight.abandon();

        assertThat(errors).singleElement().isInstanceOf(StorageException.class);
        source.assertCancelled();
        assertThat(closed()).isTrue();
    }

    @Test
    void abandonedBeforeItBeganItEndsAtOnce() {
        inFlight.abandon();
        StepVerifier.create(request).verifyError(StorageException.class);
        source.assertCancelled();
    }

    @Test
    void aResponseThatComesTooLateIsClosed() {
        StreamResponse late = new StreamResponse(200, Flux.empty());
        request.onErrorComplete().subscribe();
        inFlight.abandon();
        source.next(late);
        assertThat(late.closed()).isTrue();
    }

    @Test
    @DisplayName("BATCH-9: closing gives no error to a subscriber that has no subscription yet, and ends it afterwards")
    void abandonedWhileSubscribing() {
        List<String> signals = new ArrayList<>();
        request.subscribe(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                inFlight.abandon();
                signals.add("subscribed");
                subscription.request(1);
                signals.add("requested");
            }

            @Override
            protected void hookOnError(Throwable error) {
                signals.add("failed");
            }
        });

        assertThat(signals).containsExactly("subscribed", "failed", "requested");
        source.assertCancelled();
        assertThat(closed()).isTrue();
    }
}
