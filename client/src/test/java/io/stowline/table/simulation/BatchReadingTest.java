package io.stowline.table.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.table.internal.request.EntityVerb;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BatchReadingTest {

    private static final String TYPE = "multipart/mixed; boundary=batch_1";

    private static String body(String... parts) {
        return "--batch_1\r\nContent-Type: multipart/mixed; boundary=changeset_1\r\n\r\n"
                + List.of(parts).stream()
                        .map(part -> "--changeset_1\r\n" + part + "\r\n")
                        .collect(Collectors.joining())
                + "--changeset_1--\r\n--batch_1--\r\n";
    }

    private static String insert(String partition, String row) {
        return "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nPOST "
                + SimulatedOperations.ROOT
                + "/notes HTTP/1.1\r\nAccept: application/json;odata=nometadata\r\nContent-Type: application/json\r\n"
                + "Prefer: return-no-content\r\n\r\n{\"PartitionKey\":\"" + partition + "\",\"RowKey\":\"" + row
                + "\",\"op\":7}";
    }

    private static String delete(String partition, String row) {
        return "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nDELETE "
                + SimulatedOperations.ROOT
                + "/notes(PartitionKey='" + partition + "',RowKey='" + row
                + "') HTTP/1.1\r\nAccept: application/json\r\nIf-Match: *\r\n\r\n";
    }

    private static List<StoreChange> read(String body) throws Malformed {
        return BatchReading.of(TYPE, body.getBytes(StandardCharsets.UTF_8));
    }

    private static void refuses(String body, String why) {
        assertThatThrownBy(() -> read(body)).isInstanceOf(Malformed.class).hasMessageContaining(why);
    }

    @Test
    void readsWhatIsWellFormed() throws Malformed {
        List<StoreChange> changes = read(body(insert("p", "a"), delete("p", "O%27%27Neil%20%2B")));

        assertThat(changes.get(0).verb()).isEqualTo(EntityVerb.INSERT);
        assertThat(changes.get(0).op()).isEqualTo(7);
        assertThat(changes.get(1).key()).isEqualTo(new SimulatedKey("p", "O'Neil +"));
        assertThat(changes.get(1).ifMatch()).isEqualTo("*");
    }

    @Test
    @DisplayName("BATCH-2: no more than 100 operations and 4 MiB")
    void limits() {
        String[] parts =
                IntStream.range(0, 101).mapToObj(i -> insert("p", "r" + i)).toArray(String[]::new);
        refuses(body(parts), "101 operations");
        refuses(body(insert("p", "x".repeat(4 << 20))), "bytes");
        refuses(body(), "");
    }

    @Test
    @DisplayName("BATCH-4: one partition and one table, and no entity twice")
    void scope() {
        refuses(body(insert("p", "a"), insert("q", "b")), "two partitions");
        refuses(body(insert("p", "a"), delete("p", "a")), "twice");
        refuses(body(insert("p", "a"), delete("p", "b").replace("/notes(", "/other(")), "several tables");
    }

    @Test
    void framing() {
        String good = body(insert("p", "a"), delete("p", "b"));
        refuses(good + "\r\n", "bytes after the end");
        refuses(good.substring(0, good.length() - 2), "");
        refuses(good.replace("--batch_1--", "--batch_1"), "");
        refuses(good.replace("Content-Transfer-Encoding: binary\r\n", ""), "");
        refuses(good.replace("Accept: application/json\r\n", "Accept: application/json\n"), "a line");
        refuses(good.replace("If-Match: *\r\n", "If-Match: *\r\nIf-Match: *\r\n"), "twice");
        refuses(good.replace("changeset_1", "batch_1"), "");
    }

    @Test
    void operations() {
        String good = body(insert("p", "a"), delete("p", "b"));
        refuses(good.replace("If-Match: *\r\n", ""), "without If-Match");
        refuses(good.replace("Prefer: return-no-content\r\n", ""), "answered with all");
        refuses(good.replace("\"op\":7}", "\"op\":7"), "no JSON");
        refuses(good.replace("\"RowKey\":\"a\",", ""), "without its keys");
        refuses(good.replace("Accept: application/json\r\n", ""), "without Accept");
        refuses(good.replace("DELETE", "PATCH"), "PATCH inside a batch");
        refuses(good.replace("DELETE", "PUT"), "no JSON");
        refuses(
                good.replace(SimulatedOperations.ROOT + "/notes(", "https://other.example/notes("),
                "not in the account");
    }
}
