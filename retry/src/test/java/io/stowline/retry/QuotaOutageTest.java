package io.stowline.retry;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.retry.internal.engine.RetryEngine;
import io.stowline.retry.internal.engine.RetryQuota;
import io.stowline.retry.internal.engine.ScriptedCall;
import io.stowline.retry.internal.engine.Verdict;
import io.stowline.retry.internal.timeout.Attempt;
import io.stowline.retry.internal.timeout.Deadline;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A thousand operations at once during an outage of the service, in virtual time. */
class QuotaOutageTest {

    private static final int OPERATIONS = 1_000;

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final RetryEngine engine = new RetryEngine(clock, new Random(7));
    private final RetrySettings settings = RetrySettings.defaults();
    private final RetryQuota quota = RetryQuota.of(QuotaSettings.defaults(), clock);
    private final AtomicInteger sent = new AtomicInteger();
    private final Map<StopReason, Integer> stops = new EnumMap<>(StopReason.class);
    private long recovered = Long.MAX_VALUE;

    @AfterEach
    void dispose() {
        clock.dispose();
    }

    private void startAll(RetryQuota limit, RetryQuota.ExhaustedPolicy whenEmpty) {
        for (int i = 0; i < OPERATIONS; i++) {
            ScriptedCall<String> retryCall = ScriptedCall.<String>of(
                            settings, Deadline.in(settings.deadline(), clock), (result, error) -> judge(), this::send)
                    .within(limit, whenEmpty);
            engine.execute(retryCall).subscribe(ended -> stops.merge(ended.stop(), 1, Integer::sum));
        }
    }

    private Mono<String> send(Attempt attempt) {
        sent.incrementAndGet();
        return Mono.just("answer");
    }

    private Verdict judge() {
        return clock.now(TimeUnit.SECONDS) >= recovered ? Verdict.success() : Verdict.retry("500 InternalError");
    }

    @Test
    @DisplayName("RETRY-6: an empty quota bounds the retries of 1,000 direct operations in an outage")
    void boundsTheRetriesOfDirectOperations() {
        startAll(quota, RetryQuota.ExhaustedPolicy.REFUSE);
        assertThat(stops).containsEntry(StopReason.QUOTA_EMPTY, OPERATIONS - 50);
        clock.advanceTimeBy(Duration.ofMinutes(2));

        int retries = sent.get() - OPERATIONS;
        assertThat(retries).isBetween(50, 50 + 5 * 60);
        assertThat(stops.values().stream().mapToInt(Integer::intValue).sum()).isEqualTo(OPERATIONS);
    }

    @Test
    @DisplayName("RETRY-6: without a quota the same operations send four times as much again")
    void withoutAQuotaThereIsAStorm() {
        startAll(RetryQuota.unlimited(), RetryQuota.ExhaustedPolicy.REFUSE);
        clock.advanceTimeBy(Duration.ofMinutes(2));

        assertThat(sent).hasValue(OPERATIONS * 5);
    }

    @Test
    @DisplayName("RETRY-6: paced operations lose nothing in an outage that ends in time, and send no storm either")
    void pacedOperationsLoseNothing() {
        recovered = 20;
        startAll(quota, RetryQuota.ExhaustedPolicy.PACE);
        assertThat(stops).isEmpty();
        clock.advanceTimeBy(Duration.ofMillis(19_999));
        assertThat(sent.get() - OPERATIONS).isBetween(100, 50 + 5 * 20);
        clock.advanceTimeBy(Duration.ofSeconds(100));

        assertThat(stops).isEqualTo(Map.of(StopReason.SUCCEEDED, OPERATIONS));
        assertThat(quota.waiting()).isZero();
        assertThat(quota.available()).isEqualTo(500);
    }

    @Test
    @DisplayName("RETRY-6: paced retries that succeed let the others follow at once")
    void recoveryIsQuick() {
        recovered = 20;
        startAll(quota, RetryQuota.ExhaustedPolicy.PACE);
        clock.advanceTimeBy(Duration.ofSeconds(60));

        assertThat(stops).isEqualTo(Map.of(StopReason.SUCCEEDED, OPERATIONS));
    }

    @Test
    @DisplayName("RETRY-6: an outage that does not end leaves no paced operation without an end")
    void everyPacedOperationEnds() {
        startAll(quota, RetryQuota.ExhaustedPolicy.PACE);
        clock.advanceTimeBy(Duration.ofMinutes(2));

        assertThat(stops).isEqualTo(Map.of(StopReason.DEADLINE, OPERATIONS));
        assertThat(sent.get() - OPERATIONS).isLessThanOrEqualTo(50 + 5 * 120);
        assertThat(quota.waiting()).isZero();
    }
}
