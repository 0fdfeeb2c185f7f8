package io.stowline.table.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.Answer;
import io.stowline.transport.internal.AnswerReader;
import io.stowline.transport.internal.Call;
import io.stowline.transport.internal.Documented;
import io.stowline.transport.internal.Effect;
import io.stowline.transport.internal.ExtraHeaders;
import io.stowline.transport.internal.Load;
import io.stowline.transport.internal.Reading;
import io.stowline.transport.internal.Request;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The requests of the table service, each with the headers that its REST page asks for. */
final class TableRequests {

    private static final HttpHeaderName DATA_SERVICE_VERSION = HttpHeaderName.fromString("DataServiceVersion");
    private static final HttpHeaderName MAX_DATA_SERVICE_VERSION = HttpHeaderName.fromString("MaxDataServiceVersion");
    private static final HttpHeaderName PREFER = HttpHeaderName.fromString("Prefer");
    private static final String JSON = "application/json";
    private static final Documented READ = Documented.status(200);
    private static final Documented READ_UNLESS_KNOWN = Documented.status(200, 304);
    private static final Documented MADE = Documented.status(201, 204);
    private static final Documented CHANGED = Documented.status(204);

    private final Supplier<URI> endpoint;
    private final ExtraHeaders headers;

    /** An account may be without tables; it is asked where they are when a request is made. */
    TableRequests(Supplier<URI> endpoint) {
        this(endpoint, ExtraHeaders.NONE);
    }

    private TableRequests(Supplier<URI> endpoint, ExtraHeaders headers) {
        this.endpoint = endpoint;
        this.headers = headers;
    }

    TableRequests header(String name, String value) {
        return new TableRequests(endpoint, headers.with(name, value));
    }

    /** The requests with what those have, too. */
    TableRequests and(TableRequests others) {
        ExtraHeaders both = headers.and(others.headers);
        return both == headers ? this : new TableRequests(endpoint, both);
    }

    /** What the application adds to all requests. */
    ExtraHeaders headers() {
        return headers;
    }

    /** The address under which an entity is kept: names of tables differ in more than their case, keys need not. */
    static String address(String url) {
        int keys = url.indexOf('(');
        return url.substring(0, keys).toLowerCase(Locale.ROOT) + url.substring(keys);
    }

    private String root() {
        return endpoint.get().toString();
    }

    String tableUrl(String table) {
        return root() + "/" + table;
    }

    /** A request that has succeeded when the answer's status is the one that its REST page names. */
    static Call<Answer> call(Request request, RetrySettings retry) {
        return Call.of(request, retry, success(request)::read);
    }

    /** The same, whose answer means more. */
    static Call<Answer> call(Request request, RetrySettings retry, AnswerReader<Answer> reader) {
        Documented success = success(request);
        return Call.of(request, retry, answer -> {
            String wrong = success.against(answer.status());
            return wrong == null ? reader.read(answer) : new Reading.Unreadable<>(wrong);
        });
    }

    private static Documented success(Request request) {
        if (request.method() == HttpMethod.GET) {
            return request.headers().getValue(HttpHeaderName.IF_NONE_MATCH) == null ? READ : READ_UNLESS_KNOWN;
        }
        return request.method() == HttpMethod.POST ? MADE : CHANGED;
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
        return dressed(Request.of("deleteTable", table, Effect.WRITE, HttpMethod.DELETE, url), MetadataLevel.NONE)
                .changing(kept -> kept.allChanged(address(tableUrl(table) + "(")));
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
                        MetadataLevel.NONE)
                .costing(Load.of(partition(table, operation.partitionKey())))
                .changing(kept -> kept.changed(address(operation.entityUrl())));
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
                .costing(new Load(partition(table, operations.get(0).partitionKey()), operations.size(), 0))
                .changing(kept -> operations.forEach(operation -> kept.changed(address(operation.entityUrl()))))
                .body(body.contentType(), body);
    }

    Request find(String table, String url, String partitionKey, String rowKey, MetadataLevel level) {
        return dressed(
                        Request.of("find", resource(table, partitionKey, rowKey), Effect.READ, HttpMethod.GET, url),
                        level)
                .costing(Load.of(partition(table, partitionKey)));
    }

    /** One page; beyond its own cost it counts the rows that it brings. */
    Request query(String table, QuerySpec spec, @Nullable Continuation from) {
        String url = tableUrl(table) + "()" + spec.toQueryString(from);
        String partition = spec.partition();
        return dressed(Request.of("query", table, Effect.READ, HttpMethod.GET, url), spec.level())
                .costing(partition == null ? Load.ONE : Load.of(partition(table, partition)));
    }

    /** What the service limits as one. */
    private static String partition(String table, String partitionKey) {
        return table + '/' + partitionKey;
    }

    static String resource(String table, String partitionKey, String rowKey) {
        return table + "(" + partitionKey + ", " + rowKey + ")";
    }

    private Request dressed(Request request, MetadataLevel level) {
        return request.header(HttpHeaderName.ACCEPT, level.accept())
                .header(DATA_SERVICE_VERSION, "3.0")
                .header(MAX_DATA_SERVICE_VERSION, "3.0;NetFx")
                .headers(headers);
    }
}
