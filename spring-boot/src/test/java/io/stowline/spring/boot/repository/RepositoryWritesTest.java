package io.stowline.spring.boot.repository;

import static io.stowline.spring.boot.repository.MemoryRunners.ANN;
import static io.stowline.spring.boot.repository.MemoryRunners.BEA;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.spring.boot.repository.MemoryRunners.Runner;
import io.stowline.table.StoredEntity;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** The writes of repositories: their conditions, their index rows, and responses that are lost. */
class RepositoryWritesTest {

    interface Runners extends TableRepository<Runner> {
        boolean deleteByRaceAndBib(String race, String bib);
    }

    interface IndexedRunners extends TableRepository<Runner> {
        List<Runner> findByRaceAndAge(String race, int age);

        boolean deleteByRaceAndBib(String race, String bib);
    }

    interface ReactiveRunners extends ReactiveTableRepository<Runner> {
        Flux<Runner> findByRaceAndAge(String race, int age);
    }

    private final MemoryRunners storage = new MemoryRunners();
    private final Runners runners = storage.runners().create(Runners.class);
    private final IndexedRunners indexed = storage.indexed().create(IndexedRunners.class);
    private final ReactiveRunners reactive = storage.indexed().create(ReactiveRunners.class);

    @AfterEach
    void close() {
        storage.close();
    }

    private static Runner older(Runner runner) {
        return new Runner(runner.race(), runner.bib(), runner.name(), runner.age() + 1, runner.mail());
    }

    @Test
    void insertsReplacesAndDeletesOfOneVersion() {
        runners.insert(ANN);
        assertThatThrownBy(() -> runners.insert(ANN)).isInstanceOf(ConflictException.class);
        assertThatThrownBy(() -> runners.claim(ANN)).isInstanceOf(ConflictException.class);
        StoredEntity<Runner> read = runners.find("full", "0001").orElseThrow();
        runners.replace(read.with(older(ANN)));

        assertThatThrownBy(() -> runners.replace(read.with(ANN))).isInstanceOf(PreconditionFailedException.class);
        assertThatThrownBy(() -> runners.delete(read)).isInstanceOf(PreconditionFailedException.class);
        runners.delete(runners.find("full", "0001").orElseThrow());
        assertThat(runners.deleteIfExists("full", "0001")).isFalse();
        assertThat(runners.insertOrReplace(BEA).outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        assertThat(runners.claim(ANN).evidence()).isEqualTo(Evidence.RESPONSE);
        assertThatIllegalStateException().isThrownBy(runners::indexed).withMessageContaining("runners has no index");
    }

    @Test
    @DisplayName("OUTCOME-2: a lost response of a replacement for one version is settled by reading back")
    void aLostResponseOfAConditionalSaveIsSettledByReadingBack() {
        runners.insert(ANN);
        StoredEntity<Runner> read = runners.find("full", "0001").orElseThrow();
        storage.memory.loseNextResponse("PUT", "/runners(");

        assertThat(runners.replace(read.with(older(ANN))).outcome()).isEqualTo(WriteOutcome.RECOVERED);
        assertThatThrownBy(() -> runners.replace(read.with(ANN))).isInstanceOf(PreconditionFailedException.class);
        assertThat(runners.find("full", "0001").orElseThrow().value().age()).isEqualTo(42);
    }

    @Test
    void aLostResponseOfAClaimIsSettledByItsMarker() {
        storage.memory.loseNextResponse("POST", "/runners");

        assertThat(runners.claim(ANN).evidence()).isEqualTo(Evidence.MARKER);
    }

    @Test
    void aRepositoryWithIndexesKeepsTheirRows() {
        indexed.insert(ANN);
        indexed.replace(indexed.find("full", "0001").orElseThrow().with(older(ANN)));
        assertThat(indexed.findByRaceAndAge("full", 41)).isEmpty();
        assertThat(indexed.findByRaceAndAge("full", 42)).hasSize(1);

        assertThat(indexed.deleteByRaceAndBib("full", "0001")).isTrue();
        assertThat(indexed.deleteByRaceAndBib("full", "0001")).isFalse();
        assertThat(indexed.findByRaceAndAge("full", 42)).isEmpty();
        indexed.insertOrReplace(BEA);
        indexed.delete(indexed.find("full", "0002").orElseThrow());
        assertThat(indexed.indexed().repair().clean()).isTrue();
        assertThat(storage.client.table("indexed").query().count()).isZero();
    }

    @Test
    void aClaimBesideIndexesIsRefused() {
        int before = storage.sent();

        assertThatThrownBy(() -> indexed.claim(ANN))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("indexed has indexes");
        assertThatThrownBy(() -> reactive.claim(ANN).block()).isInstanceOf(UnsupportedOperationException.class);
        assertThat(storage.sent()).isEqualTo(before);
    }

    @Test
    void aLostResponseLeavesIndexRowsAsTheyShouldBe() {
        indexed.insert(ANN);
        StoredEntity<Runner> read = indexed.find("full", "0001").orElseThrow();
        storage.memory.loseNextResponse("POST", "/$batch");

        assertThat(indexed.replace(read.with(older(ANN))).evidence()).isEqualTo(Evidence.MARKER);

        assertThat(indexed.indexed().repair().clean()).isTrue();
        assertThat(indexed.findByRaceAndAge("full", 42)).containsExactly(older(ANN));
    }

    @Test
    void aMissingTableIsNoMissingEntity() {
        storage.client.table("indexed").drop();

        assertThatThrownBy(() -> indexed.deleteByRaceAndBib("full", "0001"))
                .isInstanceOfSatisfying(NotFoundException.class, missing -> assertThat(missing.isContainerMissing())
                        .isTrue());
    }

    @Test
    void theReactiveFaceWritesTheSame() {
        reactive.insert(ANN).block();
        reactive.insertOrReplace(BEA).block();
        StoredEntity<Runner> read = reactive.find("full", "0001").block();
        reactive.replace(read.with(older(ANN))).block();
        assertThatThrownBy(() -> reactive.delete(read).block()).isInstanceOf(PreconditionFailedException.class);

        assertThat(reactive.findByRaceAndAge("full", 42).collectList().block()).hasSize(1);
        assertThat(reactive.deleteIfExists("full", "0001").block()).isTrue();
        assertThat(reactive.deleteIfExists("full", "0001").block()).isFalse();
        reactive.delete(reactive.find("full", "0002").block()).block();
        assertThat(reactive.query().list().block()).isEmpty();
        assertThat(reactive.query("full").count().block()).isZero();
        assertThat(reactive.indexed().repair().block().clean()).isTrue();
        assertThat(reactive.table().name()).isEqualTo("indexed");
    }
}
