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
import io.stowline.transport.internal.request.RequestTarget;
import io.stowline.transport.internal.request.ResponseParser;
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
    private static final ResponseParser<StorageResponse> READ = DocumentedStatus.status(200)::read;
    private static final ResponseParser<StorageResponse> READ_ROWS = new RowsParser(DocumentedStatus.status(200));
    private static final ResponseParser<StorageResponse> READ_UNLESS_KNOWN =
            new RowsParser(DocumentedStatus.status(200, 304));
    private static final ResponseParser<StorageResponse> MADE = DocumentedStatus.status(201, 204)::read;
    private static final ResponseParser<StorageResponse> CHANGED = DocumentedStatus.status(204)::read;
    private static final String POINT = QueryClass.POINT.label();
    private static final int FOUND = 200;

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
        return Exchange.of(request, retry, parser(request));
    }

    private static ResponseParser<StorageResponse> parser(Request request) {
        if (request.method() == HttpMethod.GET) {
            if (request.target().queryClass() == null) {
                return READ;
            }
            return request.conditional() ? READ_UNLESS_KNOWN : READ_ROWS;
        }
        return request.method() == HttpMethod.POST ? MADE : CHANGED;
    }

    /** The parser of undecoded rows, which are counted only for a listener. */
    private record RowsParser(DocumentedStatus success) implements ResponseParser<StorageResponse> {

        @Override
        public ParseResult<StorageResponse> read(StorageResponse response) {
            return success.read(response);
        }

        @Override
        public int returned(StorageResponse response) {
            return response.status() == FOUND ? QueryPage.rows(response.body()) : 0;
        }

        @Override
        public boolean continued(StorageResponse response) {
            return Continuation.isIn(response);
        }
    }

    public Request createTable(String table) {
        byte[] body = ("{\"TableName\":\"" + table + "\"}").getBytes(StandardCharsets.UTF_8);
        return dressed(
                        Request.of(
                                "create",
                                RequestTarget.of(table),
                                OperationType.CREATE,
                                HttpMethod.POST,
                                root() + "/Tables"),
                        MetadataLevel.NONE)
                .addHeader(PREFER, "return-no-content")
                .body(JSON, body);
    }

    public Request deleteTable(String table) {
        String url = root() + "/Tables(%27" + table + "%27)";
        return dressed(
                        Request.of("drop", RequestTarget.of(table), OperationType.WRITE, HttpMethod.DELETE, url),
                        MetadataLevel.NONE)
                .changing(kept -> kept.allChanged(address(tableUrl(table) + "(")));
    }

    public Request getTable(String table) {
        String url = root() + "/Tables(%27" + table + "%27)";
        return dressed(
                        Request.of("exists", RequestTarget.of(table), OperationType.READ, HttpMethod.GET, url),
                        MetadataLevel.NONE)
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
                                row(table, operation.partitionKey(), operation.rowKey(), null),
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
        String partitionKey = operations.get(0).partitionKey();
        RequestTarget target = RequestTarget.named(
                table, partitionKey, table + "(" + partitionKey + ") with " + operations.size() + " operations");
        return dressed(
                        Request.of("transaction", target, OperationType.WRITE, HttpMethod.POST, root() + "/$batch"),
                        MetadataLevel.NONE)
                .costing(new RequestCost(partition(table, partitionKey), operations.size(), 0))
                .changing(kept -> operations.forEach(operation -> kept.changed(address(operation.entityUrl()))))
                .body(body.contentType(), body);
    }

    public Request find(String table, String url, String partitionKey, String rowKey, MetadataLevel level) {
        return dressed(
                        Request.of(
                                "find",
                                row(table, partitionKey, rowKey, POINT),
                                OperationType.READ,
                                HttpMethod.GET,
                                url),
                        level)
                .costing(RequestCost.of(partition(table, partitionKey)));
    }

    /** Returns the request for one page, which costs what the service is expected to scan. */
    public Request query(String table, QuerySpec spec, @Nullable Continuation from) {
        String url = tableUrl(table) + "()" + spec.toQueryString(from);
        String partition = spec.partition();
        RequestTarget target =
                new RequestTarget(table, partition, null, spec.kind().label(), table);
        return dressed(Request.of("query", target, OperationType.READ, HttpMethod.GET, url), spec.level())
                .costing(new RequestCost(
                        partition == null ? null : partition(table, partition), spec.expected(from), 0));
    }

    /** The unit that the service limits. */
    private static String partition(String table, String partitionKey) {
        return table + '/' + partitionKey;
    }

    private static RequestTarget row(String table, String partitionKey, String rowKey, @Nullable String queryClass) {
        return new RequestTarget(table, partitionKey, rowKey, queryClass, null);
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
