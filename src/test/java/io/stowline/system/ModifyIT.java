package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.stowline.error.PreconditionFailedException;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.StubResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Read, change, replace, and again while others are faster. */
class ModifyIT extends StorageTest {

    private static final Runner ANN = new Runner("full", "1", "Ann", 0);

    private Table<Runner> runners;

    @BeforeEach
    void makeTable() {
        runners = freshTable(Runner.class);
        runners.insert(ANN);
    }

    private Runner found() {
        return runners.find("full", "1").orElseThrow().value();
    }

    private static Runner older(Runner runner) {
        return runner.aged(runner.age() + 1);
    }

    @Test
    @DisplayName("OUTCOME-0: of changes that meet, none is lost and none counts twice")
    void concurrentChangesAllCount() {
        List<CompletableFuture<Void>> blocking = IntStream.range(0, 3)
                .mapToObj(i -> CompletableFuture.runAsync(() -> {
                    for (int n = 0; n < 10; n++) {
                        assertThat(runners.modify("full", "1", ModifyIT::older)).isPresent();
                    }
                }))
                .toList();
        List<CompletableFuture<StoredEntity<Runner>>> reactive = IntStream.range(0, 10)
                .mapToObj(i ->
                        runners.reactive().modify("full", "1", ModifyIT::older).toFuture())
                .toList();

        Stream.concat(blocking.stream(), reactive.stream()).forEach(CompletableFuture::join);

        assertThat(found().age()).isEqualTo(40);
    }

    @Test
    void givesTheNewVersion() {
        StoredEntity<Runner> older =
                runners.modify("full", "1", ModifyIT::older).orElseThrow();

        assertThat(older.value()).isEqualTo(ANN.aged(1));
        runners.replace(older.with(ANN.aged(2)));
        assertThat(found().age()).isEqualTo(2);
    }

    @Test
    @DisplayName("a change that changes nothing writes nothing")
    void writesNothing() {
        proxy().clear();

        assertThat(runners.modify("full", "1", runner -> runner.aged(0))
                        .orElseThrow()
                        .value())
                .isEqualTo(ANN);

        assertThat(proxy().recorded(requests().method("PUT"))).isEmpty();
    }

    @Test
    void ofNothingIsNothing() {
        assertThat(runners.modify("full", "2", ModifyIT::older)).isEmpty();
        assertThat(runners.reactive().modify("full", "2", ModifyIT::older).blockOptional())
                .isEmpty();
    }

    @Test
    void refusesOtherKeysAndNull() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> runners.modify("full", "1", runner -> Runner.of("half", 7)))
                .withMessageContaining("keeps the keys")
                .withMessageContaining("BIB:00007");
        assertThatNullPointerException()
                .isThrownBy(() -> runners.modify("full", "1", runner -> null))
                .withMessageContaining("gave null");
        assertThat(found()).isEqualTo(ANN);
    }

    @Test
    @DisplayName("the conflict is thrown when other writers are faster until the deadline")
    void givesUpAtTheDeadline() {
        proxy().when(requests().method("PUT"))
                .respond(StubResponse.tableError(412, "UpdateConditionNotSatisfied", "The condition is not met."));
        Table<Runner> hurried = runners.withRetry(
                retry -> retry.deadline(Duration.ofSeconds(2)).attemptTimeout(Duration.ofMillis(1_500)));

        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> hurried.modify("full", "1", ModifyIT::older));
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() ->
                        hurried.reactive().modify("full", "1", ModifyIT::older).block());
        assertThat(proxy().recorded(requests().method("PUT"))).hasSizeGreaterThan(4);
    }

    @Test
    @DisplayName("a conflict inside the change is the application's own")
    void failuresOfTheChangePass() {
        IllegalStateException own = new IllegalStateException("no");

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> runners.modify("full", "1", runner -> {
                    throw own;
                }))
                .isSameAs(own);
    }
}
