package io.stowline.table.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.IndexedTable.IndexReport;
import io.stowline.table.internal.index.PlayedProcess.Fate;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.internal.http.PlayTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Inserts of entities that exist, with lost responses, in virtual time. */
class LostRefusalTest {

    record Runner(@PartitionKey String race, @RowKey String id, int age, String mail) {}

    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
    private static final Index<Runner, String> MAIL =
            Index.text("MAIL", Runner::mail).global(8);
    private static final Runner ANN = new Runner("race", "ann", 30, "ann@x");
    private static final Runner ANOTHER = new Runner("race", "ann", 31, "another@x");

    private final PlayTime time = new PlayTime();
    private final Instant begun = Instant.now();
    private final MemoryStorage memory = MemoryStorage.create(new Clock() {

        @Override
        public Instant instant() {
            return begun.plusMillis(time.now(TimeUnit.MILLISECONDS));
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    });
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();

    @AfterEach
    void close() {
        storage.close();
    }

    private void await(CompletableFuture<?> end) {
        long guard = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!end.isDone() && System.nanoTime() < guard) {
            time.advanceTimeBy(Duration.ofMillis(10));
            LockSupport.parkNanos(20_000);
        }
        assertThat(end).isDone();
    }

    @ParameterizedTest
    @CsvSource({"false, 1", "false, 2", "true, 1", "true, 2"})
    @DisplayName("OUTCOME-9: an insert that the service refuses is refused, whichever responses to it are lost")
    void refusals(boolean elsewhere, int losses) {
        List<Index<Runner, ?>> indexes = elsewhere ? List.of(AGE, MAIL) : List.of(AGE);
        boolean met = true;
        for (int first = 1; met; first++) {
            for (boolean writes : new boolean[] {false, true}) {
                memory.clear();
                storage.table("runners").create();
                storage.table("runners", Runner.class).indexed(indexes).insert(ANN);
                time.advanceTimeBy(Duration.ofSeconds(10));
                PlayedProcess process = new PlayedProcess(memory, time, RetrySettings.defaults());
                int from = first;
                process.fates(number -> number >= from && number < from + losses ? Fate.RESPONSE_LOST : Fate.SERVED);
                IndexedTable<Runner> table =
                        process.table("runners", Runner.class).indexed(indexes);
                CompletableFuture<?> insert = writes
                        ? table.writer().reactive().insert(ANOTHER).toFuture()
                        : table.reactive().insert(ANOTHER).toFuture();
                await(insert);
                String as = "from request " + first + (writes ? " of a writer" : "");
                assertThat(insert).as(as).isCompletedExceptionally();
                assertThat(insert.handle((done, error) -> error).join()).as(as).satisfies(error -> assertThat(
                                error instanceof CompletionException ? error.getCause() : error)
                        .isInstanceOf(ConflictException.class));
                met = process.requests() >= first;
                assertThat(process.permits()).as(as).isZero();
                process.end();
                assertThat(storage.table("runners", Runner.class)
                                .indexed(indexes)
                                .repair())
                        .as(as)
                        .isEqualTo(new IndexReport(1, 0, 0, 0, 0));
            }
        }
    }
}
