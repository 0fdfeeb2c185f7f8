package io.stowline.table.internal.request;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.retry.RetrySettings;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.ExtraHeaders;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The requests of the table service, each with the headers that its REST page requires. */
public final class TableRequests {

    private static final HttpHeaderName DATA_SERVICE_VERSION = HttpHeaderName.fromString("DataServiceVersion");
    private static final HttpHeaderName MAX_DATA_SERVICE_VERSION = HttpHeaderName.fromString("MaxDataServiceVersion");
    private static final HttpHeaderName PREFER = HttpHeaderName.fromString("Prefer");
    private static final String JSON = "application/json";
    private static final DocumentedStatus READ = DocumentedStatus.status(200);
    private static final DocumentedStatus READ_UNLESS_KNOWN = DocumentedStatus.status(200, 304);
    private static final DocumentedStatus MADE = DocumentedStatus.status(201, 204);
    private static final DocumentedStatus CHANGED = DocumentedStatus.status(204);

    private final Supplier<URI> endpoint;
    private final ExtraHeaders headers;

    /** An account may be without tables; it gives their endpoint when a request is made. */
    public TableRequests(Supplier<URI> endpoint) {
        this(endpoint, ExtraHeaders.NONE);
    }

    private TableRequests(Supplier<URI> endpoint, ExtraHeaders headers) {
        this.endpoint = endpoint;
        this.headers = headers;
    }

    /** Returns the same requests with other headers of the application. */
    public TableRequests with(ExtraHeaders other) {
        return new TableRequests(endpoint, other);
    }

    /**
     * Returns the address by which caches know an entity: names of tables differ in more than their case, keys need
     * not.
     */
    public static String address(String url) {
        int keys = url.indexOf('(');
        return url.substring(0, keys).toLowerCase(Locale.ROOT) + url.substring(keys);
    }

    private String root() {
        return endpoint.get().toString();
    }

    public String tableUrl(String table) {
        return root() + "/" + table;
    }

    /** Returns an exchange that succeeds when the response has the status that its REST page names. */
    public static Exchange<StorageResponse> exchange(Request request, RetrySettings retry) {
        return Exchange.of(request, retry, success(request)::read);
    }

    private static DocumentedStatus success(Request request) {
        if (request.method() == HttpMethod.GET) {
            return request.headers().getValue(HttpHeaderName.IF_NONE_MATCH) == null ? READ : READ_UNLESS_KNOWN;
        }
        return request.method() == HttpMethod.POST ? MADE : CHANGED;
    }

    public Request createTable(String table) {
        byte[] body = ("{\"TableName\":\"" + table + "\"}").getBytes(StandardCharsets.UTF_8);
        return dressed(
                        Request.of("create", table, OperationType.CREATE, HttpMethod.POST, root() + "/Tables"),
                        MetadataLevel.NONE)
                .addHeader(PREFER, "return-no-content")
                .body(JSON, body);
    }

    public Request deleteTable(String table) {
        String url = root() + "/Tables(%27" + table + "%27)";
        return dressed(Request.of("drop", table, OperationType.WRITE, HttpMethod.DELETE, url), MetadataLevel.NONE)
                .changing(kept -> kept.allChanged(address(tableUrl(table) + "(")));
    }

    public Request getTable(String table) {
        String url = root() + "/Tables(%27" + table + "%27)";
        return dressed(Request.of("exists", table, OperationType.READ, HttpMethod.GET, url), MetadataLevel.NONE)
                .checkingExistence();
    }

    public Request listTables(String query) {
        String url = root() + "/Tables" + query;
        return dressed(Request.of("listTables", "tables", OperationType.READ, HttpMethod.GET, url), MetadataLevel.NONE);
    }

    static HttpMethod method(EntityVerb verb) {
        return switch (verb) {
            case INSERT -> HttpMethod.POST;
            case INSERT_OR_REPLACE, REPLACE -> HttpMethod.PUT;
            case INSERT_OR_MERGE, MERGE -> HttpMethod.PATCH;
            case DELETE -> HttpMethod.DELETE;
        };
    }

    public Request operation(String table, EncodedOperation operation) {
        EntityVerb verb = operation.verb();
        Request request = dressed(
                        Request.of(
                                verb.label(),
                                resource(table, operation.partitionKey(), operation.rowKey()),
                                OperationType.WRITE,
                                method(verb),
                                operation.url()),
                        MetadataLevel.NONE)
                .costing(RequestCost.of(partition(table, operation.partitionKey())))
                .changing(kept -> kept.changed(address(operation.entityUrl())));
        if (operation.ifMatch() != null) {
            request.addHeader(HttpHeaderName.IF_MATCH, operation.ifMatch());
        }
        if (verb == EntityVerb.INSERT) {
            request.addHeader(PREFER, "return-no-content");
        }
        return verb.hasBody() ? request.body(JSON, operation.body()) : request;
    }

    public Request batch(String table, List<EncodedOperation> operations) {
        ChangeSetBody body = ChangeSetBody.of(operations);
        String resource =
                table + "(" + operations.get(0).partitionKey() + ") with " + operations.size() + " operations";
        return dressed(
                        Request.of("transaction", resource, OperationType.WRITE, HttpMethod.POST, root() + "/$batch"),
                        MetadataLevel.NONE)
                .costing(new RequestCost(partition(table, operations.get(0).partitionKey()), operations.size(), 0))
                .changing(kept -> operations.forEach(operation -> kept.changed(address(operation.entityUrl()))))
                .body(body.contentType(), body);
    }

    public Request find(String table, String url, String partitionKey, String rowKey, MetadataLevel level) {
        return dressed(
                        Request.of(
                                "find", resource(table, partitionKey, rowKey), OperationType.READ, HttpMethod.GET, url),
                        level)
                .costing(RequestCost.of(partition(table, partitionKey)));
    }

    /** Returns the request for one page, which costs what the service is expected to scan. */
    public Request query(String table, QuerySpec spec, @Nullable Continuation from) {
        String url = tableUrl(table) + "()" + spec.toQueryString(from);
        String partition = spec.partition();
        return dressed(Request.of("query", table, OperationType.READ, HttpMethod.GET, url), spec.level())
                .costing(new RequestCost(
                        partition == null ? null : partition(table, partition), spec.expected(from), 0));
    }

    /** The unit that the service limits. */
    private static String partition(String table, String partitionKey) {
        return table + '/' + partitionKey;
    }

    public static String resource(String table, String partitionKey, String rowKey) {
        return table + "(" + partitionKey + ", " + rowKey + ")";
    }

    private Request dressed(Request request, MetadataLevel level) {
        return request.addHeader(HttpHeaderName.ACCEPT, level.accept())
                .addHeader(DATA_SERVICE_VERSION, "3.0")
                .addHeader(MAX_DATA_SERVICE_VERSION, "3.0;NetFx")
                .addHeaders(headers);
    }
}
