package io.stowline.table.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.transport.internal.Effect;
import io.stowline.transport.internal.Request;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** The requests of the table service, each with the headers that its REST page asks for. */
final class TableRequests {

    private static final HttpHeaderName DATA_SERVICE_VERSION = HttpHeaderName.fromString("DataServiceVersion");
    private static final HttpHeaderName MAX_DATA_SERVICE_VERSION = HttpHeaderName.fromString("MaxDataServiceVersion");
    private static final HttpHeaderName PREFER = HttpHeaderName.fromString("Prefer");
    private static final String JSON = "application/json";

    private final Supplier<URI> endpoint;

    /** An account may be without tables; it is asked where they are when a request is made. */
    TableRequests(Supplier<URI> endpoint) {
        this.endpoint = endpoint;
    }

    private String root() {
        return endpoint.get().toString();
    }

    String tableUrl(String table) {
        return root() + "/" + table;
    }

    Request createTable(String table) {
        byte[] body = ("{\"TableName\":\"" + table + "\"}").getBytes(StandardCharsets.UTF_8);
        return dressed(
                        Request.of("createTable", table, Effect.CREATE, HttpMethod.POST, root() + "/Tables"),
                        MetadataLevel.NONE)
                .header(PREFER, "return-no-content")
                .body(JSON, body);
    }

    Request deleteTable(String table) {
        String url = root() + "/Tables(%27" + table + "%27)";
        return dressed(Request.of("deleteTable", table, Effect.WRITE, HttpMethod.DELETE, url), MetadataLevel.NONE);
    }

    Request listTables(String query) {
        String url = root() + "/Tables" + query;
        return dressed(Request.of("listTables", "tables", Effect.READ, HttpMethod.GET, url), MetadataLevel.NONE);
    }

    Request operation(String table, EncodedOperation operation) {
        Verb verb = operation.verb();
        Request request = dressed(
                Request.of(
                        verb.label(),
                        resource(table, operation.partitionKey(), operation.rowKey()),
                        Effect.WRITE,
                        verb.method(),
                        operation.url()),
                MetadataLevel.NONE);
        if (operation.ifMatch() != null) {
            request.header(HttpHeaderName.IF_MATCH, operation.ifMatch());
        }
        if (verb == Verb.INSERT) {
            request.header(PREFER, "return-no-content");
        }
        return verb.hasBody() ? request.body(JSON, operation.body()) : request;
    }

    Request batch(String table, List<EncodedOperation> operations) {
        BatchBody body = BatchBody.of(operations);
        String resource =
                table + "(" + operations.get(0).partitionKey() + ") with " + operations.size() + " operations";
        return dressed(
                        Request.of("transaction", resource, Effect.WRITE, HttpMethod.POST, root() + "/$batch"),
                        MetadataLevel.NONE)
                .body(body.contentType(), body.bytes());
    }

    Request find(String table, String url, String partitionKey, String rowKey, MetadataLevel level) {
        return dressed(
                Request.of("find", resource(table, partitionKey, rowKey), Effect.READ, HttpMethod.GET, url), level);
    }

    Request query(String table, String query, MetadataLevel level) {
        return dressed(Request.of("query", table, Effect.READ, HttpMethod.GET, tableUrl(table) + "()" + query), level);
    }

    static String resource(String table, String partitionKey, String rowKey) {
        return table + "(" + partitionKey + ", " + rowKey + ")";
    }

    private static Request dressed(Request request, MetadataLevel level) {
        return request.header(HttpHeaderName.ACCEPT, level.accept())
                .header(DATA_SERVICE_VERSION, "3.0")
                .header(MAX_DATA_SERVICE_VERSION, "3.0;NetFx");
    }
}
