package io.stowline.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.UnreachableException;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Explicit transactions whose callers, or whose client, give them up. */
@Timeout(60)
class AbandonedTransactionTest {

    private static final HttpHeaders BUSY =
            new HttpHeaders().set(HttpHeaderName.fromString("x-ms-error-code"), "ServerBusy");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final TableService service = SimulatedTables.service(time, RetrySettings.defaults(), this::response);
    private final Table<Entity> table = DefaultTable.of(service, "notes", Entity.class, Mapping.standard());
    private final AtomicInteger sent = new AtomicInteger();
    private final AtomicInteger readBacks = new AtomicInteger();
    private volatile boolean busy = true;
    private volatile boolean breaks;

    private Mono<HttpResponse> response(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.defer(() -> {
            line.begin();
            line.whole();
            if (request.getHttpMethod() == HttpMethod.GET) {
                readBacks.incrementAndGet();
                return Mono.never();
            }
            sent.incrementAndGet();
            if (breaks) {
                return Mono.error(new IOException("reset"));
            }
            return busy ? Mono.just(SimulatedConnection.response(request, 503, BUSY, new byte[0])) : Mono.never();
        });
    }

    private Transaction<Entity> transaction(int row) {
        return table.transaction("p")
                .insert(Entity.builder("p", "r" + row).set("Text", "text").build())
                .insert(Entity.builder("p", "s" + row).set("Text", "text").build());
    }

    /** Commits on a thread, which waits in the call afterwards. */
    private Thread commit(int row, AtomicReference<Throwable> failure) {
        Thread caller = new Thread(() -> {
            try {
                transaction(row).commit();
            } catch (RuntimeException e) {
                failure.set(e);
            }
        });
        caller.start();
        while (caller.getState() != Thread.State.WAITING) {
            LockSupport.parkNanos(100_000);
        }
        return caller;
    }

    private static StorageInterruptedException interrupted(Thread caller, AtomicReference<Throwable> failure)
            throws InterruptedException {
        caller.interrupt();
        caller.join();
        return (StorageInterruptedException) failure.get();
    }

    @Test
    @DisplayName("RETRY-8: a transaction that is disposed during its back-off is not sent once more")
    void disposedInBackOff() {
        var running = table.reactive()
                .transaction("p")
                .insert(Entity.builder("p", "r1").set("Text", "text").build())
                .insert(Entity.builder("p", "r2").set("Text", "text").build())
                .commit()
                .subscribe(written -> {}, error -> {});
        assertThat(sent).hasValue(1);

        running.dispose();
        time.advanceTimeBy(Duration.ofMinutes(10));

        assertThat(sent).hasValue(1);
    }

    @Test
    @DisplayName("RETRY-8: an interrupted commit is not sent once more, and has the facts of the refused request")
    void interruptedInBackOff() throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        StorageInterruptedException end = interrupted(commit(1, failure), failure);
        time.advanceTimeBy(Duration.ofMinutes(10));

        assertThat(sent).hasValue(1);
        assertThat(end)
                .hasMessageContaining("no request had gone out that may have been applied")
                .hasMessageContaining("notes(p)");
        assertThat(end.failure()).hasValueSatisfying(known -> {
            assertThat(known.attempts()).isEqualTo(1);
            assertThat(known.status()).isEqualTo(503);
            assertThat(known.unansweredAttempts()).isZero();
        });
    }

    @Test
    @DisplayName("RETRY-8: after the interrupt of a hung transaction nothing more is sent, not even a read-back")
    void interruptedWithoutResponse() throws InterruptedException {
        busy = false;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        StorageInterruptedException end = interrupted(commit(1, failure), failure);
        time.advanceTimeBy(Duration.ofMinutes(10));

        assertThat(sent).hasValue(1);
        assertThat(readBacks).hasValue(0);
        assertThat(end).hasMessageContaining("a request had gone out").hasMessageContaining("notes(p)");
        assertThat(end.failure()).hasValueSatisfying(known -> {
            assertThat(known.attempts()).isEqualTo(1);
            assertThat(known.unansweredAttempts()).isEqualTo(1);
            assertThat(known.clientRequestId()).hasSize(36);
        });
    }

    @Test
    @DisplayName("RETRY-7: a commit that is interrupted in its read-back has the number and the id of its requests")
    void interruptedInReadBack() throws InterruptedException {
        breaks = true;
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread caller = commit(1, failure);
        for (int i = 0; i < 1_000 && readBacks.get() == 0; i++) {
            time.advanceTimeBy(Duration.ofMillis(100));
        }
        StorageInterruptedException end = interrupted(caller, failure);
        time.advanceTimeBy(Duration.ofMinutes(10));

        assertThat(readBacks).hasValue(1);
        assertThat(sent).hasValueGreaterThan(1);
        assertThat(end.failure()).hasValueSatisfying(known -> {
            assertThat(known.attempts()).isEqualTo(sent.get());
            assertThat(known.unansweredAttempts()).isEqualTo(sent.get());
            assertThat(known.clientRequestId()).hasSize(36);
        });
    }

    @Test
    @DisplayName("RETRY-8: an interrupted commit behind another transaction says that nothing had gone out")
    void interruptedInTheQueue() throws InterruptedException {
        busy = false;
        var unused = table.reactive()
                .transaction("p")
                .insert(Entity.builder("p", "a").set("Text", "text").build())
                .insert(Entity.builder("p", "b").set("Text", "text").build())
                .commit()
                .subscribe(written -> {}, error -> {});
        AtomicReference<Throwable> failure = new AtomicReference<>();
        StorageInterruptedException end = interrupted(commit(1, failure), failure);

        assertThat(end).hasMessageContaining("no request had gone out");
        assertThat(end.failure()).hasValueSatisfying(known -> assertThat(known.unansweredAttempts())
                .isZero());
        assertThat(sent).hasValue(1);
    }

    @Test
    @DisplayName(
            "RETRY-7: a transaction that the client's close cuts short ends with its facts, as unknown if it was sent")
    void cutShortByClose() {
        busy = false;
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (int row = 1; row <= 2; row++) {
            ends.add(table.reactive()
                    .transaction("p")
                    .insert(Entity.builder("p", "r" + row).set("Text", "text").build())
                    .insert(Entity.builder("p", "s" + row).set("Text", "text").build())
                    .commit()
                    .toFuture());
        }
        var closing = service.close(Duration.ofSeconds(1)).toFuture();
        time.advanceTimeBy(Duration.ofSeconds(2));

        assertThat(closing).isDone();
        assertThat(failure(ends.get(0)))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("notes(p) with 2 operations");
        assertThat(failure(ends.get(1)))
                .isInstanceOf(UnreachableException.class)
                .hasMessageContaining("nothing was sent");
    }

    private static Throwable failure(CompletableFuture<?> end) {
        try {
            return new AssertionError("it succeeded with " + end.getNow(null));
        } catch (CompletionException e) {
            return e.getCause();
        }
    }
}
