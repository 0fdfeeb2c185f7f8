package io.stowline.table;

import static io.stowline.projection.filter.Filter.partitionKey;
import static io.stowline.projection.filter.Filter.property;
import static io.stowline.projection.filter.Filter.rowKey;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.observe.OperationInfo;
import io.stowline.projection.filter.Filter;
import io.stowline.table.PagedTable.Line;
import io.stowline.table.internal.request.QueryClass;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.test.StepVerifier;

@DisplayName("T7: every query knows what the service looks at for it")
class QueryClassTest {

    private static final Filter ONE = partitionKey().equalTo("p");

    private final ObservingRecorder recorder = new ObservingRecorder();
    private final PagedTable service = new PagedTable(recorder);

    static Stream<Arguments> queries() {
        return Stream.of(
                of(QueryClass.TABLE_SCAN, query -> query),
                of(QueryClass.TABLE_SCAN, query -> query.where(property("age").equalTo(1))),
                of(QueryClass.TABLE_SCAN, query -> query.where(rowKey().equalTo("r"))),
                of(
                        QueryClass.TABLE_SCAN,
                        query -> query.where(ONE.or(property("age").equalTo(1)))),
                of(QueryClass.TABLE_SCAN, query -> query.where(ONE.not())),
                of(QueryClass.TABLE_SCAN, query -> query.where(partitionKey().notEqualTo("p"))),
                of(QueryClass.TABLE_SCAN, query -> query.where(partitionKey().atLeast(""))),
                of(QueryClass.TABLE_SCAN, query -> query.where(Filter.raw("PartitionKey eq 'p'"))),
                of(QueryClass.TABLE_SCAN, query -> query.splitAt("a", "b")),
                of(
                        QueryClass.PARTITION_RANGE,
                        query -> query.where(partitionKey().startsWith("p"))),
                of(
                        QueryClass.PARTITION_RANGE,
                        query -> query.where(partitionKey().greaterThan("p"))),
                of(QueryClass.PARTITION_RANGE, query -> query.partitionPrefixes(List.of("a", "b"))),
                of(QueryClass.PARTITION_RANGE, query -> query.partitionPrefixes(List.of("a"))
                        .rowPrefix("r")),
                of(
                        QueryClass.PARTITION_RANGE,
                        query -> query.where(partitionKey().atLeast("p")).splitAt("q")),
                of(QueryClass.PARTITION, query -> query.partition("p")),
                of(QueryClass.PARTITION, query -> query.partition("")),
                of(
                        QueryClass.PARTITION,
                        query -> query.where(property("age").equalTo(1).and(ONE))),
                of(QueryClass.PARTITION, query -> query.partition("p").where(rowKey().in("a", "b"))),
                of(QueryClass.PARTITION, query -> query.partition("p").where(Filter.raw("RowKey eq 'r'"))),
                of(QueryClass.PARTITION, query -> query.partitions(List.of("a", "b"))),
                of(QueryClass.ROW_RANGE, query -> query.partition("p").rowPrefix("r")),
                of(QueryClass.ROW_RANGE, query -> query.partition("p").rowRange("a", "b")),
                of(QueryClass.ROW_RANGE, query -> query.partitions(List.of("a", "b"))
                        .rowPrefix("r")),
                of(QueryClass.POINT, query -> query.partition("p").where(rowKey().equalTo("r"))),
                of(
                        QueryClass.POINT,
                        query -> query.where(
                                ONE.and(rowKey().equalTo("r"), property("a").isTrue()))));
    }

    private static Arguments of(QueryClass expected, UnaryOperator<Query<Line>> steps) {
        return Arguments.of(expected, steps);
    }

    @ParameterizedTest
    @MethodSource("queries")
    void knowsItsClass(QueryClass expected, UnaryOperator<Query<Line>> steps) {
        Query<Line> query = steps.apply(service.table().query());

        assertThat(query.queryClass()).isEqualTo(expected.label());
        assertThat(query.list()).isEmpty();
        assertThat(recorder.operations()).isNotEmpty().allSatisfy(reported -> assertThat(
                        reported.operation().queryClass())
                .isEqualTo(expected.label()));
    }

    @Test
    @DisplayName("T7: a point read is told as one, a write as none of them")
    void tellsOfPointReads() {
        service.table().reactive().find("p", "r").subscribe();
        service.table().reactive().insert(new Line("p", "r")).subscribe();

        assertThat(recorder.operations().stream().map(ObservingRecorder.RecordedOperation::operation))
                .extracting(OperationInfo::name, OperationInfo::queryClass)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("find", "point"),
                        org.assertj.core.groups.Tuple.tuple("insert", null));
    }

    @Test
    @DisplayName("T7: a refused scan sends nothing, and says of which table, by what filter, and what to add")
    void refusesScans() {
        Table<Line> table = service.table().withScanPolicy(ScanPolicy.REFUSE);
        Query<Line> scan = table.query()
                .where(property("name").equalTo("secret").and(property("age").atLeast(-40L)));

        assertThatIllegalStateException()
                .isThrownBy(scan::stream)
                .withMessageContaining("table lines")
                .withMessageContaining("TABLE_SCAN")
                .withMessageContaining("(filter name eq ? and age ge ?)")
                .withMessageContaining("bound the partition key")
                .withMessageNotContaining("secret")
                .withMessageNotContaining("40");
        assertThatIllegalStateException()
                .isThrownBy(() -> table.query().splitAt("a").first())
                .withMessageContaining("(no filter)");
        StepVerifier.create(table.reactive().query().streamStored())
                .expectError(IllegalStateException.class)
                .verify();
        assertThat(service.requested()).isEmpty();
    }

    @Test
    @DisplayName("T7: only scans of the whole table are refused, and a view may allow them again")
    void refusesNothingElse() {
        PagedTable refusing = new PagedTable(recorder, ScanPolicy.REFUSE);
        Table<Line> table = refusing.table();

        assertThat(table.query().where(partitionKey().startsWith("p")).list()).isEmpty();
        assertThat(table.query().partitionPrefixes(List.of("a", "b")).list()).isEmpty();
        assertThatIllegalStateException().isThrownBy(() -> table.query().list());
        assertThat(table.withScanPolicy(ScanPolicy.ALLOW).query().list()).isEmpty();
        assertThat(table.reactive()
                        .withScanPolicy(ScanPolicy.ALLOW)
                        .query()
                        .list()
                        .block())
                .isEmpty();
        assertThat(refusing.requested()).hasSize(5);
    }
}
