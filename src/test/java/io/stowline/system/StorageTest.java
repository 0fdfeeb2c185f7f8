package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultProxyExtension;
import io.stowline.testkit.StrictMode;
import io.stowline.testkit.StrictRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A client of the storage under test, and tables that go away with the test. Everything goes through a proxy that refuses what Azure
 * refuses and the emulator lets pass; a test fails when the library ran into one of these rules.
 */
abstract class StorageTest {

    private static final StrictMode STRICT = StrictMode.on();

    @RegisterExtension
    static final FaultProxyExtension THROUGH = FaultProxyExtension.shared().strict(STRICT);

    private final List<Table<?>> tables = new ArrayList<>();
    private Map<StrictRule, Long> refusedBefore;
    protected FaultProxy proxy;
    protected Stowline storage;

    @BeforeEach
    void connect(FaultProxy proxy) {
        this.proxy = proxy;
        refusedBefore = STRICT.refusals();
        storage = client(connectionString());
    }

    @AfterEach
    void disconnect() {
        tables.forEach(Table::deleteTableIfExists);
        storage.close();
        assertThat(STRICT.refusals()).as("what Azure would have refused").isEqualTo(refusedBefore);
    }

    protected String connectionString() {
        return proxy.storage().connectionString();
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
