package io.stowline.spring.boot.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.error.NotFoundException;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.table.Query;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.batch.infrastructure.item.ExecutionContext;
import org.springframework.batch.infrastructure.item.ItemReader;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The ranges of the workers of a partitioned step. */
class TablePartitionsTest {

    private final MemoryStorage storage = MemoryStorage.create();
    private final Stowline client = Row.client(storage);

    @AfterEach
    void close() {
        client.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 40})
    void coverEachRowOnce(int gridSize) {
        Table<Row> table = Row.table(client, "source", 200);
        Map<String, ExecutionContext> workers = TablePartitions.of(client, "source", gridSize);

        List<Row> read = new ArrayList<>();
        for (ExecutionContext worker : workers.values()) {
            Query<Row> query = TablePartitions.narrow(table.query(), new ExecutionContext(worker.toMap()));
            read.addAll(query.list());
        }
        assertThat(read).isEqualTo(table.query().list());
        assertThat(workers.keySet()).startsWith("range0").hasSize(2 * gridSize);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 40})
    @DisplayName("a restart finds the workers of the first run by their names, whatever the table has become")
    void namesDependOnTheGridSizeOnly(int gridSize) {
        Table<Row> table = Row.table(client, "source", 200);
        Set<String> names =
                Set.copyOf(TablePartitions.of(client, "source", gridSize).keySet());

        table.query().stream().limit(150).toList().forEach(table::delete);
        assertThat(TablePartitions.of(client, "source", gridSize).keySet()).isEqualTo(names);
        table.query().stream().toList().forEach(table::delete);
        assertThat(TablePartitions.of(client, "source", gridSize).keySet()).isEqualTo(names);
        for (int i = 0; i < 300; i++) {
            table.insert(new Row("q" + i % 30, "" + i, i));
        }
        assertThat(TablePartitions.of(client, "source", gridSize).keySet()).isEqualTo(names);
    }

    @Test
    void aWorkerGoesOnAtItsPosition() {
        Table<Row> table = Row.table(client, "source", 200);
        ExecutionContext worker =
                TablePartitions.of(client, "source", 3).values().iterator().next();
        List<Row> all = TablePartitions.narrow(table.query(), worker).list();
        TableItemReader<Row> first =
                TableItemReader.of("rows", TablePartitions.narrow(table.query().pageSize(7), worker));
        first.open(worker);
        for (int i = 0; i < 9; i++) {
            assertThat(first.read()).isEqualTo(all.get(i));
        }
        first.update(worker);

        TableItemReader<Row> second =
                TableItemReader.of("rows", TablePartitions.narrow(table.query().pageSize(7), worker));
        second.open(worker);
        assertThat(second.read()).isEqualTo(all.get(9));
    }

    @Test
    void refuseAnotherContextAndAMissingTable() {
        Table<Row> table = Row.table(client, "source", 3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TablePartitions.narrow(table.query(), new ExecutionContext()))
                .withMessage("the execution context has no 'table.range.exclusive': it is not that of a worker whose"
                        + " partitioner is TablePartitions.of(..)");
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> TablePartitions.of(client, "missing", 4));
    }

    @Test
    void anApplicationWithoutSpringBatchStarts() {
        new ApplicationContextRunner()
                .withClassLoader(new FilteredClassLoader(ItemReader.class, ExecutionContext.class))
                .withConfiguration(AutoConfigurations.of(StowlineAutoConfiguration.class))
                .withPropertyValues("stowline.connection-string=" + storage.connectionString())
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Stowline.class));
    }
}
