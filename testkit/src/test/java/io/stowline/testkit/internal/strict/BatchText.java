package io.stowline.testkit.internal.strict;

import java.util.List;
import java.util.stream.Collectors;

/** Writes batch requests. */
public final class BatchText {

    private static final String CRLF = "\r\n";

    private BatchText() {}

    /** An operation of a batch: method and resource, headers, body. */
    public record Operation(String method, String resource, List<String> headers, String body) {}

    public static Operation insert(String table, String partitionKey, String rowKey) {
        return insert(table, "{\"PartitionKey\":\"" + partitionKey + "\",\"RowKey\":\"" + rowKey + "\"}");
    }

    public static Operation insert(String table, String entity) {
        return new Operation(
                "POST",
                table,
                List.of("Content-Type: application/json", "Prefer: return-no-content", "DataServiceVersion: 3.0"),
                entity);
    }

    public static Operation get(String resource) {
        return new Operation("GET", resource, List.of("Accept: application/json;odata=nometadata"), "");
    }

    public static String changeSet(List<Operation> operations) {
        return "--batch_b" + CRLF + "Content-Type: multipart/mixed; boundary=changeset_c" + CRLF + CRLF
                + operations.stream()
                        .map(operation -> part("changeset_c", operation))
                        .collect(Collectors.joining())
                + "--changeset_c--" + CRLF;
    }

    public static String query(Operation operation) {
        return part("batch_b", operation);
    }

    public static String batch(String... parts) {
        return String.join("", parts) + "--batch_b--" + CRLF;
    }

    public static StrictProbe probe(Operation... operations) {
        return probe(batch(changeSet(List.of(operations))));
    }

    public static StrictProbe probe(String body) {
        return StrictProbe.table("POST", "/$batch").body("multipart/mixed; boundary=batch_b", body);
    }

    private static String part(String boundary, Operation operation) {
        String headers =
                operation.headers().stream().map(header -> header + CRLF).collect(Collectors.joining());
        return "--" + boundary + CRLF + "Content-Type: application/http" + CRLF + "Content-Transfer-Encoding: binary"
                + CRLF + CRLF + operation.method() + " http://127.0.0.1/" + StrictProbe.ACCOUNT + "/"
                + operation.resource()
                + " HTTP/1.1" + CRLF + headers + CRLF + operation.body() + CRLF;
    }
}
