package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ProtocolException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.http.response.EagerHttpClient;
import io.stowline.transport.internal.sdk.SdkCalls;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/**
 * The facts that an SDK call gets of its attempts. The SDK is played by a request on the pipeline, with the context as
 * azure-core hands it on.
 */
class SdkObservedTest {

    private static final Duration LONG = Duration.ofMinutes(2);

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final SdkCalls calls = Bench.calls(Service.QUEUE, bench.pipeline());

    private static Operation operation(OperationType effect) {
        return Operation.of("send", "orders", effect, RetrySettings.defaults());
    }

    private Mono<HttpResponse> request() {
        return Mono.deferContextual(seen -> {
            com.azure.core.util.Context context = new com.azure.core.util.Context(EagerHttpClient.EAGER, true);
            for (var entry : seen.stream().toList()) {
                context = context.addData(entry.getKey(), entry.getValue());
            }
            return calls.pipeline().send(new HttpRequest(HttpMethod.POST, Bench.ROOT + "/orders"), context);
        });
    }

    private Outcome<Integer> observed(OperationType effect, Mono<HttpResponse> call) {
        Outcome<Integer> outcome = bench.start(
                calls.observed(operation(effect), () -> call, (response, unresolved) -> unresolved.unanswered()));
        bench.pass(LONG);
        return outcome;
    }

    @Test
    @DisplayName("OUTCOME-9: attempts without a response are counted, those that were refused or never written are not")
    void countsAttemptsWithoutAResponse() {
        wire.breaks(new IOException("reset"))
                .responds(503, Bench.jsonError("ServerBusy", "text"))
                .breaksBeforeWriting(new IOException("refused"))
                .responds(500, Bench.jsonError("InternalError", "text"))
                .responds(201, "");

        assertThat(observed(OperationType.WRITE, request()).value()).isEqualTo(2);
    }

    @Test
    void nothingIsCountedForAReadOrAtFirstTry() {
        wire.breaks(new IOException("reset")).responds(201, "").responds(201, "");

        assertThat(observed(OperationType.READ, request()).value()).isZero();
        assertThat(observed(OperationType.WRITE, request()).value()).isZero();
    }

    @Test
    void countsOverAllRequestsOfACall() {
        wire.breaks(new IOException("reset"))
                .responds(201, "")
                .breaks(new IOException("reset"))
                .responds(201, "");

        assertThat(observed(OperationType.WRITE, request().then(request())).value())
                .isEqualTo(2);
    }

    @Test
    void eachSubscriptionCountsForItself() {
        wire.breaks(new IOException("reset")).responds(201, "").responds(201, "");
        Mono<Integer> call = calls.observed(
                operation(OperationType.WRITE), this::request, (response, unresolved) -> unresolved.unanswered());
        Outcome<Integer> first = bench.start(call);
        bench.pass(LONG);

        assertThat(first.value()).isEqualTo(1);
        assertThat(bench.start(call).value()).isZero();
    }

    @Test
    @DisplayName("RETRY-7: a response that the SDK cannot read is a failure with its facts")
    void unreadableResponse() {
        wire.breaks(new IOException("reset")).responds(201, "junk", "x-ms-request-id", "srv");
        Outcome<Integer> outcome = observed(OperationType.WRITE, request().map(response -> {
            throw new IllegalStateException("junk");
        }));

        assertThat(outcome.storageError()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(outcome.storageError().getCause())
                .isInstanceOf(ProtocolException.class)
                .hasNoCause();
        assertThat(outcome.storageError().getMessage())
                .contains("IllegalStateException")
                .doesNotContain("junk");
        assertThat(outcome.storageError().failure()).satisfies(failure -> {
            assertThat(failure.operation()).isEqualTo("send");
            assertThat(failure.status()).isEqualTo(201);
            assertThat(failure.attempts()).isEqualTo(2);
            assertThat(failure.unansweredAttempts()).isEqualTo(2);
            assertThat(failure.requestId()).isEqualTo("srv");
            assertThat(failure.clientRequestId()).isEqualTo(wire.last().header("x-ms-client-request-id"));
            assertThat(failure.elapsed()).isEqualTo(Duration.ofSeconds(2));
        });
    }

    @Test
    void otherFailuresStayWhatTheyAre() {
        wire.responds(409, Bench.jsonError("QueueAlreadyExists", "text"));

        assertThat(observed(OperationType.WRITE, request()).error()).isInstanceOf(ConflictException.class);
        assertThat(observed(OperationType.WRITE, Mono.error(new IllegalArgumentException("before sending")))
                        .error())
                .isInstanceOf(IllegalArgumentException.class);
    }
}
