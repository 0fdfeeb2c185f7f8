package io.stowline.projection.filter;

import static io.stowline.projection.filter.Filter.property;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.projection.EntityType;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FilterTest {

    private static final Filter A = property("a").equalTo(1);
    private static final Filter B = property("b").equalTo(2);
    private static final Filter C = property("c").equalTo(3);

    @Test
    void joinsByAnd() {
        assertThat(A.and(B, C).toOData()).isEqualTo("a eq 1 and b eq 2 and c eq 3");
        assertThat(A.and(B).and(C)).isEqualTo(A.and(B.and(C))).isEqualTo(Filter.all(List.of(A, B, C)));
    }

    @Test
    void joinsByOr() {
        assertThat(A.or(B, C).toOData()).isEqualTo("a eq 1 or b eq 2 or c eq 3");
        assertThat(A.or(B).or(C)).isEqualTo(A.or(B.or(C))).isEqualTo(Filter.any(List.of(A, B, C)));
    }

    @Test
    void setsParenthesesOnlyWhereTheyCount() {
        assertThat(A.or(B).and(C).toOData()).isEqualTo("(a eq 1 or b eq 2) and c eq 3");
        assertThat(C.and(A.or(B)).toOData()).isEqualTo("c eq 3 and (a eq 1 or b eq 2)");
        assertThat(A.and(B).or(C).toOData()).isEqualTo("a eq 1 and b eq 2 or c eq 3");
        assertThat(A.or(B).and(B.or(C)).or(A).toOData())
                .isEqualTo("(a eq 1 or b eq 2) and (b eq 2 or c eq 3) or a eq 1");
    }

    @Test
    void negates() {
        assertThat(A.not().toOData()).isEqualTo("not (a eq 1)");
        assertThat(A.or(B).not().and(C).toOData()).isEqualTo("not (a eq 1 or b eq 2) and c eq 3");
        assertThat(A.not().not().toOData()).isEqualTo("not (not (a eq 1))");
        assertThat(A.and(B.not()).toOData()).isEqualTo("a eq 1 and not (b eq 2)");
    }

    @Test
    void isItselfWhenNothingIsJoined() {
        assertThat(A.and()).isSameAs(A);
        assertThat(Filter.any(List.of(A.or(B))).and(C).toOData()).isEqualTo("(a eq 1 or b eq 2) and c eq 3");
    }

    @Test
    void refusesToJoinNothing() {
        assertThatIllegalArgumentException().isThrownBy(() -> Filter.all(List.of()));
        assertThatIllegalArgumentException().isThrownBy(() -> Filter.any(List.of()));
    }

    @Test
    void countsComparisons() {
        assertThat(A.comparisons()).isEqualTo(1);
        assertThat(A.and(B).not().or(C).comparisons()).isEqualTo(3);
        assertThat(property("a").between(1, 5).comparisons()).isEqualTo(2);
        assertThat(Filter.rowKey().startsWith("x").comparisons()).isEqualTo(2);
        assertThat(Filter.rowKey().startsWith("\uFFFF").comparisons()).isEqualTo(1);
    }

    @Test
    @DisplayName("MAP-3: fifteen comparisons pass, sixteen are refused with count and limit")
    void refusesMoreThanFifteenComparisons() {
        Filter fifteen = Filter.any(
                IntStream.range(0, 15).mapToObj(property("a")::equalTo).toList());
        Filter sixteen = fifteen.or(B);

        assertThat(fifteen.checked()).isSameAs(fifteen);
        assertThat(fifteen.toOData()).contains("a eq 14");
        assertThatIllegalArgumentException()
                .isThrownBy(sixteen::toOData)
                .withMessageContaining("16")
                .withMessageContaining("15");
        assertThatIllegalArgumentException().isThrownBy(sixteen::checked);
        assertThat(sixteen).hasToString(fifteen + " or b eq 2");
    }

    @Test
    void equalsByItsText() {
        assertThat(property("a").equalTo(1)).isEqualTo(A).hasSameHashCodeAs(A).isNotEqualTo(B);
        assertThat(A).isNotEqualTo("a eq 1").hasToString("a eq 1");
    }

    record Counted(long count, String name) {}

    @Test
    @DisplayName(
            "MAP-4: a literal of another type than the property's is refused, since the service would find nothing")
    void checksTypesAgainstARecord() {
        EntityType<Counted> type = EntityType.of(Counted.class);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Filter.property("name")
                        .equalTo("a")
                        .and(Filter.property("count").equalTo(5).not())
                        .checkedFor(type))
                .withMessageContaining("count")
                .withMessageContaining("Edm.Int32")
                .withMessageContaining("Edm.Int64");
        Filter right = Filter.property("count")
                .atLeast(5L)
                .and(Filter.property("elsewhere").equalTo(1));
        assertThat(right.checkedFor(type)).isSameAs(right);
    }

    private static final String PARTITION = "PartitionKey";

    @Test
    @DisplayName("T7: only what must hold says something of a key")
    void knowsWhatItFixesAndBounds() {
        Filter one = Filter.partitionKey().equalTo("p");
        Filter range = Filter.partitionKey().startsWith("p");

        assertThat(one.fixes(PARTITION)).isTrue();
        assertThat(A.and(B.and(one)).fixes(PARTITION)).isTrue();
        assertThat(A.and(range).fixes(PARTITION)).isFalse();
        assertThat(A.and(range).bounds(PARTITION)).isTrue();
        assertThat(one.bounds("RowKey")).isFalse();
        for (Filter free : List.of(
                one.or(A),
                one.not(),
                one.not().not(),
                range.not().and(A),
                A.and(one.or(range)),
                Filter.partitionKey().notEqualTo("p"),
                Filter.partitionKey().in("p", "q"),
                Filter.partitionKey().atLeast(""),
                Filter.partitionKey().greaterThan(""))) {
            assertThat(free.fixes(PARTITION)).as(free.toString()).isFalse();
            assertThat(free.bounds(PARTITION)).as(free.toString()).isFalse();
        }
        assertThat(Filter.partitionKey().equalTo("").fixes(PARTITION)).isTrue();
        assertThat(Filter.any(List.of(one)).fixes(PARTITION)).isTrue();
    }

    @Test
    @DisplayName("T1: a filter knows whether nothing but a range of keys decides")
    void boundsOnly() {
        Filter one = Filter.partitionKey().equalTo("p");
        Filter rows = Filter.rowKey().between("a", "b");

        assertThat(one.boundsOnly(PARTITION)).isTrue();
        assertThat(one.and(rows).boundsOnly(PARTITION, "RowKey")).isTrue();
        assertThat(one.and(rows).boundsOnly(PARTITION)).isFalse();
        assertThat(Filter.partitionKey().startsWith("p").and(one).boundsOnly(PARTITION))
                .isTrue();
        for (Filter other : List.of(
                A,
                one.and(A),
                one.or(rows),
                one.not(),
                rows.and(one.not()),
                one.and(Filter.rowKey().notEqualTo("r")),
                one.and(Filter.rowKey().in("r", "s")),
                one.and(Filter.raw("RowKey eq 'r'")),
                one.and(Filter.raw("active")),
                Filter.raw("PartitionKey eq 'p'"))) {
            assertThat(other.boundsOnly(PARTITION, "RowKey"))
                    .as(other.toString())
                    .isFalse();
        }
    }
}
