package io.stowline.spring.boot.resilience4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.timelimiter.TimeLimiter;
import io.stowline.Stowline;
import io.stowline.error.UnreachableException;
import io.stowline.observe.AttemptEvent;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.ShortPause;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Other modules of Resilience4j around a call that waits between its attempts. */
class OtherModulesTest {

    private final MemoryStorage storage = MemoryStorage.create();
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private final AtomicReference<ServiceState> service = new AtomicReference<>();
    private final Stowline client = Stowline.builder()
            .connectionString(storage.connectionString())
            .httpClient(storage.httpClient())
            .retry(r -> r.backoff(Backoff.fixed(Duration.ofMinutes(1))))
            .closeTimeout(Duration.ofMillis(1))
            .listener(new StowlineListener() {
                @Override
                public void onServiceOpened(ServiceState state) {
                    service.set(state);
                }

                @Override
                public void onAttemptEnd(AttemptEvent event) {
                    failed.complete(null);
                }
            })
            .build();

    /** An attempt gives its permit back after its end. */
    private void awaitNoPermit() {
        Instant end = Instant.now().plusSeconds(20);
        while (service.get().permitsInUse() > 0 && Instant.now().isBefore(end)) {
            ShortPause.park();
        }
        assertThat(service.get().permitsInUse()).isZero();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    @DisplayName("a place in a bulkhead is taken while the call waits for its next attempt, and no permit is")
    void bulkhead() {
        Bulkhead bulkhead = Bulkhead.of(
                "calls", BulkheadConfig.custom().maxConcurrentCalls(1).build());
        TwoClients.busy(storage, 1);
        CompletableFuture<Boolean> call = CompletableFuture.supplyAsync(
                () -> bulkhead.executeSupplier(() -> client.table("runners").exists()));
        failed.join();

        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isZero();
        awaitNoPermit();
        client.close();
        assertThatThrownBy(call::join).hasCauseInstanceOf(UnreachableException.class);
        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isOne();
    }

    @Test
    @DisplayName("a time limit on a future ends the wait for a blocking call, and not the call")
    void timeLimiterOnAFuture() {
        TwoClients.busy(storage, 1);
        CompletableFuture<Boolean> call =
                CompletableFuture.supplyAsync(() -> client.table("runners").exists());
        failed.join();

        assertThatThrownBy(() -> TimeLimiter.of(Duration.ofMillis(10))
                        .executeFutureSupplier(() -> call.thenApply(found -> found)))
                .isInstanceOf(TimeoutException.class);
        assertThat(call).isNotDone();
        client.close();
        assertThatThrownBy(call::join).hasCauseInstanceOf(UnreachableException.class);
    }

    @Test
    @DisplayName("a time limit on a Mono cancels the call: nothing more is sent")
    void timeLimitOnAMono() {
        TwoClients.busy(storage, 1);

        assertThatThrownBy(() -> client.reactive()
                        .table("runners")
                        .exists()
                        .timeout(Mono.fromFuture(failed).publishOn(Schedulers.parallel()))
                        .block())
                .hasRootCauseInstanceOf(TimeoutException.class);
        awaitNoPermit();
        assertThat(service.get().permitsWaiting()).isZero();
        assertThat(storage.requests()).hasSize(1);
    }
}
