package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.gate.Gate.PermitPriority;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.CollectingSink;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.http.Standstill;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests whose time is counted by standstill, over a scripted wire and in virtual time. */
@Timeout(60)
class PipelineStandstillTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final Bench bench = new Bench(1);
    private final FakeWire wire = bench.wire();
    private final Standstill standstill = new Standstill(bench.timer());

    private Exchange<String> part(OperationType type, int bytes) {
        Request request = Request.of(
                "upload", "c/b", type, type == OperationType.READ ? HttpMethod.GET : HttpMethod.PUT, Bench.ROOT + "/b");
        Request whole = type == OperationType.READ
                ? request.costing(new RequestCost(null, 1, bytes))
                : request.body("application/octet-stream", RequestBody.of(new byte[bytes]));
        return Exchange.of(whole, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.text()))
                .with(options -> options.countingStandstill(standstill));
    }

    @Test
    @DisplayName("TRANSFER-7: an attempt that moves lasts as long as it takes")
    void moves() {
        wire.moves(SECOND.multipliedBy(30), 200, 201, "done");
        Outcome<String> outcome = bench.start(part(OperationType.WRITE, 10));
        bench.pass(SECOND.multipliedBy(5_999));
        assertThat(outcome.ended()).isFalse();
        bench.pass(SECOND);
        assertThat(outcome.value()).isEqualTo("done");
        assertThat(wire.sent()).hasSize(1);
    }

    @Test
    @DisplayName(
            "TRANSFER-7: an attempt that stands still ends after its time, and the next one has a deadline of its own"
                    + " standstill")
    void standsStill() {
        wire.standsStillAfter(SECOND.multipliedBy(30), 10).responds(201, "done");
        Outcome<String> outcome = bench.start(part(OperationType.WRITE, 10));
        bench.pass(SECOND.multipliedBy(334));
        assertThat(wire.cancelled()).isZero();
        bench.pass(SECOND);
        assertThat(wire.cancelled()).isEqualTo(1);
        bench.pass(SECOND.multipliedBy(5));
        assertThat(outcome.value()).isEqualTo("done");
    }

    @Test
    @DisplayName("TRANSFER-7: a part that stands still in all its attempts fails within its deadline")
    void neverMoves() {
        for (int i = 0; i < 5; i++) {
            wire.staysSilent();
        }
        Outcome<String> outcome = bench.start(part(OperationType.WRITE, 10));
        bench.pass(SECOND.multipliedBy(35));
        assertThat(wire.cancelled()).isEqualTo(1);
        bench.pass(SECOND.multipliedBy(84));
        assertThat(outcome.ended()).isTrue();
        assertThat(outcome.storageError()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(bench.gate().inUse()).isZero();
        assertThat(wire.cancelled()).isEqualTo(wire.sent().size()).isGreaterThan(2);
    }

    @Test
    @DisplayName("RETRY-4: however much it moves, a part is tried only so many times")
    void retriesAreCounted() {
        for (int i = 0; i < 5; i++) {
            wire.movesAndBreaks(SECOND.multipliedBy(30), 10, new IOException("reset"));
        }
        Outcome<String> outcome = bench.start(part(OperationType.READ, 10));
        bench.pass(Duration.ofHours(1));
        assertThat(outcome.storageError().failure().attempts()).isEqualTo(5);
        assertThat(outcome.storageError().failure().elapsed()).isGreaterThan(SECOND.multipliedBy(1_500));
    }

    @Test
    @DisplayName("TRANSFER-7: a wait of 10 minutes for a permit costs a part no time")
    void waitsForItsPermit() {
        Permit taken = bench.gate().tryAcquire(PermitPriority.NORMAL);
        assertThat(taken).isNotNull();
        wire.staysSilent().responds(200, "done");
        Outcome<String> outcome = bench.start(part(OperationType.READ, 10));
        bench.pass(Duration.ofMinutes(10));
        assertThat(outcome.ended()).isFalse();
        assertThat(wire.sent()).isEmpty();
        taken.release();
        assertThat(wire.sent()).hasSize(1);
        bench.pass(SECOND.multipliedBy(34));
        assertThat(wire.cancelled()).isZero();
        bench.pass(SECOND.multipliedBy(6));
        assertThat(outcome.value()).isEqualTo("done");
    }

    @ParameterizedTest
    @CsvSource({"WRITE, 1, 600", "WRITE, 1048576, 600", "WRITE, 1048577, 1200", "READ, 1, 120", "READ, 8388608, 960"})
    @DisplayName("RETRY-5: the service is granted what it documents as its longest time")
    void grantsTheLongestTime(OperationType type, int bytes, int seconds) {
        wire.responds(200, "done");
        bench.start(part(type, bytes));
        assertThat(wire.last().url()).endsWith("?timeout=" + seconds);
    }

    @Test
    @DisplayName(
            "OUTCOME-0: a write whose response is lost may be carried out until the time that the service was granted")
    void horizon() {
        wire.breaks(new IOException("reset"));
        Exchange<String> part = part(OperationType.WRITE, 10);
        Outcome<String> outcome = bench.start(part);
        assertThat(part.unanswered()).isEqualTo(1);
        assertThat(part.timeUntilSettled(bench.timer())).isEqualTo(SECOND.multipliedBy(605));
        outcome.cancel();
        bench.pass(Duration.ofHours(1));
        assertThat(wire.sent()).hasSize(1);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("a part can be cancelled while it waits, and while it moves; its permit is back")
    void cancels() {
        Permit taken = bench.gate().tryAcquire(PermitPriority.NORMAL);
        Outcome<String> waiting = bench.start(part(OperationType.READ, 10));
        bench.pass(Duration.ofMinutes(5));
        waiting.cancel();
        assertThat(taken).isNotNull();
        taken.release();
        assertThat(wire.sent()).isEmpty();
        wire.moves(SECOND, 100_000, 200, "done");
        Outcome<String> moving = bench.start(part(OperationType.READ, 10));
        bench.pass(Duration.ofMinutes(50));
        moving.cancel();
        assertThat(bench.gate().inUse()).isZero();
        assertThat(moving.ended()).isFalse();
    }

    @Test
    @DisplayName("closing the client ends a part that moves")
    void closes() {
        wire.moves(SECOND, 100_000, 200, "done");
        Outcome<String> moving = bench.start(part(OperationType.READ, 10));
        bench.pass(Duration.ofMinutes(50));
        bench.pipeline().abandon();
        assertThat(moving.error()).isInstanceOf(StorageException.class);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("RETRY-3: a refusal is retried as usual, and its body is not the sink's")
    void refusals() {
        CollectingSink sink = new CollectingSink();
        wire.responds(503, Bench.jsonError("ServerBusy", "busy")).responds(200, "content");
        Request request = Request.of("download", "c/b", OperationType.READ, HttpMethod.GET, Bench.ROOT + "/b")
                .into(sink);
        Exchange<String> part = Exchange.of(
                        request, RetrySettings.defaults(), response -> new ParseResult.Value<>(response.text()))
                .with(options -> options.countingStandstill(standstill));
        Outcome<String> outcome = bench.start(part);
        bench.pass(SECOND.multipliedBy(5));
        assertThat(outcome.value()).isEmpty();
        assertThat(sink.text()).isEqualTo("content");
    }
}
