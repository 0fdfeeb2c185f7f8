package io.stowline.spring.boot.batch;

import io.stowline.Stowline;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.List;
import java.util.stream.IntStream;

/** A row of the tables of these tests. */
record Row(@PartitionKey String part, @RowKey String key, int number) {

    static Row of(int number) {
        return new Row("p" + number % 3, String.format("%05d", number), number);
    }

    static Stowline client(MemoryStorage storage) {
        return Stowline.builder()
                .connectionString(storage.connectionString())
                .httpClient(storage.httpClient())
                .build();
    }

    /** Creates a table with so many rows in three partitions. */
    static Table<Row> table(Stowline client, String name, int rows) {
        Table<Row> table = client.table(name, Row.class);
        table.create();
        try (TableWriter<Row> writer = table.writer()) {
            IntStream.range(0, rows).mapToObj(Row::of).forEach(writer::insert);
        }
        return table;
    }

    static List<Row> sorted(Table<Row> table) {
        return table.query().list();
    }
}
