package io.stowline.table.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.testkit.memory.MemoryStorage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pages of a reactive query with a limit, whatever its subscriber requests. */
class ReactiveLimitTest {

    private final MemoryStorage memory = MemoryStorage.create();

    @ParameterizedTest
    @CsvSource({"5, 10, 5, 1", "20, 10, 20, 2", "15, 10, 15, 2", "100, 10, 25, 3"})
    @DisplayName("no page is requested behind the last result")
    void requestsNoFurtherPage(int limit, int pageSize, int results, int pages) {
        try (Stowline storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build()) {
            storage.table("rows").create();
            try (var writer = storage.table("rows").writer()) {
                for (int i = 0; i < 25; i++) {
                    writer.insertOrReplace(
                            Entity.builder("p", "r%03d".formatted(i)).build());
                }
            }

            assertThat(storage.reactive().table("rows").query().pageSize(pageSize).limit(limit).stream()
                            .collectList()
                            .block())
                    .hasSize(results);

            assertThat(memory.requests().stream().filter(request -> request.startsWith("GET")))
                    .hasSize(pages);
        }
    }
}
