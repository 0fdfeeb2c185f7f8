package io.stowline.table.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpHeaders;
import io.stowline.projection.ETag;
import io.stowline.projection.EntityType;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.table.Entity;
import io.stowline.table.internal.codec.EntityCodec;
import io.stowline.table.internal.codec.EntityObjectCodec;
import io.stowline.table.internal.codec.TypedCodec;
import io.stowline.table.internal.index.IndexedRow.IndexedRowCodec;
import io.stowline.table.internal.index.TableIndex.IndexKey;
import io.stowline.table.internal.query.RowDecoder;
import io.stowline.table.internal.request.Encoded;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.OperationEncoder;
import io.stowline.transport.internal.http.StorageResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The two forms of an index row, and their reading. */
class CopyCodecTest {

    private static final String ROW =
            "{\"PartitionKey\":\"p\",\"RowKey\":\"AGE:055!r\",\"Name\":\"Ann\",\"StowlineRowKey\":\"r\","
                    + "\"StowlineIndex\":\"AGE 3\"}";

    private static final IndexKey PLACE = new IndexKey(
            new TableIndex<>("AGE", TableIndex.IndexKind.ORDERED, x -> Optional.empty(), 3, 0), "p", "AGE:055!r");

    private final CopyCodec<Runner> codec = CopyCodec.of(new TypedCodec<>(EntityType.of(Runner.class)));
    private final OperationEncoder encoder = new OperationEncoder("t", "https://acct.test/t");

    /** A record that takes no key of an index row for its own. */
    record Runner(
            @PartitionKey String race,
            @RowKey String id,
            @io.stowline.projection.Property("Name") String name) {
        Runner {
            if (id.contains(":")) {
                throw new IllegalArgumentException("the id " + id);
            }
        }
    }

    private static <T> T read(EntityCodec<T> codec, String json) {
        return RowDecoder.row(new StorageResponse(200, new HttpHeaders(), json.getBytes(StandardCharsets.UTF_8)), codec)
                .value();
    }

    @Test
    @DisplayName("T11: a copy has all that the entity has, and its row key")
    void writesCopies() {
        byte[] json =
                Encoded.json(encoder.encode(EntityVerb.INSERT, new Runner("p", "r", "Ann"), codec.at(PLACE), null));

        assertThat(new String(json, StandardCharsets.UTF_8)).isEqualTo(ROW);
    }

    @Test
    @DisplayName("T11: a copy is read as the entity, whatever the order of its properties")
    void readsCopies() {
        assertThat(read(codec, ROW)).isEqualTo(new Runner("p", "r", "Ann"));
        assertThat(read(
                        codec,
                        "{\"StowlineRowKey\":\"r\",\"Name\":\"Ann\",\"RowKey\":\"AGE:055!r\",\"PartitionKey\":\"p\"}"))
                .isEqualTo(new Runner("p", "r", "Ann"));
        assertThat(codec.select())
                .containsExactlyInAnyOrder("PartitionKey", "RowKey", "Name", "StowlineRowKey", "StowlineIndex");
    }

    record Versioned(
            @PartitionKey String race,
            @RowKey String id,
            @ETag String etag) {}

    @Test
    @DisplayName("MAP-1: a copy does not lend its ETag to the entity")
    void withoutEtag() {
        var copies = CopyCodec.of(new TypedCodec<>(EntityType.of(Versioned.class)));
        String row = "{\"odata.etag\":\"1\",\"PartitionKey\":\"p\",\"RowKey\":\"r\"";

        assertThat(read(copies, row + "}").etag()).isEqualTo("1");
        assertThat(read(copies, row + ",\"StowlineRowKey\":\"r\"}").etag()).isNull();
    }

    @Test
    @DisplayName(
            "T11: an index row that is read as it stands says what it is, and nothing else can have these properties")
    void saysWhatItIs() {
        Entity entity = read(new EntityObjectCodec(null), ROW);

        assertThat(entity.rowKey()).isEqualTo("AGE:055!r");
        assertThat(entity.properties()).containsOnlyKeys("Name", "StowlineRowKey", "StowlineIndex");
        assertThat(entity.get("StowlineIndex")).isEqualTo("AGE 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Entity.builder("p", "r").set("StowlineRowKey", "x"))
                .withMessageContaining("reserved for index rows");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Entity.builder("p", "r").set("StowlineIndex", "x"))
                .withMessageContaining("reserved for index rows");
    }

    @Test
    @DisplayName("T11: the copy of one row has no row key of the row before it")
    void forgetsTheRowBefore() {
        IndexedRow first = read(IndexedRowCodec.ROWS, ROW);
        assertThat(first).isEqualTo(new IndexedRow("p", "r", Map.of("Name", "Ann")).copy(PLACE));

        var reader = IndexedRowCodec.ROWS.reader();
        String page = "{\"value\":[" + ROW + ",{\"PartitionKey\":\"p\",\"RowKey\":\"r\",\"Name\":\"Ann\"}]}";
        StorageResponse response = new StorageResponse(200, new HttpHeaders(), page.getBytes(StandardCharsets.UTF_8));
        assertThat(RowDecoder.values(new io.stowline.table.internal.request.QueryPage(response, null), reader))
                .extracting(IndexedRow::indexedRow)
                .containsExactly("r", null);
    }

    @Test
    @DisplayName("T11: a raw row is written as it was read, and is another one if any property is")
    void rawRows() {
        IndexedRow entity = new IndexedRow("p", "r", Map.of("A", 1L, "B", new byte[] {1}));
        IndexedRow copy = entity.copy(PLACE);
        IndexedRow again = read(
                IndexedRowCodec.ROWS,
                new String(
                        Encoded.json(encoder.encode(EntityVerb.INSERT, copy, IndexedRowCodec.ROWS, null)),
                        StandardCharsets.UTF_8));

        assertThat(again.matches(copy)).isTrue();
        assertThat(again.matches(entity)).isFalse();
        assertThat(copy.matches(new IndexedRow("p", "r", Map.of("A", 1L)).copy(PLACE)))
                .isFalse();
        assertThat(copy.matches(new IndexedRow("p", "r", Map.of("A", 1, "B", new byte[] {1})).copy(PLACE)))
                .isFalse();
    }

    @Test
    @DisplayName("T20: an entity whose copy has no room for its row key is refused")
    void noRoom() {
        Entity.Builder builder = Entity.builder("p", "r");
        for (int i = 0; i < 252; i++) {
            builder.set("P" + i, i);
        }
        Entity full = builder.build();
        CopyCodec<Entity> copies = CopyCodec.of(new EntityObjectCodec(null));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> encoder.encode(EntityVerb.INSERT, full, copies.at(PLACE), null))
                .withMessageContaining("254 properties");
    }
}
