package io.stowline.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.skippedWithReason;
import static org.junit.platform.testkit.engine.EventConditions.test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.testkit.engine.EngineExecutionResults;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AzuriteExtensionTest {

    private static final Map<String, String> EXTERNAL = Map.of(TestStorage.VARIABLE, "UseDevelopmentStorage=true");

    /** The objects that the classes below have seen. */
    static final List<Object> SEEN = new ArrayList<>();

    @TempDir
    Path logs;

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    @Test
    void sharesOneEmulatorAmongClassesAndStopsIt() {
        EngineExecutionResults results = run(SharedOne.class, SharedTwo.class);

        results.testEvents().assertStatistics(stats -> stats.succeeded(4));
        assertThat(SEEN).hasSize(5).allMatch(seen -> seen == SEEN.get(0));
        assertThat(((Azurite) SEEN.get(0)).isAlive()).isFalse();
    }

    @Test
    void givesEachClassAFreshEmulatorThatMayHaveSettings() {
        EngineExecutionResults results = run(FreshOne.class, FreshTwo.class);

        results.testEvents().assertStatistics(stats -> stats.succeeded(3));
        assertThat(SEEN).hasSize(3).doesNotHaveDuplicates().elements(0, 1).doesNotContainNull();
        assertThat(SEEN.get(2).toString()).isEqualTo("has mine");
    }

    @Test
    void restartsADeadOrPoisonedEmulatorBeforeTheNextTest() {
        run(Restarted.class).testEvents().assertStatistics(stats -> stats.succeeded(3)
                .failed(0));

        assertThat(SEEN)
                .as("the same object with a process of its own for each test")
                .hasSize(3);
        assertThat(SEEN).doesNotHaveDuplicates();
    }

    @Test
    void leavesADeadEmulatorAloneWhenReportedTo() {
        run(NotRestarted.class).testEvents().assertStatistics(stats -> stats.succeeded(2));

        assertThat(SEEN).containsExactly(false);
    }

    @Test
    void keepsTheLogOfAFailedTestAndOfNoOther() throws Exception {
        EngineExecutionResults results = run(Failing.class);

        results.testEvents()
                .assertStatistics(stats -> stats.failed(2).succeeded(2).aborted(1));
        try (Stream<Path> files = Files.list(logs)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "AzuriteExtensionTest.Failing.fails.log", "AzuriteExtensionTest.Failing.failsOnce-2.log");
        }
        assertThat(logs.resolve("AzuriteExtensionTest.Failing.fails.log"))
                .content()
                .contains("successfully listening")
                .contains("/devstoreaccount1/Tables");
        assertThat(results.allEvents().reportingEntryPublished().count()).isEqualTo(2);
    }

    @Test
    void startsNoEmulatorWhenTheEnvironmentNamesAnotherEndpoint() {
        EngineExecutionResults results = run(External.class);

        results.testEvents()
                .assertStatistics(stats -> stats.succeeded(1).skipped(1))
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(
                                test("needsAzurite"),
                                skippedWithReason(reason -> reason.contains(TestStorage.VARIABLE))));
        assertThat(SEEN).containsExactly("UseDevelopmentStorage=true");
    }

    @Test
    void skipsAClassWhoseLifecycleNeedsAnEmulatorThatIsNotThere() {
        EngineExecutionResults results = run(ExternalLifecycle.class, ExternalConstructor.class);

        results.containerEvents().assertStatistics(stats -> stats.skipped(2));
        results.testEvents().assertStatistics(stats -> stats.started(0));
    }

    @Test
    void saysWhenItsStorageIsRequestedTooEarly() {
        assertThatThrownBy(AzuriteExtension.fresh()::storage)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("before the first test");
    }

    private EngineExecutionResults run(Class<?>... classes) {
        return TestRun.of(logs, classes);
    }

    @AzuriteTest
    static final class SharedOne {

        SharedOne(TestStorage storage) {
            assertThat(storage.isEmulator()).isTrue();
        }

        @BeforeAll
        static void seeBefore(Azurite azurite) {
            SEEN.add(azurite);
        }

        @Test
        void sees(Azurite azurite, TestStorage storage) {
            SEEN.add(azurite);
            assertThat(storage.azurite()).containsSame(azurite);
            assertThat(storage.connectionString()).isEqualTo(azurite.connectionString());
            assertThat(azurite.isHealthy()).isTrue();
        }

        @Nested
        final class Inner {

            @Test
            void sees(Azurite azurite) {
                SEEN.add(azurite);
            }
        }
    }

    static final class SharedTwo {

        @RegisterExtension
        static final AzuriteExtension AZURITE = AzuriteExtension.shared();

        @Test
        void sees() {
            SEEN.add(AZURITE.storage().azurite().orElseThrow());
        }

        @Test
        void seesAgain() {
            SEEN.add(AZURITE.storage().azurite().orElseThrow());
        }
    }

    static final class FreshOne {

        @RegisterExtension
        static final AzuriteExtension AZURITE = AzuriteExtension.fresh();

        @Test
        void sees(Azurite azurite) {
            SEEN.add(azurite);
        }
    }

    static final class FreshTwo {

        @RegisterExtension
        static final AzuriteExtension AZURITE = AzuriteExtension.fresh(builder -> builder.account("mine", "a2V5"));

        @Test
        void a(Azurite azurite) {
            SEEN.add(azurite);
        }

        @Test
        void b(Azurite azurite) {
            assertThat(SEEN).contains(azurite);
            assertThat(azurite.connectionString("mine")).contains("AccountName=mine");
            SEEN.add("has mine");
        }
    }

    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static final class Restarted {

        @RegisterExtension
        static final AzuriteExtension AZURITE = AzuriteExtension.fresh();

        final String inConstructor;

        Restarted(TestStorage storage) {
            inConstructor = storage.connectionString();
        }

        @Test
        @Order(1)
        void poisons(Azurite azurite) throws Exception {
            SEEN.add(azurite.handle());
            assertThat(new RawTables(azurite).poison("poisoned")).isEqualTo(500);
        }

        @Test
        @Order(2)
        void worksAndKills(Azurite azurite) {
            SEEN.add(azurite.handle());
            assertThat(inConstructor).isEqualTo(azurite.connectionString());
            assertThat(azurite.isHealthy()).isTrue();
            azurite.handle().destroyForcibly();
            azurite.handle().onExit().join();
        }

        @Test
        @Order(3)
        void worksAgain(Azurite azurite) {
            SEEN.add(azurite.handle());
            assertThat(azurite.isHealthy()).isTrue();
        }
    }

    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static final class NotRestarted {

        @RegisterExtension
        static final AzuriteExtension AZURITE = AzuriteExtension.fresh().restartWhenPoisoned(false);

        @Test
        @Order(1)
        void kills(Azurite azurite) {
            azurite.handle().destroyForcibly();
            azurite.handle().onExit().join();
        }

        @Test
        @Order(2)
        void sees(Azurite azurite) {
            SEEN.add(azurite.isAlive());
        }
    }

    static final class Failing {

        // Not static: an emulator for each test.
        @RegisterExtension
        final AzuriteExtension azurite = AzuriteExtension.fresh();

        @Test
        void fails(Azurite azurite) throws Exception {
            new RawTables(azurite).list();
            while (!azurite.log().contains("/devstoreaccount1/Tables")) {
                LockSupport.parkNanos(100_000);
            }
            throw new AssertionError("on purpose");
        }

        @Test
        void passes() {
            assertThat(azurite.storage().isEmulator()).isTrue();
        }

        @Test
        void isAborted() {
            Assumptions.abort("on purpose");
        }

        @ParameterizedTest
        @ValueSource(booleans = {true, false})
        void failsOnce(boolean passes) {
            assertThat(passes).isTrue();
        }
    }

    static final class External {

        @RegisterExtension
        static final AzuriteExtension AZURITE = AzuriteExtension.fresh().withEnvironment(EXTERNAL);

        @Test
        void sees(TestStorage storage) {
            assertThat(storage.isEmulator()).isFalse();
            assertThat(AZURITE.storage()).isSameAs(storage);
            SEEN.add(storage.connectionString());
        }

        @Test
        void needsAzurite(Azurite azurite) {
            SEEN.add(azurite);
        }
    }

    static final class ExternalLifecycle {

        @RegisterExtension
        static final AzuriteExtension AZURITE = AzuriteExtension.shared().withEnvironment(EXTERNAL);

        @BeforeEach
        void take(Azurite azurite) {
            SEEN.add(azurite);
        }

        @Test
        void works() {
            SEEN.add("ran");
        }
    }

    static final class ExternalConstructor {

        @RegisterExtension
        static final AzuriteExtension AZURITE = AzuriteExtension.shared().withEnvironment(EXTERNAL);

        ExternalConstructor(Azurite azurite) {
            SEEN.add(azurite);
        }

        @Test
        void works() {
            SEEN.add("ran");
        }
    }
}
