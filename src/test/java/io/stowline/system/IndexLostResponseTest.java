package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.retry.Backoff;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class IndexLostResponseTest {

    record Runner(@PartitionKey String race, @RowKey String bib, String name, int age) {}

    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = client(1);

    @AfterEach
    void close() {
        storage.close();
    }

    private Stowline client(int retries) {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .retry(r -> r.retries(retries).backoff(Backoff.fixed(Duration.ofMillis(1))))
                .httpClient(memory.httpClient())
                .build();
    }

    private static IndexedTable<Runner> runners(Stowline client) {
        return client.table("runners", Runner.class).indexed(AGE);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @DisplayName("OUTCOME-3: a repair whose removal of a stray row loses its response counts the row as removed")
    void strayRow(int retries) {
        runners(storage).table().create();
        runners(storage).insert(new Runner("2026", "1", "John", 50));
        storage.table("runners", Runner.class).delete("2026", "1");
        memory.loseNextResponse("DELETE", "runners");

        try (Stowline repairing = client(retries)) {
            assertThat(runners(repairing).repair()).isEqualTo(new IndexedTable.IndexReport(0, 0, 1, 0, 0));
        }
        assertThat(runners(storage).repair()).isEqualTo(new IndexedTable.IndexReport(0, 0, 0, 0, 0));
    }

    @Test
    @DisplayName("MAP-2: a conflict of an indexed insert names its verb and its keys")
    void conflict() {
        runners(storage).table().create();
        runners(storage).insert(new Runner("2026", "1", "John", 50));

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> runners(storage).insert(new Runner("2026", "1", "Mary", 40)))
                .withMessageStartingWith("insert runners(2026, 1): 409 EntityAlreadyExists");
    }
}
