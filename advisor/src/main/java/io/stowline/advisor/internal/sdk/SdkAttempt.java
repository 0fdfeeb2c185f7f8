package io.stowline.advisor.internal.sdk;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpLoggingPolicy;
import com.azure.core.util.BinaryData;
import io.stowline.observe.AttemptEvent;
import io.stowline.observe.AttemptReason;
import io.stowline.observe.QueryPageEvent;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** An attempt of an Azure SDK client, with the facts that its request and response show. Not thread-safe. */
final class SdkAttempt implements AttemptEvent {

    private static final HttpHeaderName STORAGE_RANGE = HttpHeaderName.fromString("x-ms-range");
    private static final HttpHeaderName ERROR_CODE = HttpHeaderName.fromString("x-ms-error-code");
    private static final HttpHeaderName NEXT_PARTITION =
            HttpHeaderName.fromString("x-ms-continuation-NextPartitionKey");
    private static final HttpHeaderName NEXT_TABLE = HttpHeaderName.fromString("x-ms-continuation-NextTableName");
    private static final String EAGER = "azure-eagerly-read-response";

    private static final int FIRST_ERROR = 400;
    private static final int MAX_ERROR_BYTES = 64 << 10;

    private final SdkAddress address;
    private final SdkVerb verb;
    private final WrittenEntities written;
    private final @Nullable QueryFilter filter;
    private final Condition condition;
    private final @Nullable String accept;
    private final @Nullable String range;
    private final long bytesSent;
    private final int number;
    private final boolean eager;
    private final boolean bodiless;
    private final long startNanos;
    private int status;
    private @Nullable String errorCode;
    private AttemptReason reason = AttemptReason.OTHER;
    private boolean ambiguous;
    private @Nullable String etag;
    private boolean continued;
    private long bytesReceived;
    private int returned = -1;
    private long elapsedNanos;

    private SdkAttempt(SdkAddress address, HttpPipelineCallContext context, long startNanos) {
        HttpRequest request = context.getHttpRequest();
        HttpHeaders headers = request.getHeaders();
        BinaryData body = request.getBodyAsBinaryData();
        this.address = address;
        this.verb = SdkVerb.of(address, request.getHttpMethod(), headers);
        this.written = written(verb, body);
        this.filter =
                verb.name().equals("query") ? QueryFilter.of(address.query().get("$filter")) : null;
        this.condition = condition(headers);
        this.accept = address.query().getOrDefault("$format", headers.getValue(HttpHeaderName.ACCEPT));
        this.range = verb.name().equals("download") ? range(headers) : null;
        this.bytesSent = length(headers, body);
        this.number =
                context.getData(HttpLoggingPolicy.RETRY_COUNT_CONTEXT).orElse(1) instanceof Integer count ? count : 1;
        this.eager = Boolean.TRUE.equals(context.getData(EAGER).orElse(false));
        this.bodiless = request.getHttpMethod() == HttpMethod.HEAD;
        this.startNanos = startNanos;
    }

    /** Begins an attempt, or returns {@code null} if its request is not one to storage. */
    static @Nullable SdkAttempt begin(HttpPipelineCallContext context) {
        SdkAddress address = SdkAddress.of(context);
        return address == null ? null : new SdkAttempt(address, context, System.nanoTime());
    }

    private static @Nullable String range(HttpHeaders headers) {
        String range = headers.getValue(STORAGE_RANGE);
        return range == null ? headers.getValue(HttpHeaderName.RANGE) : range;
    }

    private static WrittenEntities written(SdkVerb verb, @Nullable BinaryData body) {
        try {
            return switch (verb.name()) {
                case "insert" -> WrittenEntities.ofInsert(body);
                case "transaction" -> WrittenEntities.ofTransaction(body);
                default -> WrittenEntities.UNREAD;
            };
        } catch (IOException | RuntimeException e) {
            SdkTrafficPolicy.LOG.debug(
                    "the body of a request shows no keys: {}", e.getClass().getName());
            return WrittenEntities.UNREAD;
        }
    }

    private static Condition condition(HttpHeaders headers) {
        if (headers.getValue(HttpHeaderName.IF_NONE_MATCH) != null) {
            return Condition.IF_NONE_MATCH;
        }
        String match = headers.getValue(HttpHeaderName.IF_MATCH);
        return match == null || match.equals("*") ? Condition.NONE : Condition.IF_MATCH;
    }

    private static long length(HttpHeaders headers, @Nullable BinaryData body) {
        long header = length(headers);
        Long known = header >= 0 || body == null ? null : body.getLength();
        return known == null ? Math.max(0, header) : known;
    }

