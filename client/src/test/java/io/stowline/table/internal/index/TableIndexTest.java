package io.stowline.table.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.table.EntityKey;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.index.TableIndex.IndexKind;
import io.stowline.table.internal.request.Texts;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TableIndexTest {

    private static final TableIndex<String> UNIQUE = index("BIB", IndexKind.UNIQUE);
    private static final TableIndex<String> ORDERED = index("AGE", IndexKind.ORDERED);
    private static final TableIndex<String> ELSEWHERE = index("MAIL", IndexKind.ELSEWHERE);

    private static TableIndex<String> index(String name, IndexKind kind) {
        return new TableIndex<>(name, kind, Optional::of, 1, 0);
    }

    @Provide
    static Arbitrary<String> texts() {
        return Texts.texts().filter(text -> text.length() < 50);
    }

    @Test
    @DisplayName("T11: where index rows stand")
    void keysOfRows() {
        assertThat(UNIQUE.key("01234", "race", "r1")).isEqualTo(new IndexKey(UNIQUE, "race", "BIB:01234"));
        assertThat(ORDERED.key("055", "race", "r1")).isEqualTo(new IndexKey(ORDERED, "race", "AGE:055!r1"));
        assertThat(ELSEWHERE.key("a@b", "race", "r1")).isEqualTo(new IndexKey(ELSEWHERE, "MAIL:a@b", "race!r1"));
    }

    @Test
    @DisplayName("E14: rows of many values share a fixed number of partitions, under a value's prefix")
    void sharedPartitions() {
        TableIndex<String> shared = new TableIndex<>("MAIL", IndexKind.ELSEWHERE, Optional::of, 1, 64);
        IndexKey key = shared.key("a@b", "race", "r1");

        assertThat(key.partitionKey()).matches("MAIL:[0-6][0-9]");
        assertThat(key.rowKey()).isEqualTo("a@b!race!r1");
        assertThat(shared.key("a@b", "other", "r2").partitionKey()).isEqualTo(key.partitionKey());
        assertThat(TableIndex.entity(IndexedRow.reference(key, "r1"))).isEqualTo(new EntityKey("race", "r1"));
        assertThat(shared.same(ELSEWHERE)).isFalse();
    }

    @Property
    @Label("E14: a reference in a shared partition leads to its entity, whatever value and keys hold")
    void sharedReferences(
            @ForAll("texts") String value, @ForAll("texts") String partition, @ForAll("texts") String row) {
        TableIndex<String> shared = new TableIndex<>("MAIL", IndexKind.ELSEWHERE, Optional::of, 1, 7);
        IndexedRow reference = IndexedRow.reference(shared.key(value, partition, row), row);

        assertThat(TableIndex.entity(reference)).isEqualTo(new EntityKey(partition, row));
    }

    @Property
    @Label("T11: rows stand in the order of their values, whatever these hold, and a value's rows are those with its"
            + " prefix")
    void order(
            @ForAll("texts") String one,
            @ForAll("texts") String other,
            @ForAll("texts") String row,
            @ForAll("texts") String otherRow) {
        String key = ORDERED.key(one, "p", row).rowKey();
        String second = ORDERED.key(other, "p", otherRow).rowKey();
        int byValue = Integer.signum(one.compareTo(other));

        assertThat(Integer.signum(key.compareTo(second)))
                .isEqualTo(byValue != 0 ? byValue : Integer.signum(row.compareTo(otherRow)));
        assertThat(key.startsWith(ORDERED.prefix(other))).isEqualTo(byValue == 0);
        assertThat(key.compareTo(ORDERED.first(other)) >= 0).isEqualTo(byValue >= 0);
        assertThat(Integer.signum(UNIQUE.first(one).compareTo(UNIQUE.first(other))))
                .isEqualTo(byValue);
    }

    @Property
    @Label("T11: a reference leads to its entity, whatever its keys hold")
    void references(@ForAll("texts") String value, @ForAll("texts") String partition, @ForAll("texts") String row) {
        IndexKey key = ELSEWHERE.key(value, partition, row);

        assertThat(TableIndex.entity(IndexedRow.reference(key, row))).isEqualTo(new EntityKey(partition, row));
        assertThat(ELSEWHERE.key(value + "x", partition, row).partitionKey()).isNotEqualTo(key.partitionKey());
    }

    @Test
    @DisplayName("T11: what no index has made leads nowhere")
    void foreignReferences() {
        assertThat(TableIndex.entity(new IndexedRow("MAIL:x", "race!r1", Map.of())))
                .isNull();
        assertThat(TableIndex.entity(new IndexedRow("MAIL:x", "race!r1", Map.of("StowlineRowKey", "r2"))))
                .isNull();
        assertThat(TableIndex.entity(new IndexedRow("MAIL:x", "race", Map.of("StowlineRowKey", "race"))))
                .isNull();
        assertThat(TableIndex.entity(new IndexedRow("MAIL:x", "race!~zz", Map.of("StowlineRowKey", "r"))))
                .isNull();
    }

    @Test
    @DisplayName("T11: an entity with the key of an index row is refused by the index's name")
    void entitiesWithKeysOfRows() {
        UNIQUE.refuse("BIB:1", "BIB");
        ELSEWHERE.refuse("MAIL", "MAIL:x");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> UNIQUE.refuse("p", "BIB:1"))
                .withMessageContaining("RowKey")
                .withMessageContaining("index BIB");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ELSEWHERE.refuse("MAIL:1", "r"))
                .withMessageContaining("PartitionKey")
                .withMessageContaining("index MAIL");
    }

    @Test
    @DisplayName("T17: a value that makes the key of its row too long is refused by the index's name")
    void longValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> UNIQUE.key("x".repeat(1_021), "p", "r"))
                .withMessageContaining("index row BIB")
                .withMessageContaining("1024");
    }
}
