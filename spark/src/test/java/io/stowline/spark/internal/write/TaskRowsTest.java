package io.stowline.spark.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.spark.internal.option.WriteMode;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.FlushReport;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.transport.ReadOrigin;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("the settlement of a task's rows")
class TaskRowsTest {

    private static final RowMarker MARKER = new RowMarker("StowlineWriteId", "w");

    private final Map<EntityKey, Entity> stored = new HashMap<>();
    private final List<String> calls = new ArrayList<>();
    private @Nullable RuntimeException end;
    private boolean done = true;

    private static FailureDetails details(int status, String code) {
        return new FailureDetails(
                "insert", "t(p, r)", status, code, "text", 1, 0, Duration.ZERO, null, "mine", null, "the end");
    }

    private static StorageException unknown() {
        return new OutcomeUnknownException(details(0, ""), "nothing was read", null);
    }

    /** A submission that ends as the test wants. */
    private final class Ended implements InvocationHandler {

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
            return switch (method.getName()) {
                case "isDone" -> done;
                case "cancel" -> calls.add("cancel");
                case "await" -> {
                    calls.add("await");
                    if (end != null) {
                        throw end;
                    }
                    yield WriteResult.confirmed("etag", false);
                }
                default -> throw new UnsupportedOperationException(method.getName());
            };
        }
    }

    private static <T> T fake(Class<?> type, InvocationHandler handler) {
        @SuppressWarnings("unchecked") // the interface that the caller names
        T made = (T) Proxy.newProxyInstance(TaskRowsTest.class.getClassLoader(), new Class<?>[] {type}, handler);
        return made;
    }

    private final TableWriter<Entity> writer =
            fake(TableWriter.class, (proxy, method, arguments) -> switch (method.getName()) {
                case "flush" -> new FlushReport(0, 0);
                case "takeFailures" -> Optional.empty();
                case "close" -> null;
                case "stats" -> new TableWriter.Stats(0, 0, 0, 0);
                default -> {
                    calls.add(method.getName());
                    yield fake(Submission.class, new Ended());
                }
            });

    private final Table<Entity> table = fake(Table.class, (proxy, method, arguments) -> switch (method.getName()) {
        case "name" -> "people";
        case "writer" -> writer;
        case "findAll" -> {
            calls.add("findAll");
            yield ((Collection<?>) arguments[0])
                    .stream()
                            .filter(stored::containsKey)
                            .map(key -> StoredEntity.read(stored.get(key), "etag", null, ReadOrigin.primary()))
                            .toList();
        }
        default -> throw new UnsupportedOperationException(method.getName());
    });

    private TaskRows rows(WriteMode mode) {
        return new TaskRows(table, mode, MARKER, false);
    }

    private static Entity row(String rowKey) {
        return Entity.builder("p", rowKey).build();
    }

    private void store(String marker) {
        Entity.Builder entity = Entity.builder("p", "r");
        if (!marker.isEmpty()) {
            entity.set("StowlineWriteId", marker);
        }
        stored.put(new EntityKey("p", "r"), entity.build());
    }

    @ParameterizedTest
    @CsvSource({"INSERT, w", "INSERT_IGNORE, other", "INSERT_IGNORE, ''", "DELETE,"})
    @DisplayName("takes an unknown outcome for a success where the table shows the intended state")
    void unknownButDone(WriteMode mode, @Nullable String marker) throws IOException {
        if (marker != null) {
            store(marker);
        }
        end = unknown();
        TaskRows rows = rows(mode);

        rows.add(row("r"));
        rows.flush();

        assertThat(rows.counts().known()).isEqualTo(1);
        assertThat(rows.counts().entities()).isZero();
        assertThat(calls).contains("findAll");
    }

    @ParameterizedTest
    @CsvSource({
        "INSERT,, the outcome",
        "INSERT, other, another write or row",
        "INSERT, '', has no StowlineWriteId",
        "INSERT_IGNORE,, the outcome",
        "DELETE, w, the outcome",
        "UPSERT_REPLACE, w, the outcome",
        "UPSERT_MERGE,, the outcome"
    })
    @DisplayName("fails at an unknown outcome otherwise, and names the keys")
    void unknown(WriteMode mode, @Nullable String marker, String reason) throws IOException {
        if (marker != null) {
            store(marker);
        }
        end = unknown();
        TaskRows rows = rows(mode);
        rows.add(row("r"));

        assertThatThrownBy(rows::flush)
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(
                        "a row was not written to the table people: EntityKey[partitionKey=p, rowKey=r]: ")
                .hasMessageContaining(reason.equals("the outcome") ? String.valueOf(end.getMessage()) : reason);
    }

    @ParameterizedTest
    @EnumSource(WriteMode.class)
    @DisplayName("takes no conflict of the table for one of an entity")
    void tableInDeletion(WriteMode mode) throws IOException {
        store("w");
        end = new ConflictException(details(409, "TableBeingDeleted"), null);
        TaskRows rows = rows(mode);
        rows.add(row("r"));

        assertThatThrownBy(rows::flush).hasMessageContaining("TableBeingDeleted");
    }

    @Test
    @DisplayName("fails at the next row after one that failed, with all that failed until then")
    void failsEarly() throws IOException {
        TaskRows rows = rows(WriteMode.UPSERT_REPLACE);
        done = false;
        for (int i = 0; i < 20; i++) {
            rows.add(row("r" + i));
        }
        done = true;
        end = unknown();

        assertThatThrownBy(() -> rows.add(row("late")))
                .hasMessageStartingWith(
                        "20 rows were not written to the table people: EntityKey[partitionKey=p, rowKey=r0]")
                .hasMessageContaining("rowKey=r9]")
                .hasMessageNotContaining("rowKey=r10]")
                .hasMessageEndingWith(" and 10 more");
    }

    @Test
    @DisplayName("waits for the oldest row where too many are behind it")
    void bounded() throws IOException {
        TaskRows rows = rows(WriteMode.UPSERT_REPLACE);
        done = false;

        for (int i = 0; i < 20_005; i++) {
            rows.add(row("r" + i));
        }

        assertThat(calls.stream().filter("await"::equals)).hasSize(5);
    }

    @Test
    @DisplayName("takes back at an abort what is not sent")
    void discards() throws IOException {
        TaskRows rows = rows(WriteMode.UPSERT_REPLACE);
        done = false;
        rows.add(row("1"));
        rows.add(row("2"));

        rows.discard();
        rows.close();

        assertThat(calls).containsExactly("insertOrReplace", "insertOrReplace", "cancel", "cancel");
    }

    @Test
    @DisplayName("reads conflicts back in groups, so that they do not gather")
    void readsBackInGroups() throws IOException {
        end = new ConflictException(details(409, "EntityAlreadyExists"), null);
        TaskRows rows = rows(WriteMode.INSERT);
        for (int i = 0; i < 15; i++) {
            stored.put(
                    new EntityKey("p" + i, "r"),
                    Entity.builder("p" + i, "r").set("StowlineWriteId", "w").build());
            rows.add(Entity.builder("p" + i, "r").build());
        }

        rows.flush();

        assertThat(rows.counts().known()).isEqualTo(15);
        assertThat(calls.stream().filter("findAll"::equals)).hasSize(1);
    }
}
