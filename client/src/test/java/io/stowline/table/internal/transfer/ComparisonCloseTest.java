package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.transfer.EntityDifference;
import io.stowline.table.transfer.EntitySource;
import io.stowline.table.transfer.TableTransfers;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Comparisons that another thread closes, and a file that loses rows while it is compared. */
@Timeout(60)
class ComparisonCloseTest {

    private static final String CLOSED = "the comparison was closed or has failed before its end";

    private final TransferBench bench = new TransferBench();
    private final AtomicBoolean down = new AtomicBoolean();
    private final AtomicInteger refused = new AtomicInteger();
    private final HttpClient network = request -> {
        if (down.get()) {
            refused.incrementAndGet();
            return Mono.error(new IOException("the network is down"));
        }
        return bench.memory.httpClient().send(request);
    };
    private final Stowline storage = Stowline.builder()
            .connectionString(bench.memory.connectionString())
            .httpClient(network)
            .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))).retries(1))
            .build();
    private final TableTransfers tables = storage.tables();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        storage.close();
        bench.close();
    }

    private EntitySource table(String name, int rows) {
        bench.filled(
                name,
                IntStream.range(0, rows)
                        .mapToObj(i -> Entity.builder("p", "r%05d".formatted(i))
                                .set("Number", i)
                                .build())
                        .toList());
        return EntitySource.of(storage.table(name));
    }

    /** Reads on another thread, and closes once the reader waits in vain. */
    private void closedWhileRead(
            Stream<EntityDifference> differences, Iterator<EntityDifference> each, Runnable event) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try {
                each.forEachRemaining(difference -> {});
                end.complete(null);
            } catch (RuntimeException | Error e) {
                end.completeExceptionally(e);
            }
        });
        reader.start();
        event.run();
        while (reader.getState() != Thread.State.WAITING && reader.getState() != Thread.State.TERMINATED) {
            Thread.onSpinWait();
        }
        differences.close();

        assertThatThrownBy(end::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining(CLOSED);
        assertThatIllegalStateException().isThrownBy(each::hasNext).withMessage(CLOSED);
    }

    @Test
    @DisplayName("MOVE-2: closing a comparison ends the reader that waits for a service that is away, and its requests")
    void closedInAnOutage() {
        Stream<EntityDifference> differences =
                tables.compare(table("source", 5_000), table("target", 0), with -> with.parallelism(1));
        Iterator<EntityDifference> each = differences.iterator();
        assertThat(each.next().rowKey()).isEqualTo("r00000");
        down.set(true);

        closedWhileRead(differences, each, () -> {
            while (refused.get() == 0) {
                Thread.onSpinWait();
            }
        });
    }

    @Test
    @DisplayName("closing a comparison ends the reader that its rate holds back, and not as at the end of the entities")
    void closedWhilePaced() {
        Stream<EntityDifference> differences =
                tables.compare(table("source", 500), table("target", 500), with -> with.rate(1));

        closedWhileRead(differences, differences.iterator(), () -> {});
    }

    @Test
    @DisplayName("MOVE-1: a file that loses rows while it is compared is an error, and no difference")
    void aFileLosesRows() throws IOException {
        Path file = folder.resolve("rows.jsonl");
        Files.writeString(
                file,
                IntStream.range(0, 30_000)
                        .mapToObj("{\"PartitionKey\":\"p\",\"RowKey\":\"r%05d\"}\n"::formatted)
                        .collect(Collectors.joining()));
        int line = "{\"PartitionKey\":\"p\",\"RowKey\":\"r00000\"}\n".getBytes(StandardCharsets.UTF_8).length;
        try (Stream<EntityDifference> differences = tables.compare(EntitySource.of(file), table("target", 0))) {
            Iterator<EntityDifference> each = differences.iterator();
            assertThat(each.next().rowKey()).isEqualTo("r00000");
            try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
                cut.setLength(20_000L * line);
            }

            assertThatThrownBy(() -> each.forEachRemaining(difference -> {}))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining("the file ends after 20000 rows, and had 30000 when it was opened");
        }
        assertThat(List.of(folder.toFile().list())).containsExactly("rows.jsonl");
    }
}
