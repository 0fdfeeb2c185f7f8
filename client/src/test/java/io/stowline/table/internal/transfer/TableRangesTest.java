package io.stowline.table.internal.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.NotFoundException;
import io.stowline.projection.filter.Filter;
import io.stowline.table.Entity;
import io.stowline.table.EntityKey;
import io.stowline.table.Query;
import io.stowline.table.transfer.TableRange;
import io.stowline.table.transfer.TableTransfers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Ranges of keys for workers outside of the library. */
class TableRangesTest {

    private final TransferBench bench = new TransferBench();
    private final TableTransfers tables = bench.storage.tables();

    @AfterEach
    void close() {
        bench.close();
    }

    private void fill(int partitions, int rows) {
        bench.filled(
                "rows",
                IntStream.range(0, partitions * rows)
                        .mapToObj(i -> Entity.builder("p%03d".formatted(i / rows), "r%05d".formatted(i % rows))
                                .build())
                        .toList());
    }

    private List<EntityKey> read(List<TableRange> ranges, Optional<Filter> part) {
        List<EntityKey> keys = new ArrayList<>();
        for (TableRange range : ranges) {
            Query<Entity> query = bench.storage.table("rows").query().select();
            query = part.map(query::where).orElse(query);
            query = range.condition().map(query::where).orElse(query);
            query.list().forEach(entity -> keys.add(new EntityKey(entity.partitionKey(), entity.rowKey())));
        }
        return keys;
    }

    @Test
    @DisplayName("each key is in one range, in the order of the keys")
    void rangesCoverTheTable() {
        fill(60, 3);

        List<TableRange> ranges = tables.ranges("rows", 8);

        assertThat(ranges).hasSizeBetween(8, 16).allMatch(range -> range.partition() == null);
        assertThat(read(ranges, Optional.empty())).hasSize(180).isSortedAccordingTo((a, b) -> (a.partitionKey()
                        + a.rowKey())
                .compareTo(b.partitionKey() + b.rowKey()));
    }

    @Test
    void fewPartitionsAreDividedByTheirRows() {
        fill(2, 100);

        List<TableRange> ranges = tables.ranges("rows", 8);

        assertThat(ranges).hasSizeGreaterThanOrEqualTo(8).anyMatch(range -> range.partition() != null);
        assertThat(read(ranges, Optional.empty())).hasSize(200).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("a condition bounds the search, and each range is for a part that it leaves")
    void aPartIsDivided() {
        fill(60, 3);
        Filter part =
                Filter.partitionKey().atLeast("p010").and(Filter.partitionKey().lessThan("p020"));

        List<TableRange> ranges = tables.ranges("rows", 5, Optional.of(part));

        assertThat(ranges).hasSizeBetween(5, 10);
        assertThat(ranges.stream().map(TableRange::below).filter(below -> below != null))
                .allMatch(below -> below.compareTo("p010") > 0 && below.compareTo("p020") < 0);
        assertThat(read(ranges, Optional.of(part))).hasSize(30).doesNotHaveDuplicates();
    }

    @Test
    void onePartitionIsDividedByItsRows() {
        fill(3, 100);
        Filter one = Filter.partitionKey().equalTo("p001");

        List<TableRange> ranges = tables.ranges("rows", 4, Optional.of(one));

        assertThat(ranges).hasSizeBetween(4, 8).allMatch(range -> "p001".equals(range.partition()));
        assertThat(read(ranges, Optional.empty())).hasSize(100).doesNotHaveDuplicates();
    }

    @Test
    void oneRangeSendsNothing() {
        assertThat(tables.ranges("missing", 1)).singleElement().satisfies(range -> assertThat(range.condition())
                .isEmpty());
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> tables.ranges("missing", 2));
    }

    @Test
    void otherNumbersAndConditionsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> tables.ranges("rows", 0))
                .withMessage("wanted is 1 to 10000 ranges, not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        tables.ranges("rows", 2, Optional.of(Filter.rowKey().equalTo("r"))))
                .withMessageContaining("partitionKeys is a range of partition keys")
                .withMessageContaining("RowKey eq 'r'");
    }
}
