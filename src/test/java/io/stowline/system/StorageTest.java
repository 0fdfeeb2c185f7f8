package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.AzuriteExtension;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultProxyExtension;
import io.stowline.testkit.StrictMode;
import io.stowline.testkit.StrictRule;
import io.stowline.testkit.TestStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A client of the storage under test, and tables that go away with the test. Everything goes through a proxy that refuses what Azure
 * refuses and the emulator lets pass; a test fails when the library ran into one of these rules.
 */
abstract class StorageTest {

    private static final StrictMode STRICT = StrictMode.on();

    private static final FaultProxyExtension THROUGH =
            FaultProxyExtension.shared().strict(STRICT);
    private static final String EXTERNAL = System.getenv().getOrDefault(TestStorage.VARIABLE, "");

    /** A proxy cannot look into TLS; an account that is reached by it needs no strictness either. */
    private static final boolean PROXIED = !EXTERNAL.toLowerCase(Locale.ROOT).contains("https");

    @RegisterExtension
    static final Extension STORAGE = PROXIED ? THROUGH : AzuriteExtension.shared();

    private final List<Table<?>> tables = new ArrayList<>();
    private Map<StrictRule, Long> refusedBefore;
    protected Stowline storage;

    @BeforeEach
    void connect() {
        refusedBefore = STRICT.refusals();
        storage = connected();
    }

    @AfterEach
    void disconnect() {
        tables.forEach(Table::dropIfExists);
        storage.close();
        assertThat(STRICT.refusals()).as("what Azure would have refused").isEqualTo(refusedBefore);
    }

    /** The client under test; a subclass runs the same tests on another storage. */
    protected Stowline connected() {
        return client(connectionString());
    }

    protected String connectionString() {
        return PROXIED ? THROUGH.storage().connectionString() : EXTERNAL;
    }

    /** Returns the proxy between the client and the storage; a test of the wire is skipped where there is none. */
    protected static FaultProxy proxy() {
        assumeThat(PROXIED).as("a proxy can look into the traffic").isTrue();
        return THROUGH.proxy();
    }

    protected static Stowline client(String connectionString) {
        return Stowline.builder()
                .connectionString(connectionString)
                .retry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(1))))
                .closeTimeout(Duration.ofSeconds(20))
                .build();
    }

    protected static String freshName() {
        return "t" + UUID.randomUUID().toString().replace("-", "");
    }

    protected <T> Table<T> freshTable(Class<T> type) {
        Table<T> table = storage.table(freshName(), type);
        table.create();
        tables.add(table);
        return table;
    }

    protected Table<Entity> freshTable() {
        return freshTable(Entity.class);
    }
}
