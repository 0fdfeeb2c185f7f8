package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A client of the storage under test, and tables that go away with the test. */
@AzuriteTest
abstract class StorageTest {

    private final List<Table<?>> tables = new ArrayList<>();
    private TestStorage target;
    protected Stowline storage;

    @BeforeEach
    void connect(TestStorage target) {
        this.target = target;
        storage = client(target.connectionString());
    }

    @AfterEach
    void disconnect() {
        tables.forEach(Table::deleteTableIfExists);
        storage.close();
    }

    protected String connectionString() {
        return target.connectionString();
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
