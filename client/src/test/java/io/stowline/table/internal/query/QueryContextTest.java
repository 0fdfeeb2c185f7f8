package io.stowline.table.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.StowlineListener;
import io.stowline.table.Entity;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/** The Reactor context of a query's subscriber, at the listener to its pages. */
class QueryContextTest {

    private static final String KEY = "request";

    private final MemoryStorage memory = MemoryStorage.create();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final StowlineListener listener = new StowlineListener() {
        @Override
        public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
            if (operation.name().equals("query")) {
                seen.add(context.getOrDefault(KEY, "no context"));
            }
            return OperationListener.NONE;
        }
    };

    @Test
    @DisplayName("each page has the context of the subscriber, one that is fetched ahead and one of a part too")
    void pagesHaveTheContext() {
        try (Stowline storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .listener(listener)
                .build()) {
            storage.table("rows").create();
            try (var writer = storage.table("rows").writer()) {
                for (int i = 0; i < 25; i++) {
                    writer.insertOrReplace(
                            Entity.builder("p" + i % 2, "r%03d".formatted(i)).build());
                }
            }
            var rows = storage.reactive().table("rows").query().pageSize(10);

            assertThat(rows.stream()
                            .contextWrite(Context.of(KEY, "one"))
                            .collectList()
                            .block())
                    .hasSize(25);
            assertThat(rows.partitions(List.of("p0", "p1")).stream()
                            .contextWrite(Context.of(KEY, "two"))
                            .collectList()
                            .block())
                    .hasSize(25);

            assertThat(seen).containsExactly("one", "one", "one", "two", "two", "two", "two");
        }
    }
}
