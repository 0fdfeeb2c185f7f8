package io.stowline.table.internal.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.table.internal.json.JsonField.JsonFieldTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonFieldTableTest {

    private final JsonFieldTable table =
            new JsonFieldTable(name -> name.startsWith("x") ? -1 : name.length(), name -> 0);

    @Provide
    static Arbitrary<List<List<String>>> rows() {
        Arbitrary<String> names = Arbitraries.of("A", "AB", "B", "a\"b", "x", "C@odata.type", "東", "PartitionKey");
        return names.list().ofMaxSize(6).list().ofMaxSize(6);
    }

    private static List<JsonField> read(JsonFieldTable table, List<String> names) throws IOException {
        String json = names.stream()
                .map(name -> new ByteBuilder().json(name) + ":1")
                .collect(Collectors.joining(",", "{", "}"));
        JsonCursor cursor = new JsonCursor(json.getBytes(StandardCharsets.UTF_8));
        List<JsonField> fields = new ArrayList<>();
        JsonField field = table.start();
        for (boolean more = cursor.enter('{', '}'); more; more = cursor.more('}')) {
            field = table.after(field, cursor);
            fields.add(field);
            cursor.skip();
        }
        return fields;
    }

    @Property
    @Label("MAP-2: whatever rows came before, each name is known for what it is")
    void knowsEachName(@ForAll("rows") List<List<String>> rows) throws IOException {
        JsonFieldTable shared = new JsonFieldTable(name -> name.length(), name -> 7);
        for (List<String> names : rows) {
            List<JsonField> fields = read(shared, names);

            assertThat(fields).hasSameSizeAs(names);
            for (int i = 0; i < names.size(); i++) {
                JsonField alone = JsonField.of(names.get(i), String::length, name -> 7);
                JsonField field = fields.get(i);
                assertThat(field.role()).isEqualTo(alone.role());
                assertThat(field.property()).isEqualTo(alone.property());
                assertThat(field.index()).isEqualTo(alone.index());
                assertThat(field.wire()).isEqualTo(alone.wire());
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PartitionKey, PARTITION_KEY, -1",
        "RowKey, ROW_KEY, -1",
        "Timestamp, TIMESTAMP, -1",
        "odata.etag, ETAG, -1",
        "odata.metadata, NOTHING, -1",
        "Text, PROPERTY, 4",
        "xText, NOTHING, -1",
        "Text@odata.type, TYPE, 0"
    })
    void tellsRolesApart(String name, JsonField.FieldRole role, int index) throws IOException {
        JsonField field = read(table, List.of(name)).get(0);

        assertThat(field.role()).isEqualTo(role);
        assertThat(field.index()).isEqualTo(index);
        assertThat(field.property()).isEqualTo(name.replace("@odata.type", ""));
    }

    @Test
    void requestsEachNameOnceOnly() throws IOException {
        AtomicInteger requested = new AtomicInteger();
        JsonFieldTable counting = new JsonFieldTable(name -> requested.incrementAndGet(), name -> 0);
        for (int i = 0; i < 5; i++) {
            read(counting, List.of("A", "B", "C"));
            read(counting, List.of("A", "C", "B"));
            read(counting, List.of("C"));
        }

        assertThat(requested).hasValue(3);
    }

    @Test
    void readsNamesBeyondThoseThatItKeeps() throws IOException {
        List<String> names = IntStream.range(0, 2_000).mapToObj(i -> "n" + i).toList();

        for (int i = 0; i < 2; i++) {
            assertThat(read(table, names)).extracting(JsonField::property).isEqualTo(names);
        }
    }

    @Test
    void servesManyThreads() {
        List<List<String>> rows =
                List.of(List.of("A", "B", "C"), List.of("B", "A"), List.of("C", "A", "B"), List.of("D"));
        ConcurrentHashMap<List<String>, List<String>> wrong = new ConcurrentHashMap<>();
        IntStream.range(0, 20_000).parallel().forEach(i -> {
            List<String> names = rows.get(i % rows.size());
            try {
                List<String> found =
                        read(table, names).stream().map(JsonField::property).toList();
                if (!found.equals(names)) {
                    wrong.put(names, found);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });

        assertThat(wrong).isEmpty();
    }
}
