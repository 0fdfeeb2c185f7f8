package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.journal.Journal;
import io.stowline.projection.Mapping;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Entity;
import io.stowline.table.ScanPolicy;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Callbacks that block on direct calls, on every thread that there is for callbacks. */
@Timeout(60)
class BlockedCallbacksTest {

    private static final int THREADS = 2;
    private static final int CALLBACKS = THREADS + 5;

    private final ExecutorService callbacks = Executors.newFixedThreadPool(THREADS);
    private final ExecutorService work = Executors.newCachedThreadPool();
    private final ClientRuntime runtime = SimulatedConnection.open(
            new SimulatedConnection.Machine(Schedulers.parallel(), Bench.START, new Random(1), callbacks, work),
            Bench.settings(8, RetrySettings.defaults()),
            true,
            this::response);
    private final Table<Entity> table = DefaultTable.of(
            new TableService(Bench.account(), runtime, RetrySettings.defaults(), ScanPolicy.ALLOW),
            "notes",
            Entity.class,
            Mapping.standard());

    @AfterEach
    void stop() {
        callbacks.shutdownNow();
        work.shutdownNow();
    }

    private Mono<HttpResponse> response(HttpRequest request, SimulatedConnection.Line line) {
        return Mono.fromCallable(() -> {
                    line.begin();
                    line.whole();
                    boolean read = request.getHttpMethod().toString().equals("GET");
                    HttpHeaders headers = new HttpHeaders()
                            .set(HttpHeaderName.ETAG, "W/\"1\"")
                            .set(HttpHeaderName.CONTENT_TYPE, "application/json");
                    String body = read ? entity(request.getUrl().getPath()) : "";
                    return SimulatedConnection.response(
                            request, read ? 200 : 204, headers, body.getBytes(StandardCharsets.UTF_8));
                })
                .subscribeOn(Schedulers.parallel());
    }

    /** The entity of this address. */
    private static String entity(String path) {
        String[] keys = path.split("'", -1);
        return "{\"PartitionKey\":\"" + keys[1] + "\",\"RowKey\":\"" + keys[3] + "\",\"Text\":\"text\"}";
    }

    /** The wait of a callback. */
    private enum Wait {
        FIND,
        CHAIN,
        WRITE,
        WRITES,
        FUTURE,
        NESTED,
        BLOCKING;

        Object on(Table<Entity> table, TableWriter<Entity> writer) {
            Mono<StoredEntity<Entity>> find = table.reactive().find("p", "r");
            Entity row = JournaledService.row("q", "r");
            return Objects.requireNonNull(
                    switch (this) {
                        case FIND -> find.block();
                        case CHAIN ->
                            find.flatMap(one -> find).flatMap(two -> find).block();
                        case WRITE -> table.reactive().insertOrReplace(row).block();
                        case WRITES ->
                            writer.reactive()
                                    .insertOrReplace(row)
                                    .flatMap(one -> writer.reactive().insertOrReplace(row))
                                    .flatMap(two -> find)
                                    .block();
                        case FUTURE -> find.toFuture().join();
                        case NESTED -> find.map(one -> find.block()).block();
                        case BLOCKING -> table.find("p", "r");
                    });
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("BATCH-13: callbacks of a writer that block on direct calls all return, also on every thread at once")
    void ofAWriter(Wait wait) throws Exception {
        TableWriter<Entity> writer = table.writer();
        CountDownLatch all = new CountDownLatch(THREADS);
        CompletableFuture<?>[] ends = new CompletableFuture<?>[CALLBACKS];
        for (int i = 0; i < CALLBACKS; i++) {
            CompletableFuture<Object> end = new CompletableFuture<>();
            ends[i] = end;
            writer.insertOrReplace(JournaledService.row("p" + i, "r")).whenComplete((written, failure) -> {
                try {
                    all.countDown();
                    all.await();
                    end.complete(wait.on(table, writer));
                } catch (Throwable e) {
                    end.completeExceptionally(e);
                }
            });
        }
        CompletableFuture.allOf(ends).get(20, TimeUnit.SECONDS);
        assertThat(ends).allSatisfy(end -> assertThat(end.join()).isNotNull());
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("BATCH-13: what follows a reactive result may block on direct calls on every thread at once")
    void ofAReactiveResult(Wait wait) throws Exception {
        TableWriter<Entity> writer = table.writer();
        CountDownLatch all = new CountDownLatch(THREADS);
        CompletableFuture<?>[] ends = new CompletableFuture<?>[CALLBACKS];
        for (int i = 0; i < CALLBACKS; i++) {
            ends[i] = table.reactive()
                    .find("p" + i, "r")
                    .map(found -> {
                        all.countDown();
                        try {
                            all.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                        return wait.on(table, writer);
                    })
                    .toFuture();
        }
        CompletableFuture.allOf(ends).get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("BATCH-15: a writer with a journal opens and takes operations while every callback thread is blocked")
    void opensAJournal(@TempDir Path folder) throws Exception {
        try (Journal journal = Journal.open(folder)) {
            JournaledService before = new JournaledService();
            before.refuses(503, "ServerBusy");
            before.table().writer(WriterJournal.of(journal), w -> w).insert(JournaledService.row("p", "left"));
        }
        CountDownLatch release = new CountDownLatch(1);
        for (int i = 0; i < THREADS; i++) {
            callbacks.execute(() -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        try (Journal journal = Journal.open(folder)) {
            TableWriter<Entity> writer = table.writer(WriterJournal.of(journal), w -> w);
            CompletableFuture<?> blocking = CompletableFuture.supplyAsync(
                    () -> {
                        writer.insertOrReplace(JournaledService.row("q", "a"));
                        return writer.flush();
                    },
                    work);
            var unused = writer.reactive()
                    .insertOrReplace(JournaledService.row("q", "b"))
                    .subscribe();
            blocking.get(20, TimeUnit.SECONDS);
        } finally {
            release.countDown();
        }
    }
}
