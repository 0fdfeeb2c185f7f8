package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.WriteOutcome;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The end of a write with index rows when one of its steps fails or is given up. */
class IndexedStepsTest {

    private static final Registration ANN = Registration.of(1).mailed("ann@x");

    private final MemoryStorage memory = MemoryStorage.create();
    private final AtomicReference<UnaryOperator<Mono<HttpResponse>>> references =
            new AtomicReference<>(UnaryOperator.identity());
    private final AtomicReference<UnaryOperator<Mono<HttpResponse>>> looks =
            new AtomicReference<>(UnaryOperator.identity());
    private final AtomicBoolean committed = new AtomicBoolean();
    private Stowline storage;
    private Table<Registration> table;
    private IndexedTable<Registration> runners;

    @BeforeEach
    void open() {
        HttpClient wire = memory.httpClient();
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(request -> played(request, wire.send(request)))
                .retry(retry -> retry.retries(0))
                .build();
        table = storage.table("races", Registration.class);
        table.create();
        runners = Registration.indexed(table);
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private Mono<HttpResponse> played(HttpRequest request, Mono<HttpResponse> response) {
        String path = request.getUrl().getPath();
        boolean read = request.getHttpMethod() == HttpMethod.GET;
        if (path.endsWith("$batch")) {
            committed.set(true);
        }
        if (path.contains("MAIL") && !read) {
            return references.get().apply(response);
        }
        return read && committed.get() && !path.contains("MAIL") ? looks.get().apply(response) : response;
    }

    private static Mono<HttpResponse> lost(Mono<HttpResponse> response) {
        return response.then(Mono.error(new IOException("Connection reset by peer")));
    }

    @Test
    @DisplayName(
            "OUTCOME-4: where the outcome of a reference is unknown, that of the entity is not: it was not written")
    void lostReference() {
        references.set(IndexedStepsTest::lost);
        assertThatExceptionOfType(UnreachableException.class)
                .isThrownBy(() -> runners.insert(ANN))
                .withMessageContaining("nothing of the entity was written");
        assertThat(runners.find(ANN.race(), ANN.id())).isEmpty();
    }

    @Test
    @DisplayName("RETRY-8: an interrupt after the transaction of the entity says that the write was carried out")
    void interruptedAtTheLastLook() {
        runners.insert(ANN);
        StoredEntity<Registration> stored = runners.find(ANN.race(), ANN.id()).orElseThrow();
        committed.set(false);
        Thread caller = Thread.currentThread();
        looks.set(response -> Mono.<HttpResponse>never().doOnSubscribe(begun -> caller.interrupt()));
        assertThatExceptionOfType(StorageInterruptedException.class)
                .isThrownBy(() -> runners.delete(stored))
                .withMessageContaining("had been carried out: delete races(race, r1)");
        assertThat(Thread.interrupted()).isTrue();
        looks.set(UnaryOperator.identity());
        assertThat(runners.find(ANN.race(), ANN.id())).isEmpty();
    }

    @Test
    @DisplayName(
            "BATCH-9: a client that is closed carries out what a writer with indexes has accepted, and the writer's"
                    + " close is quiet")
    void closedWithTheClient() throws InterruptedException {
        TableWriter<Registration> writer = runners.writer();
        var submitted = writer.insertOrReplace(ANN);
        storage.close();
        writer.close();
        assertThat(submitted.await().outcome()).isEqualTo(WriteOutcome.CONFIRMED);
    }

    @Test
    @DisplayName("an index that is null is named")
    void noIndex() {
        assertThatNullPointerException()
                .isThrownBy(() -> table.indexed((Index<Registration, ?>) null))
                .withMessage("index");
    }
}