    private static long length(HttpHeaders headers) {
        String header = headers.getValue(HttpHeaderName.CONTENT_LENGTH);
        try {
            return header == null ? -1 : Long.parseLong(header);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /**
     * Returns whether the body of the response shows more: rows and messages, which the SDK reads whole anyway, or the code of an error.
     */
    boolean readsBody(HttpResponse response) {
        long length = length(response.getHeaders());
        if (bodiless || length == 0) {
            return false;
        }
        if (response.getStatusCode() < FIRST_ERROR) {
            return eager && verb.returnsMany();
        }
        String code = response.getHeaders().getValue(ERROR_CODE);
        return (code == null || code.equals(SdkFailure.BUSY)) && length <= MAX_ERROR_BYTES && (eager || length > 0);
    }

    /** Ends the attempt by a response; its body is given if it has been read. */
    void end(HttpResponse response, byte @Nullable [] body) {
        elapsedNanos = System.nanoTime() - startNanos;
        HttpHeaders headers = response.getHeaders();
        status = response.getStatusCode();
        etag = headers.getValue(HttpHeaderName.ETAG);
        bytesReceived = bodiless ? 0 : body == null ? Math.max(0, length(headers)) : body.length;
        if (status >= FIRST_ERROR) {
            failed(SdkFailure.of(status, headers.getValue(ERROR_CODE), body));
        } else {
            reason = AttemptReason.SUCCESS;
            continued = headers.getValue(NEXT_PARTITION) != null || headers.getValue(NEXT_TABLE) != null;
            returned = returned(body);
        }
    }

    private int returned(byte @Nullable [] body) {
        return switch (verb.name()) {
            case "query" -> body == null ? -1 : ResponseCount.rows(body);
            case "receive" -> body == null ? -1 : ResponseCount.messages(body);
            case "find" -> 1;
            default -> -1;
        };
    }

    /** Ends the attempt without a response. */
    void end(Throwable error) {
        elapsedNanos = System.nanoTime() - startNanos;
        failed(SdkFailure.of(error));
    }

    private void failed(SdkFailure failure) {
        errorCode = failure.code();
        ambiguous = verb.write() && failure.isLost();
        reason = AttemptReason.of(failure.end(number, ambiguous), false);
    }

    /** Returns the page that the attempt has read, or {@code null} if it has read none. */
    @Nullable
    QueryPageEvent page() {
        QueryFilter query = filter;
        if (query == null || returned < 0) {
            return null;
        }
        String select = address.parameter("$select");
        return new QueryPageEvent(
                account(),
                container(),
                query.queryClass(),
                query.shape(),
                returned,
                query.scanned(returned),
                continued,
                select.isBlank() ? 0 : select.split(",").length,
                0,
                bytesReceived);
    }

    @Override
    public String account() {
        return address.account();
    }

    @Override
    public String service() {
        return address.service();
    }

    @Override
    public String operation() {
        return verb.name();
    }

    @Override
    public String caller() {
        return verb.name();
    }

    @Override
    public String container() {
        String table = written.table();
        return table == null ? address.container() : table;
    }

    @Override
    public @Nullable String partition() {
        if (filter != null) {
            return filter.partition();
        }
        return address.partition() == null ? written.partition() : address.partition();
    }

    @Override
    public @Nullable String row() {
        return address.row() == null ? written.row() : address.row();
    }

    @Override
    public @Nullable String queryClass() {
        return filter == null ? (verb.name().equals("find") ? "point" : null) : filter.queryClass();
    }

    @Override
    public boolean write() {
        return verb.write();
    }

    @Override
    public Condition condition() {
        return condition;
    }

    @Override
    public @Nullable String accept() {
        return accept;
    }

    @Override
    public int entities() {
        return verb.name().equals("receive") ? messagesWanted() : written.number();
    }

    private int messagesWanted() {
        try {
            return Math.max(1, Integer.parseInt(address.parameter("numofmessages")));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    @Override
    public int returned() {
        return returned;
    }

    @Override
    public boolean continued() {
        return continued;
    }

    @Override
    public long bytesSent() {
        return bytesSent;
    }

    @Override
    public long bytesReceived() {
        return bytesReceived;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public @Nullable String errorCode() {
        return errorCode;
    }

    @Override
    public AttemptReason reason() {
        return reason;
    }

    @Override
    public boolean ambiguous() {
        return ambiguous;
    }

    @Override
    public boolean existenceCheck() {
        return false;
    }

    @Override
    public @Nullable String etag() {
        return etag;
    }

    @Override
    public @Nullable String range() {
        return range;
    }

    /** Zero: an SDK client has no permits. */
    @Override
    public long permitNanos() {
        return 0;
    }

    /** Zero: another HTTP client sends it. */
    @Override
    public long connectNanos() {
        return 0;
    }

    @Override
    public long elapsedNanos() {
        return elapsedNanos;
    }
}
