package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.caching.Freshness;
import io.stowline.journal.Journal;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordPosition;
import io.stowline.records.RecordStream;
import io.stowline.records.RecordWriter;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** All of Reactor's elastic threads wait during a test, as those of an application do whose blocking calls are on them. */
@Timeout(60)
@DisplayName("TRANSFER-7: a blocking call ends although all of Reactor's elastic threads wait")
class ElasticThreadsTest {

    @TempDir
    private Path folder;

    private final MemoryStorage memory = MemoryStorage.create();
    private final CountDownLatch release = new CountDownLatch(1);
    private final Disposable.Composite workers = Disposables.composite();
    private Stowline storage;

    record Runner(@PartitionKey String race, @RowKey String bib, String name) {}

    @BeforeEach
    void occupyElasticThreads() throws InterruptedException {
        CountDownLatch occupied = new CountDownLatch(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
        for (int i = 0; i < Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE; i++) {
            Scheduler.Worker worker = Schedulers.boundedElastic().createWorker();
            workers.add(worker);
            worker.schedule(() -> {
                occupied.countDown();
                awaitRelease();
            });
        }
        occupied.await();
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .cache(cache -> cache.disk(folder.resolve("cache"), 8 << 20))
                .build();
    }

    private void awaitRelease() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void freeElasticThreads() {
        try {
            assertThat(CompletableFuture.runAsync(storage::close)).succeedsWithin(Duration.ofSeconds(30));
        } finally {
            release.countDown();
            workers.dispose();
        }
    }

    @Test
    void blobs() {
        BlobContainer photos = storage.container("photos");
        photos.createIfMissing();
        photos.upload(new byte[100_000], "2026/a");
        photos.upload(new byte[10], "b");

        try (Stream<?> all = photos.stream();
                Stream<?> level = photos.entries("", "/")) {
            assertThat(all).hasSize(2);
            assertThat(level).hasSize(2);
        }
        assertThat(photos.download("2026/a")).hasSize(100_000);
        assertThat(photos.policies().list()).isEmpty();
        assertThat(photos.delete("b").outcome()).isNotNull();
        assertThat(storage.listContainers()).containsExactly("photos");
    }

    @Test
    void directories() throws IOException {
        Path local = Files.createDirectory(folder.resolve("local"));
        Files.write(local.resolve("a"), new byte[1_000]);
        BlobContainer photos = storage.container("photos");
        photos.createIfMissing();

        photos.uploadDirectory(local, "in", settings -> settings).join();
        photos.downloadDirectory("in", folder.resolve("back"), settings -> settings)
                .join();

        assertThat(folder.resolve("back").resolve("a")).hasSize(1_000);
    }

    @Test
    void cachedBlobsOnDisk() {
        BlobContainer photos = storage.container("photos");
        photos.createIfMissing();
        photos.upload(new byte[2 << 20], "a");

        for (int i = 0; i < 3; i++) {
            assertThat(photos.cached(Freshness.revalidated()).download("a").value())
                    .hasValueSatisfying(body -> assertThat(body).hasSize(2 << 20));
        }
    }

    @Test
    void queues() {
        MessageQueue<String> queue = storage.queue("orders");
        queue.createIfMissing();
        queue.send("one");

        assertThat(queue.receive()).hasValueSatisfying(queue::delete);
        assertThat(storage.listQueues()).containsExactly("orders");
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    void tablesWithAJournal() throws InterruptedException {
        Table<Runner> runners = storage.table("runners", Runner.class);
        runners.createIfMissing();
        try (Journal journal = Journal.open(folder.resolve("journal"));
                TableWriter<Runner> writer = runners.writer(WriterJournal.of(journal), w -> w)) {
            writer.insertOrReplace(new Runner("race", "1", "Ann")).await();
            writer.flush();
            assertThat(writer.rejected()).isEmpty();
            assertThat(writer.reactive().rejected().block()).isEmpty();
        }
        assertThat(runners.query().list()).hasSize(1);
        assertThat(storage.listTables()).containsExactly("runners");
    }

    @Test
    void records() {
        storage.container("logs").createIfMissing();
        RecordBlobs blobs = RecordBlobs.in(storage.container("logs"), "a/");
        try (Journal journal = Journal.open(folder.resolve("records"));
                RecordWriter<String> writer = blobs.writer(RecordFormat.lines(), w -> w.journal(journal))) {
            writer.write("one");
            writer.flush();
        }
        try (RecordStream<String> read = blobs.readAfter(RecordFormat.lines(), RecordPosition.first())) {
            assertThat(read).containsExactly("one");
        }
    }
}
