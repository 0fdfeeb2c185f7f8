package io.stowline.transport.internal.request;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.DeadlineExceededException;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ScalabilityTargets;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Requests below targets that ramp up over a minute, in virtual time. */
class RampOnTheWireTest {

    private static final Duration RAMP = Duration.ofMinutes(1);
    private static final RetrySettings PATIENT =
            RetrySettings.builder().deadline(Duration.ofHours(1)).build();

    private static Bench bench(Service service, UnaryOperator<ScalabilityTargets.Builder> targets) {
        Bench bench = Bench.below(
                service,
                targets.apply(ScalabilityTargets.everywhere().toBuilder().rampOver(RAMP))
                        .build());
        bench.wire().otherwise(200, "done");
        return bench;
    }

    private static Outcome<String> start(Bench bench, String partition, long bytes, RetrySettings settings) {
        Request request = Bench.request(OperationType.WRITE).costing(new RequestCost(partition, 1, bytes));
        return bench.start(Exchange.of(request, settings, response -> new ParseResult.Value<>(response.text())));
    }

    private static void offer(Bench bench, int requests, int partitions, long bytes) {
        for (int i = 0; i < requests; i++) {
            start(bench, "p" + i % partitions, bytes, PATIENT);
        }
    }

    /** The rates of a ramp from a tenth, summed up; of the whole rate after it. */
    private static double integral(double seconds) {
        double ramp = RAMP.toSeconds();
        return seconds < ramp ? 0.1 * seconds + 0.45 * seconds * seconds / ramp : 0.55 * ramp + seconds - ramp;
    }

    private static void staysBelow(List<Duration> sent, double rate) {
        for (int i = 0; i < sent.size(); i++) {
            double seconds = sent.get(i).toNanos() / 1e9;
            assertThat(i + 1.0).isLessThanOrEqualTo(rate * integral(seconds) + 1e-6);
        }
    }

    @Test
    @DisplayName(
            "PERMIT-3, T1: requests ramp up from a tenth: at each moment fewer have passed than the rates sum up to")
    void partition() {
        Bench bench = bench(Service.TABLE, targets -> targets.partitionEntities(20));
        offer(bench, 2_000, 1, 0);
        assertThat(bench.wire().sent()).as("no full bucket").isEmpty();
        bench.pass(RAMP);
        staysBelow(bench.wire().times(), 20);
        assertThat(bench.wire().sent()).hasSize(660);
        bench.pass(Duration.ofSeconds(10));
        assertThat(bench.wire().sent()).as("the whole rate").hasSize(860);
        staysBelow(bench.wire().times(), 20);
    }

    @Test
    @DisplayName("PERMIT-3, T1: the account ramps up over all partitions, and so does the content of a blob")
    void accountAndContent() {
        Bench account =
                bench(Service.QUEUE, targets -> targets.accountEntities(20).queueMessages(10));
        offer(account, 2_000, 100, 0);
        account.pass(RAMP);
        staysBelow(account.wire().times(), 20);
        assertThat(account.wire().sent()).hasSize(660);

        Bench content = bench(Service.BLOB, targets -> targets.blobBytes(20_000));
        offer(content, 2_000, 1, 1_000);
        content.pass(RAMP);
        staysBelow(content.wire().times(), 20);
        assertThat(content.wire().sent()).hasSize(660);
    }

    @Test
    @DisplayName(
            "PERMIT-3, T1: a new partition during the ramp has what the ramp has reached, and none of its rate is lost"
                    + " later")
    void laterPartitions() {
        Bench bench = bench(Service.TABLE, targets -> targets.partitionEntities(100));
        start(bench, "first", 0, PATIENT);
        bench.pass(Duration.ofSeconds(20));
        offer(bench, 200, 1, 0);
        assertThat(bench.wire().sent()).as("a second of 40, and the first").hasSize(41);
        bench.pass(RAMP);
        offer(bench, 200, 1, 0);
        assertThat(bench.wire().sent()).as("a second of 100").hasSize(301);
    }

    @Test
    @DisplayName("PERMIT-3, T1: the ramp begins again after a pause as long as itself, and after no shorter one")
    void pauses() {
        Bench bench = bench(Service.TABLE, targets -> targets.partitionEntities(10));
        start(bench, "p", 0, PATIENT);
        bench.pass(RAMP.multipliedBy(2));
        assertThat(bench.wire().sent()).hasSize(1);
        offer(bench, 20, 1, 0);
        assertThat(bench.wire().sent()).as("a new ramp").hasSize(1);
        bench.pass(Duration.ofSeconds(5));
        assertThat(bench.wire().sent()).hasSizeBetween(6, 8);
        bench.pass(RAMP);
        assertThat(bench.wire().sent()).hasSize(21);
        offer(bench, 20, 1, 0);
        assertThat(bench.wire().sent()).as("a full bucket").hasSize(31);
    }

    @Test
    @DisplayName("PERMIT-4: an attempt that the ramp lets through too late ends at once, and the next one passes")
    void deadlines() {
        Bench bench = bench(Service.TABLE, targets -> targets.partitionEntities(1));
        RetrySettings hasty = RetrySettings.builder()
                .retries(0)
                .deadline(Duration.ofSeconds(5))
                .build();
        Outcome<String> late = start(bench, "p", 0, hasty);
        bench.pass(Duration.ofMillis(1));
        assertThat(late.storageError())
                .isInstanceOf(DeadlineExceededException.class)
                .hasMessageContaining("a rate target lets it through only after the deadline of PT5S")
                .hasMessageContaining(": the rate limit of 1.0 per second (burst 1.0), which rises and is 0.1 now, can")
                .hasMessageNotContaining("Exception");
        Outcome<String> patient = start(bench, "p", 0, PATIENT);
        bench.pass(Duration.ofSeconds(9));
        assertThat(patient.value()).isEqualTo("done");
        assertThat(bench.wire().sent()).hasSize(1);
    }
}
