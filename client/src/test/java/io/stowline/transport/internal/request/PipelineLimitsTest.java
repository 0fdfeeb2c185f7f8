package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.DeadlineExceededException;
import io.stowline.retry.ParallelismSettings;
import io.stowline.retry.RetrySettings;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.gate.PartitionedGate;
import io.stowline.retry.internal.rate.RateLimit;
import io.stowline.retry.internal.rate.RefillClock;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.limits.CircuitBreakerGuard;
import io.stowline.transport.internal.limits.ServiceLimits;
import io.stowline.transport.internal.limits.ServiceRateLimiter;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelineLimitsTest {

    private static final RetrySettings ONCE =
            RetrySettings.builder().retries(0).deadline(Duration.ofSeconds(20)).build();

    /** Four entities a second for the account, two for a partition. */
    private static final ScalabilityTargets SLOW = ScalabilityTargets.everywhere().toBuilder()
            .accountEntities(4)
            .partitionEntities(2)
            .queueMessages(2)
            .blobRequests(2)
            .blobBytes(100)
            .pageBlobRequests(1)
            .pageBlobBytes(50)
            .build();

    private ServiceLimits limits;

    private Bench bench(ScalabilityTargets targets) {
        return new Bench(
                timer -> {
                    RefillClock clock = RefillClock.steady(timer);
                    ServiceRateLimiter rates = targets == null
                            ? null
                            : ServiceRateLimiter.of(
                                    targets,
                                    Service.TABLE,
                                    RateLimit.perSecond(targets.accountEntities(), targets.accountEntities(), clock),
                                    clock);
                    limits = new ServiceLimits(
                            PartitionedGate.of(ParallelismSettings.adaptive(), timer),
                            RetryQuota.unlimited(),
                            CircuitBreakerGuard.OFF,
                            rates);
                    return limits;
                },
                null);
    }

    private static Exchange<String> call(String partition, int entities) {
        Request request = Bench.request(OperationType.WRITE).costing(new RequestCost(partition, entities, 0));
        return Exchange.of(request, ONCE, response -> new ParseResult.Value<>(response.text()));
    }

    @ParameterizedTest
    @DisplayName("PERMIT-2: throttling cuts the partition, and the account only where the text names its limits")
    @CsvSource({
        "503, ServerBusy, The server is busy., true, false",
        "500, OperationTimedOut, Operation could not be completed within the specified time., true, false",
        "429, TooManyRequests, text, true, false",
        "503, ServerBusy, Operations per second is over the account limit., false, true",
        "503, ServerBusy, Ingress is over the account limit., false, true",
        "500, InternalError, text, false, false",
        "409, EntityAlreadyExists, text, false, false"
    })
    void throttling(int status, String code, String text, boolean partition, boolean account) {
        Bench bench = bench(null);
        int before = bench.gate().limit();
        bench.wire().responds(status, Bench.jsonError(code, text));
        bench.start(call("people/p", 1));

        assertThat(limits.gates().limitedPartitions()).isEqualTo(partition ? 1 : 0);
        assertThat(bench.gate().limit() < before).isEqualTo(account);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-4: attempts wait for the rate of their partition without a permit, others pass")
    void waitsForTheRate() {
        Bench bench = bench(SLOW);
        for (int i = 0; i < 4; i++) {
            bench.wire().responds(200, "done");
        }
        bench.start(call("people/p", 2));
        Bench.Outcome<String> waiting = bench.start(call("people/p", 1));
        assertThat(bench.wire().sent()).hasSize(1);
        assertThat(bench.gate().inUse()).isZero();

        assertThat(bench.start(call("people/q", 1)).value()).isEqualTo("done");
        bench.pass(Duration.ofMillis(500));
        assertThat(waiting.value()).isEqualTo("done");
    }

    @Test
    @DisplayName("PERMIT-4: a permit that came before is not kept while waiting for the rate")
    void firstPermit() {
        Bench bench = bench(SLOW);
        bench.wire().responds(200, "done").responds(200, "done");
        bench.start(call("people/p", 2));
        Bench.Outcome<String> second =
                bench.start(call("people/p", 2).forBatch(Bench.BATCH, java.util.Objects.requireNonNull(take(bench))));
        assertThat(bench.gate().inUse()).isZero();

        bench.pass(Duration.ofSeconds(1));
        assertThat(second.value()).isEqualTo("done");
    }

    private static io.stowline.retry.internal.gate.Permit take(Bench bench) {
        io.stowline.retry.internal.gate.Permit[] taken = new io.stowline.retry.internal.gate.Permit[1];
        bench.gate().request(io.stowline.retry.internal.gate.Gate.PermitPriority.NORMAL, permit -> taken[0] = permit);
        return taken[0];
    }

    @Test
    @DisplayName("PERMIT-4: waiting for the rate has the operation's deadline, and then nothing was sent")
    void rateBeyondTheDeadline() {
        Bench bench = bench(SLOW);
        bench.wire().responds(200, "done");
        bench.start(call("people/p", 100));
        Bench.Outcome<String> late = bench.start(call("people/p", 1));
        bench.pass(Duration.ofSeconds(20));

        assertThat(late.storageError()).isInstanceOf(DeadlineExceededException.class);
        assertThat(late.storageError().failure().unansweredAttempts()).isZero();
        assertThat(bench.wire().sent()).hasSize(1);
    }

    @Test
    @DisplayName("PERMIT-4: who leaves while waiting for his partition gives back what he took of the account's rate")
    void refundOfTheAccount() {
        Bench bench = bench(SLOW);
        bench.wire().responds(200, "done").responds(200, "done");
        bench.start(call("people/p", 2));
        bench.start(call("people/p", 2)).cancel();

        assertThat(bench.start(call("people/q", 2)).value()).isEqualTo("done");
    }

    @Test
    @DisplayName("PERMIT-4: what was taken of the rates and not sent goes back")
    void refund() {
        Bench bench = bench(SLOW);
        bench.wire().responds(200, "done").responds(200, "done");
        bench.start(call("people/p", 2));
        bench.start(call("people/p", 1)).cancel();
        bench.pass(Duration.ofSeconds(1));

        assertThat(bench.start(call("people/p", 2)).value()).isEqualTo("done");
    }
}
