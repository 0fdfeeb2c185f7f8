package io.stowline.testkit;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineExecutionResults;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FaultProxyExtensionTest {

    /** The objects that the classes below have seen. */
    static final List<Object> SEEN = new ArrayList<>();

    @TempDir
    Path logs;

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    @Test
    void givesEachClassAProxyInFrontOfTheSharedEmulator() {
        run(Registered.class, Extended.class).testEvents().assertStatistics(stats -> stats.succeeded(4));

        assertThat(SEEN).hasSize(6);
        assertThat(SEEN.subList(0, 2)).as("the first class").containsOnly(SEEN.get(0));
        assertThat(SEEN.subList(2, 6)).as("the second class").containsOnly(SEEN.get(2));
        FaultProxy first = (FaultProxy) SEEN.get(0);
        FaultProxy second = (FaultProxy) SEEN.get(2);
        assertThat(first).isNotSameAs(second);
        assertThat(first.storage().azurite()).isEqualTo(second.storage().azurite());
        assertThat(second.storage().azurite().orElseThrow().isAlive()).isFalse();
        assertThatThrownBy(() -> new RawClient(first.endpoint(StorageService.TABLE)))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void clearsRulesAndRecordingsAndAcceptsBeforeEachTest() {
        run(Cleared.class).testEvents().assertStatistics(stats -> stats.succeeded(2));
    }

    @Test
    void survivesThatAPoisonedEmulatorIsRestarted() {
        run(Poisoned.class).testEvents().assertStatistics(stats -> stats.succeeded(2));

        assertThat(SEEN).hasSize(2).containsOnly(SEEN.get(0));
    }

    @Test
    void writesWhatTheRulesDidWhenATestFails() throws Exception {
        EngineExecutionResults results = run(Failing.class);

        results.testEvents().assertStatistics(stats -> stats.failed(1).succeeded(1));
        try (Stream<Path> files = Files.list(logs)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "FaultProxyExtensionTest.Failing.fails.log",
                            "FaultProxyExtensionTest.Failing.fails.proxy.log");
        }
        assertThat(logs.resolve("FaultProxyExtensionTest.Failing.fails.proxy.log"))
                .content()
                .contains("seed=42")
                .contains("rule 1 (nth(2) -> reset): fired 0 times; saw 1 requests")
                .contains("1 refused by nth(2)")
                .contains("GET /devstoreaccount1/Tables (0 bytes) -> RESPONDED 200");
    }

    @Test
    void namesTheVariableThatPutsItInFrontOfHttps() {
        run(Https.class)
                .testEvents()
                .assertThatEvents()
                .haveExactly(
                        1,
                        event(finishedWithFailure(
                                instanceOf(IllegalStateException.class),
                                message(text -> text.contains(TestStorage.VARIABLE)
                                        && text.contains("https://a.table.example/")))));
    }

    @Test
    void standsInFrontOfWhatTheEnvironmentNames() {
        run(External.class).testEvents().assertStatistics(stats -> stats.succeeded(1));
    }

    @Test
    void saysWhenItsProxyIsRequestedTooEarly() {
        assertThatThrownBy(FaultProxyExtension.shared()::storage)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("before the first test");
    }

    private EngineExecutionResults run(Class<?>... classes) {
        return TestRun.of(logs, classes);
    }

    private static RawTables tables(FaultProxy proxy) {
        return new RawTables(proxy.endpoint(StorageService.TABLE), Azurite.WELL_KNOWN_ACCOUNT, Azurite.WELL_KNOWN_KEY);
    }

    @ExtendWith(FaultProxyExtension.class)
    static final class Extended {

        @Test
        void sees(FaultProxy proxy) {
            SEEN.add(proxy);
        }

        @Test
        void seesAgain(FaultProxy proxy) {
            SEEN.add(proxy);
        }
    }

    static final class Registered {

        @RegisterExtension
        static final FaultProxyExtension PROXY = FaultProxyExtension.shared();

        Registered(FaultProxy proxy) {
            SEEN.add(proxy);
        }

        @BeforeAll
        static void see(FaultProxy proxy) {
            SEEN.add(proxy);
        }

        @Test
        void sees(FaultProxy proxy) {
            assertThat(PROXY.proxy()).isSameAs(proxy);
            assertThat(PROXY.storage().connectionString())
                    .contains(proxy.endpoint(StorageService.TABLE).toString());
        }

        @Nested
        final class Inner {

            @Test
            void sees(FaultProxy proxy) {
                SEEN.add(proxy);
            }
        }
    }

    static final class Cleared {

        @RegisterExtension
        static final FaultProxyExtension PROXY = FaultProxyExtension.shared();

        @Test
        void leavesARule(FaultProxy proxy) throws Exception {
            useAndRefuse(proxy);
        }

        @Test
        void leavesARuleToo(FaultProxy proxy) throws Exception {
            useAndRefuse(proxy);
        }

        private static void useAndRefuse(FaultProxy proxy) throws Exception {
            assertThat(tables(proxy).list()).contains("value");
            assertThat(proxy.recorded()).hasSize(1);
            assertThat(proxy.explain()).isEmpty();
            proxy.when(requests()).reset();
            proxy.refuse();
        }
    }

    @TestMethodOrder(MethodOrderer.OrderAnnotation.class)
    static final class Poisoned {

        @RegisterExtension
        static final FaultProxyExtension PROXY = FaultProxyExtension.fresh();

        @Test
        @Order(1)
        void poisons(FaultProxy proxy) throws Exception {
            SEEN.add(proxy.storage().connectionString());
            assertThat(tables(proxy).poison("poisoned")).isEqualTo(500);
        }

        @Test
        @Order(2)
        void works(FaultProxy proxy) throws Exception {
            SEEN.add(proxy.storage().connectionString());
            assertThat(tables(proxy).list()).contains("\"value\":[]");
        }
    }

    static final class Failing {

        @RegisterExtension
        static final FaultProxyExtension PROXY = FaultProxyExtension.fresh().with(builder -> builder.seed(42));

        @Test
        void fails(FaultProxy proxy) throws Exception {
            proxy.when(requests().nth(2)).reset();
            tables(proxy).list();
            throw new AssertionError("on purpose");
        }

        @Test
        void passes(FaultProxy proxy) {
            assertThat(proxy.recorded()).isEmpty();
        }
    }

    static final class Https {

        // Not static: requested by the test itself.
        @RegisterExtension
        final FaultProxyExtension proxy = FaultProxyExtension.before(AzuriteExtension.shared()
                .withEnvironment(Map.of(TestStorage.VARIABLE, "TableEndpoint=https://a.table.example/")));

        @Test
        void works() {
            SEEN.add("ran");
        }
    }

    static final class External {

        @RegisterExtension
        static final FaultProxyExtension PROXY = FaultProxyExtension.before(AzuriteExtension.fresh()
                .withEnvironment(Map.of(TestStorage.VARIABLE, "TableEndpoint=http://127.0.0.1:1/a")));

        @Test
        void works(FaultProxy proxy) {
            assertThat(PROXY.storage().connectionString())
                    .isEqualTo("TableEndpoint=" + proxy.endpoint(StorageService.TABLE) + ";");
        }
    }
}
