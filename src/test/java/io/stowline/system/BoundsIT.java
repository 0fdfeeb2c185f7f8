package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.Stowline;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.Backoff;
import io.stowline.table.Table;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

/** A caller that stops waiting stops at once, whatever the operation is doing, and what it held is back. */
class BoundsIT extends StorageTest {

    private static final Duration GUARD = Duration.ofSeconds(30);

    private final CountDownLatch refused = new CountDownLatch(1);
    private final Runner runner = Runner.of("race", 1);
    private ServiceState state;
    private Stowline client;
    private Table<Runner> runners;

    @BeforeEach
    void oneAtATime() {
        String table = freshTable(Runner.class).name();
        client = Stowline.builder()
                .connectionString(connectionString())
                .parallelism(1)
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofSeconds(20))))
                .closeTimeout(Duration.ofSeconds(2))
                .listener(new StowlineListener() {
                    @Override
                    public void onServiceOpened(ServiceState opened) {
                        if (opened.service().equals("table")) {
                            state = opened;
                        }
                    }
                })
                .build();
        runners = client.table(table, Runner.class);
    }

    @AfterEach
    void nothingIsHeld() {
        client.close();
        assertThat(state.permitsInUse()).isZero();
        assertThat(state.permitsWaiting()).isZero();
        assertThat(state.permitLimit()).isEqualTo(1);
    }

    /** Refuses every request from now on, and signals the first refusal. */
    private FaultRule busy(FaultProxy proxy) {
        return proxy.when(requests().when("a write to the table", request -> {
                    refused.countDown();
                    return true;
                }))
                .respond(StubResponse.error(503, "ServerBusy", "The server is busy."));
    }

    private void awaitBackOff() throws InterruptedException {
        assertThat(refused.await(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
        while (state.permitsInUse() > 0) {
            ShortPause.park();
        }
    }

    @Test
    @DisplayName("RETRY-8: an interrupt ends a back-off at once, keeps the flag, and nothing more is sent")
    void interruptedWhileBackingOff() throws Exception {
        FaultRule busy = busy(proxy());
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            thrown.complete(catchThrowable(() -> runners.insert(runner)));
            flag.complete(Thread.currentThread().isInterrupted());
        });
        caller.start();
        awaitBackOff();
        caller.interrupt();

        assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(StorageInterruptedException.class);
        assertThat(flag.get(10, TimeUnit.SECONDS)).isTrue();
        client.close();
        assertThat(busy.hits()).isEqualTo(1);
        busy.remove();
    }

    @Test
    @DisplayName("PERMIT-4: a cancel while waiting for a permit leaves the line, and nothing was sent")
    void cancelledWhileWaiting() {
        RequestHold hold = new RequestHold();
        FaultRule held = proxy().when(requests().times(1)).holdBefore(hold);
        CompletableFuture<?> first = runners.reactive().insert(runner).toFuture();
        hold.awaitArrived(GUARD);
        Disposable second = runners.reactive().insert(Runner.of("race", 2)).subscribe();
        assertThat(state.permitsWaiting()).isEqualTo(1);
        second.dispose();

        assertThat(state.permitsWaiting()).isZero();
        hold.release();
        first.join();
        held.remove();
        assertThat(runners.find("race", Runner.of("race", 2).id())).isEmpty();
    }

    @Test
    @DisplayName("PERMIT-1: a cancel in flight gives the permit back at once")
    void cancelledInFlight() {
        RequestHold hold = new RequestHold();
        FaultRule held = proxy().when(requests().times(1)).holdBefore(hold);
        Disposable sent = runners.reactive().insert(runner).subscribe();
        hold.awaitArrived(GUARD);
        assertThat(state.permitsInUse()).isEqualTo(1);
        sent.dispose();

        assertThat(state.permitsInUse()).isZero();
        hold.release();
        held.remove();
    }

    @Test
    @DisplayName("RETRY-5: closing during a back-off ends the operation within the time for closing")
    void closedDuringBackOff() throws Exception {
        FaultRule busy = busy(proxy());
        CompletableFuture<?> insert = runners.reactive().insert(runner).toFuture();
        awaitBackOff();
        client.close();

        Throwable thrown = catchThrowable(() -> insert.get(10, TimeUnit.SECONDS));
        assertThat(thrown).hasCauseInstanceOf(StorageException.class).hasMessageContaining("was closed");
        assertThat(busy.hits()).isEqualTo(1);
        busy.remove();
    }
}
