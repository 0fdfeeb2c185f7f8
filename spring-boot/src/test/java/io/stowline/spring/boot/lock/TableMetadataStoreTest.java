package io.stowline.spring.boot.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.spring.boot.lock.LockStorage.LockProcess;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The metadata store over an account in memory, with the semantics of the stores of Spring Integration. */
@Timeout(60)
class TableMetadataStoreTest {

    private static final String TABLE = "metadata";

    private final LockStorage storage = new LockStorage();
    private final LockProcess process = storage.process();
    private final Table<Entity> table = process.client.table(TABLE);
    private final TableMetadataStore store = new TableMetadataStore(table);
    private final TableMetadataStore other =
            new TableMetadataStore(storage.process().client.table(TABLE));

    @BeforeEach
    void make() {
        table.create();
    }

    @AfterEach
    void close() {
        storage.close();
    }

    @Test
    void putsGetsAndRemoves() {
        assertThat(store.get("a")).isNull();
        assertThat(store.remove("a")).isNull();
        store.put("a", "1");
        store.put("a", "2");
        store.put("a/b", "3");
        assertThat(other.get("a")).isEqualTo("2");
        assertThat(other.remove("a")).isEqualTo("2");
        assertThat(store.get("a")).isNull();
        assertThat(store.get("a/b")).isEqualTo("3");
    }

    @Test
    void putsIfAbsentAndReplaces() {
        assertThat(store.replace("a", "1", "2")).isFalse();
        assertThat(store.putIfAbsent("a", "1")).isNull();
        assertThat(other.putIfAbsent("a", "1")).isEqualTo("1");
        assertThat(other.replace("a", "0", "2")).isFalse();
        assertThat(other.replace("a", "1", "2")).isTrue();
        assertThat(store.get("a")).isEqualTo("2");
        assertThat(store.putIfAbsent("a", "3")).isEqualTo("2");
        store.put("a", "");
        assertThat(store.putIfAbsent("a", "3")).isEmpty();
        assertThat(store.replace("a", "", "3")).isTrue();
    }

    static List<String> values() {
        return List.of(
                "",
                "a",
                "a".repeat(32_000),
                "ä".repeat(32_001),
                "a".repeat(31_999) + "😀".repeat(9_000),
                "😀".repeat(32_768),
                "a".repeat(65_536));
    }

    @ParameterizedTest
    @MethodSource("values")
    void keepsLongValues(String value) {
        store.put("a", "x".repeat(65_536));
        store.put("a", value);

        assertThat(Objects.requireNonNull(other.get("a")).equals(value)).isTrue();
        assertThat(other.replace("a", value, "short")).isTrue();
        assertThat(other.remove("a")).isEqualTo("short");
    }

    @Test
    void refusesWhatItCannotKeep() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.put("a", "x".repeat(65_537)))
                .withMessageContaining("'a' has 65537 characters")
                .withMessageContaining("65536");
        assertThatIllegalArgumentException().isThrownBy(() -> store.put("k".repeat(1_025), "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.put(null, "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.put("a", null));
        assertThatIllegalArgumentException().isThrownBy(() -> store.replace("a", null, "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> store.get(null));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> new TableMetadataStore(process.client.table("missing")).get("a"));
    }

    @Test
    @DisplayName("OUTCOME-5: lost responses at each write are settled by reading back")
    void survivesLostResponses() {
        for (int round = 0; round < 3; round++) {
            lose("POST");
            assertThat(store.putIfAbsent("a", "1")).isNull();
            lose("POST");
            assertThatExceptionOfType(OutcomeUnknownException.class)
                    .as("equal content proves nothing")
                    .isThrownBy(() -> other.putIfAbsent("a", "1"));
            assertThat(other.putIfAbsent("a", "1")).isEqualTo("1");
            lose("PUT");
            assertThat(store.replace("a", "1", "2")).isTrue();
            lose("PUT");
            store.put("a", "3");
            assertThat(other.remove("a")).isEqualTo("3");
        }
    }

    private void lose(String method) {
        storage.memory.loseNextResponse(method, "/" + TABLE);
    }

    @Test
    @DisplayName("OUTCOME-5: a text whose insertion has an unknown outcome is not reported as stored by this call")
    void showsAnUnknownOutcome() {
        TableMetadataStore hasty =
                new TableMetadataStore(table.withRetry(retry -> retry.retries(0).deadline(Duration.ofMillis(300))));
        process.loseResponses();
        assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> hasty.putIfAbsent("a", "1"));
        process.respond();

        assertThat(hasty.putIfAbsent("a", "2")).isEqualTo("1");
    }

    @Test
    @DisplayName("of all that put at once one is the first, and no replacement is lost")
    void isAtomic() {
        List<CompletableFuture<Boolean>> first = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            TableMetadataStore own = thread % 2 == 0 ? store : other;
            first.add(CompletableFuture.supplyAsync(
                    () -> {
                        boolean stored = own.putIfAbsent("count", "0") == null;
                        for (int i = 0; i < 10; i++) {
                            String known = Objects.requireNonNull(own.get("count"));
                            while (!own.replace("count", known, Integer.toString(Integer.parseInt(known) + 1))) {
                                known = Objects.requireNonNull(own.get("count"));
                            }
                        }
                        return stored;
                    },
                    run -> new Thread(run, "worker").start()));
        }

        assertThat(first.stream().filter(CompletableFuture::join)).hasSize(1);
        assertThat(store.get("count")).isEqualTo("40");
        store.put("gone", "x");
        List<CompletableFuture<String>> removed = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(() -> (i % 2 == 0 ? store : other).remove("gone")))
                .toList();
        assertThat(removed.stream().map(CompletableFuture::join).filter(Objects::nonNull))
                .containsExactly("x");
    }
}
