package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.UnreachableException;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class PipelinePermitsTest {

    private static final String BUSY = Bench.jsonError("ServerBusy", "text");

    private final Bench bench = new Bench(1);
    private final FakeWire wire = bench.wire();

    private Permit take() {
        List<Permit> granted = new ArrayList<>();
        bench.gate().request(PermitPriority.NORMAL, granted::add);
        return granted.get(0);
    }

    @Test
    @DisplayName("PERMIT-1: a permit is held while an attempt is in flight, and given back by its response")
    void heldDuringAnAttempt() {
        wire.respondsAfter(Duration.ofSeconds(1), 200, "done");
        Outcome<String> outcome = bench.start(OperationType.WRITE);

        assertThat(bench.gate().inUse()).isEqualTo(1);
        bench.pass(Duration.ofSeconds(1));
        assertThat(outcome.value()).isEqualTo("done");
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-1: the permit is back before the result is handed on")
    void notHeldWhileTheResultIsWorkedOn() {
        wire.responds(200, "done");
        List<Integer> inUse = new ArrayList<>();

        bench.start(bench.pipeline()
                .send(Bench.call(OperationType.WRITE))
                .doOnNext(value -> inUse.add(bench.gate().inUse())));

        assertThat(inUse).containsExactly(0);
    }

    @Test
    @DisplayName("PERMIT-1: no permit is held during the back-off")
    void notHeldDuringBackoff() {
        wire.responds(503, BUSY).responds(200, "other").responds(200, "done");
        Outcome<String> patient = bench.start(OperationType.WRITE);

        assertThat(bench.gate().inUse()).isZero();
        assertThat(bench.start(OperationType.WRITE).value()).isEqualTo("other");
        bench.pass(Duration.ofSeconds(2));
        assertThat(patient.value()).isEqualTo("done");
    }

    @Test
    @DisplayName("PERMIT-1: one permit, one attempt at a time")
    void limitsWhatIsInFlight() {
        wire.respondsAfter(Duration.ofSeconds(1), 200, "first").respondsAfter(Duration.ofSeconds(1), 200, "second");
        bench.start(OperationType.WRITE);
        Outcome<String> second = bench.start(OperationType.WRITE);

        assertThat(wire.sent()).hasSize(1);
        bench.pass(Duration.ofSeconds(1));
        assertThat(wire.sent()).hasSize(2);
        bench.pass(Duration.ofSeconds(1));
        assertThat(second.value()).isEqualTo("second");
    }

    @Test
    @DisplayName("PERMIT-1: an attempt that times out gives its permit back")
    void givenBackByTimeout() {
        wire.staysSilent();
        bench.start(OperationType.WRITE);
        bench.pass(Duration.ofSeconds(35));

        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-1: a cancelled attempt gives its permit back")
    void givenBackByCancel() {
        wire.staysSilent();
        Outcome<String> outcome = bench.start(OperationType.WRITE);
        assertThat(bench.gate().inUse()).isEqualTo(1);
        outcome.cancel();

        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-1: an HTTP client that throws does not keep the permit")
    void givenBackWhenTheClientThrows() {
        wire.throwsAtOnce(new IllegalStateException("broken client"));

        assertThat(bench.start(OperationType.WRITE).error()).hasMessageContaining("broken client");
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-1: an HTTP client that throws does not keep a permit that was brought along")
    void broughtAlongAndGivenBackWhenTheClientThrows() {
        wire.throwsAtOnce(new IllegalStateException("broken client"));

        assertThat(bench.start(Bench.call(OperationType.WRITE).forBatch(Bench.BATCH, take()))
                        .error())
                .hasMessageContaining("broken client");
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-1: the first attempt uses the permit that was brought along, later ones their own")
    void permitThatWasBroughtAlong() {
        wire.respondsAfter(Duration.ofSeconds(1), 503, BUSY).responds(200, "done");
        Outcome<String> outcome = bench.start(Bench.call(OperationType.WRITE).forBatch(Bench.BATCH, take()));

        assertThat(wire.sent()).hasSize(1);
        assertThat(bench.gate().inUse()).isEqualTo(1);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.gate().inUse()).isZero();
        bench.pass(Duration.ofSeconds(2));
        assertThat(outcome.value()).isEqualTo("done");
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-1: a permit that was brought to a closed pipeline is given back")
    void closedPipelineGivesThePermitBack() {
        bench.pipeline().drained().subscribe();

        assertThat(bench.start(Bench.call(OperationType.WRITE).forBatch(Bench.BATCH, take()))
                        .error())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-1: a request that cannot be made gives permit and place back")
    void brokenAddressGivesEverythingBack() {
        Request nowhere = Request.of("find", "x", OperationType.READ, com.azure.core.http.HttpMethod.GET, "nowhere");
        Exchange<String> exchange = Exchange.<String>of(
                        nowhere, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.text()))
                .forBatch(Bench.BATCH, take());

        assertThat(bench.start(exchange).error()).isInstanceOf(IllegalArgumentException.class);
        assertThat(bench.gate().inUse()).isZero();
        assertThat(bench.start(bench.pipeline().drained()).ended()).isTrue();
    }

    @Test
    void drainsWhenTheLastOperationHasEnded() {
        wire.respondsAfter(Duration.ofSeconds(1), 200, "done");
        Outcome<String> running = bench.start(OperationType.WRITE);
        Outcome<Void> drained = bench.start(bench.pipeline().drained());

        assertThat(bench.start(OperationType.WRITE).error()).hasMessage("this Stowline is closed");
        assertThat(drained.ended()).isFalse();
        bench.pass(Duration.ofSeconds(1));
        assertThat(running.value()).isEqualTo("done");
        assertThat(drained.ended()).isTrue();
    }

    @Test
    @DisplayName("PERMIT-1: what closing does not wait for ends with its facts, in flight, backing off or in the line")
    void abandonedOperationsEnd() {
        wire.responds(503, BUSY).staysSilent();
        Outcome<String> backingOff = bench.start(OperationType.WRITE);
        Outcome<String> inFlight = bench.start(OperationType.WRITE);
        Outcome<String> inLine = bench.start(OperationType.WRITE);
        Outcome<Void> drained = bench.start(bench.pipeline().drained());
        bench.pipeline().abandon();

        assertThat(backingOff.storageError())
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("503 ServerBusy")
                .hasMessageContaining("closed before the operation had ended");
        assertThat(backingOff.storageError().failure().unansweredAttempts()).isZero();
        assertThat(inFlight.storageError().failure().unansweredAttempts()).isEqualTo(1);
        assertThat(inLine.storageError().failure().unansweredAttempts()).isZero();
        assertThat(drained.ended()).isTrue();
        assertThat(bench.gate().inUse()).isZero();
        assertThat(bench.gate().waiting()).isZero();
        bench.pass(Duration.ofMinutes(5));
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName("OUTCOME-0: closing does not call a write certain whose success has not reached the caller")
    void closingBetweenResponseAndResult() {
        wire.responds(201, "").responds(200, "value");
        Outcome<String> written = bench.start(unfinished(OperationType.WRITE));
        Outcome<String> read = bench.start(unfinished(OperationType.READ));
        bench.pipeline().abandon();

        assertThat(written.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("a success had come")
                .hasMessageContaining("closed before the operation had ended");
        assertThat(written.storageError().failure().unansweredAttempts()).isEqualTo(1);
        assertThat(read.storageError()).isInstanceOf(UnreachableException.class);
    }

    /** An operation whose request has its response, and which does not end. */
    private Mono<String> unfinished(OperationType type) {
        Mono<String> request = bench.pipeline().send(Bench.call(type));
        return bench.pipeline().observer().operation("put", () -> "people(p, r)", request.then(Mono.never()));
    }

    @Property(tries = 100)
    @Label("PERMIT-1, PERMIT-4: whatever happens, all permits are back at the end")
    void allPermitsAreBack(@ForAll Random random) {
        Bench many = new Bench(3);
        List<Outcome<String>> outcomes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            misfortune(many.wire(), random.nextInt(8));
        }
        for (int i = 0; i < 20; i++) {
            outcomes.add(many.start(random.nextBoolean() ? OperationType.READ : OperationType.WRITE));
            many.pass(Duration.ofMillis(random.nextInt(3_000)));
            if (random.nextInt(4) == 0) {
                outcomes.get(random.nextInt(outcomes.size())).cancel();
            }
            assertThat(many.gate().inUse()).isLessThanOrEqualTo(3);
        }
        many.pass(Duration.ofMinutes(30));

        assertThat(many.gate().inUse()).isZero();
        assertThat(many.gate().waiting()).isZero();
        assertThat(many.start(many.pipeline().drained()).ended()).isTrue();
    }

    private static void misfortune(FakeWire wire, int which) {
        switch (which) {
            case 0 -> wire.responds(200, "done");
            case 1 -> wire.respondsAfter(Duration.ofSeconds(2), 200, "done");
            case 2 -> wire.responds(503, BUSY);
            case 3 -> wire.breaks(new IOException("reset"));
            case 4 -> wire.breaksBeforeWriting(new ConnectException("refused"));
            case 5 -> wire.respondsAfter(Duration.ofSeconds(1), 409, "");
            case 6 -> wire.throwsAtOnce(new IllegalStateException("broken client"));
            default -> wire.staysSilent();
        }
    }
}
