package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import io.stowline.Stowline;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

/** The executor of the application keeps its tasks and runs none. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@DisplayName("BATCH-9: close() does not wait for an executor that runs no callbacks")
class ClosingWithHeldCallbacksTest {

    record Runner(@PartitionKey String race, @RowKey String bib, String name) {}

    private static final Duration NOT_REACHED = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(50);

    private final MemoryStorage memory = MemoryStorage.create();
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private Stowline storage;

    @BeforeEach
    void prepare() {
        connect(NOT_REACHED, memory.httpClient());
        runners().create();
        storage.queue("orders").create();
    }

    private void connect(Duration closeTimeout, HttpClient http) {
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(http)
                .callbacks(held::add)
                .closeTimeout(closeTimeout)
                .build();
    }

    @AfterEach
    void runAll() {
        for (Runnable task = held.poll(); task != null; task = held.poll()) {
            task.run();
        }
    }

    private Table<Runner> runners() {
        return storage.table("runners", Runner.class);
    }

    private static Runner runner(int bib) {
        return new Runner("2026", String.valueOf(bib), "John");
    }

    @Test
    @DisplayName("without writers")
    void withoutWriters() {
        assertThatCode(storage::close).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("with a writer, whose operations are sent and whose results wait")
    void writer() {
        TableWriter<Runner> writer = runners().writer();
        for (int bib = 0; bib < 5; bib++) {
            writer.insert(runner(bib)).whenComplete((result, error) -> {});
        }

        storage.close();

        assertThat(writer.bufferedItems()).isZero();
        try (Stowline other = ClaimCheckQueue.client(memory)) {
            assertThat(other.table("runners", Runner.class).query().list()).hasSize(5);
        }
    }

    @Test
    @DisplayName("with failures that no caller took, which it throws")
    void failures() {
        runners().insert(runner(1));
        runners().writer().insert(runner(1));

        assertThatThrownBy(storage::close).isInstanceOf(UncollectedFailuresException.class);
    }

    @Test
    @DisplayName("with a writer of an indexed table, whose steps go on without callbacks")
    void indexedWriter() {
        Table<Registration> races = storage.table("races", Registration.class);
        races.create();
        Registration.indexed(races).writer().insert(Registration.of(1));

        assertThatCode(storage::close).doesNotThrowAnyException();
        try (Stowline other = ClaimCheckQueue.client(memory)) {
            assertThat(other.table("races", Registration.class).find("race", "r1"))
                    .isPresent();
        }
    }

    @Test
    @DisplayName("with an upload that waits for its progress listener, beyond closeTimeout")
    void progressListener() {
        connect(SHORT, memory.httpClient());
        storage.container("files").create();
        storage.container("files")
                .reactive()
                .upload(new byte[5], "a", settings -> settings.progress(bytes -> {}))
                .subscribe(done -> {}, cut -> {});
        while (held.isEmpty()) {
            ShortPause.park();
        }

        assertThatCode(storage::close).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("on the reactive face")
    void reactive() {
        runners().writer().insert(runner(1));

        assertThatCode(() -> storage.reactive().close().block()).doesNotThrowAnyException();
    }

    @Test
    @DisplayName("with a write that hangs, beyond closeTimeout")
    void hangingWrite() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        connect(SHORT, request -> {
            arrived.countDown();
            return Mono.never();
        });
        runners().writer().insert(runner(1));
        arrived.await();

        assertThatThrownBy(storage::close).isInstanceOf(UncollectedFailuresException.class);
    }

    @Test
    @DisplayName("with a message whose reactive handler does not begin, beyond closeTimeout")
    void handler() {
        connect(SHORT, memory.httpClient());
        storage.queue("orders").send("order");
        storage.queue("orders").reactive().consume(message -> Mono.empty()).start();
        while (held.isEmpty()) {
            ShortPause.park();
        }

        assertThatCode(storage::close).doesNotThrowAnyException();
    }
}
