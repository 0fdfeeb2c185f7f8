package io.stowline.table.internal.write;

import com.azure.core.http.HttpHeaderName;
import io.stowline.caching.internal.load.Loader;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.observe.QueryPageEvent;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.table.ScanPolicy;
import io.stowline.table.internal.codec.EntityCodec.MetadataLevel;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.OperationEncoder;
import io.stowline.table.internal.request.QueryClass;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.table.internal.request.QueryPage.Continuation;
import io.stowline.table.internal.request.QuerySpec;
import io.stowline.table.internal.request.QuerySpec.QueryString;
import io.stowline.table.internal.request.ScanGuard;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.transport.ReadFrom;
import io.stowline.transport.internal.client.ClientCache.CacheLoader;
import io.stowline.transport.internal.error.Absence;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.ResolvedMono;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.ReadPreference;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.pipeline.ViewSettings;
import io.stowline.transport.internal.request.BatchOptions;
import io.stowline.transport.internal.request.ExecutionOptions.ReadRoute;
import io.stowline.transport.internal.request.ExtraHeaders;
import io.stowline.transport.internal.request.Operation;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.PageTrail;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.RequestCost;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/** The operations on one table as exchanges with the service. What they give arrives on an I/O thread. Thread-safe. */
public final class TableOperations {

    private static final byte[] NOTHING = new byte[0];
    private static final String POINT = QueryClass.POINT.label();

    private final String table;
    private final TableRequests requests;
    private final StoragePipeline pipeline;
    private final TableSettings settings;
    private final OperationEncoder encoder;
    private volatile @Nullable Selected selected;

    public TableOperations(String table, TableRequests requests, StoragePipeline pipeline, TableSettings settings) {
        this.table = table;
        this.requests = requests.with(settings.view().headers());
        this.pipeline = pipeline;
        this.settings = settings;
        this.encoder = new OperationEncoder(table, requests.tableUrl(table));
    }

    /** Returns the table with other retry settings. */
    public TableOperations with(RetrySettings retry) {
        return with(settings.view().with(retry));
    }

    /**
     * Returns the table with reads that go elsewhere.
     *
     * @throws IllegalArgumentException if the account has no such place
     */
    public TableOperations with(ReadFrom from) {
        return with(settings.view().with(from));
    }

    /**
     * Returns the table with one more header on all its requests.
     *
     * @throws IllegalArgumentException if it is not allowed
     */
    public TableOperations header(String name, String value) {
        return with(settings.view().header(name, value));
    }

    private TableOperations with(ViewSettings view) {
        return with(new TableSettings(view, settings.markers, settings.scans, settings.delivery));
    }

    /** Returns the table with other writes that leave a marker. */
    public TableOperations with(WriteMarkers markers) {
        return with(new TableSettings(settings.view, markers, settings.scans, settings.delivery));
    }

    /** Returns the table with other rules for queries that scan it. */
    public TableOperations with(ScanPolicy policy) {
        return with(new TableSettings(settings.view, settings.markers, settings.scans.with(policy), settings.delivery));
    }

    /**
     * Returns the table with reads that are tried as the steps of a writer.
     *
     * @param way the delivery of each read, by the context of its subscriber
     */
    public TableOperations stepwise(Function<ContextView, BatchOptions> way) {
        return with(new TableSettings(settings.view, settings.markers, settings.scans, way));
    }

    private TableOperations with(TableSettings other) {
        return new TableOperations(table, requests, pipeline, other);
    }

    /**
     * Reports that a query begins that scans the table.
     *
     * @param filter its condition in OData, empty for none
     * @throws IllegalStateException if that is refused
     */
    public void scanned(String filter) {
        settings.scans.check(table, filter);
    }

    /** Returns the place of reads whose results name it. */
    public ReadPreference reads() {
        return settings.view.reads();
    }

    /** Returns the application's headers for all requests. */
    public ExtraHeaders headers() {
        return settings.view.headers();
    }

    public WriteMarkers markers() {
        return settings.markers;
    }

    /** Returns whether a listener receives the pages of queries. */
    public boolean hasListener() {
        return pipeline.observer().hasListener();
    }

    /** Returns the table's name. */
    public String table() {
        return table;
    }

    /** Returns the retry settings of its operations. */
    public RetrySettings retry() {
        return settings.view.retry();
    }

    /** Returns the encoder of its operations. */
    public OperationEncoder encoder() {
        return encoder;
    }

    /** Makes the table. */
    public Mono<Void> create() {
        return Mono.defer(() -> send(requests.createTable(table))).then();
    }

    /** Makes the table unless it is there. After a lost response the result is false even if this call may have made it. */
    public Mono<Boolean> createIfMissing() {
        Mono<Boolean> work = create().thenReturn(true)
                .onErrorResume(
                        StorageException.class,
                        e -> "TableAlreadyExists".equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
        return observed(requests.createTable(table), work);
    }

    /** Returns whether the table exists. */
    public Mono<Boolean> exists() {
        Request request = requests.getTable(table);
        return observed(
                request, send(request).thenReturn(true).onErrorResume(Absence::isMeantBy, e -> Mono.just(false)));
    }

    /** Removes the table with all that is in it. */
    public Mono<Void> delete() {
        return Mono.defer(() -> send(requests.deleteTable(table)))
                .then()
                .onErrorResume(
                        OutcomeUnknownException.class,
                        e -> e.getCause() instanceof NotFoundException ? Mono.empty() : Mono.error(e));
    }

    /** Removes the table if it is there. After a lost response the result is true even if it may have been gone before. */
    public Mono<Boolean> deleteIfExists() {
        Mono<Boolean> work = delete().thenReturn(true).onErrorResume(Absence::isMeantBy, e -> Mono.just(false));
        return observed(requests.deleteTable(table), work);
    }

    /** Carries out one operation. A write whose effect stays unproven ends as {@link OutcomeUnknownException}. */
    public Mono<WriteResult> write(EncodedOperation operation) {
        return Mono.defer(
                () -> SingleWrite.of(this, pipeline, operation, null, null).send());
    }

    /**
     * Carries out a deletion of an entity that need not exist.
     *
     * @return whether an entity was removed; after a lost response also true where it may have been gone before
     */
    public Mono<Boolean> deleteIfExists(EncodedOperation operation) {
        Mono<Boolean> work = write(operation)
                .thenReturn(true)
                .onErrorResume(NotFoundException.class, e -> tableMissing(e) ? Mono.error(e) : Mono.just(false));
        return pipeline.observer().operation(operation.verb().label(), () -> resource(operation), work);
    }

    /**
     * Carries out an insert that counts as done only if it is certain that it was this one.
     *
     * @return what it left behind; an {@link io.stowline.error.OutcomeUnknownException} if its outcome stays unknown to the client
     */
    public Mono<WriteResult> claim(EncodedOperation operation) {
        return Mono.defer(() -> SingleWrite.claim(this, pipeline, operation).send());
    }

    Request request(EncodedOperation operation) {
        return requests.operation(table, operation);
    }

    public Request batch(List<EncodedOperation> operations) {
        return requests.batch(table, operations);
    }

    /** Returns a read of all properties of an operation's entity. */
    Request entity(EncodedOperation operation) {
        String url = encoder.url(operation.partitionKey(), operation.rowKey());
        return requests.find(table, url, operation.partitionKey(), operation.rowKey(), MetadataLevel.MINIMAL);
    }

    String resource(EncodedOperation operation) {
        return TableRequests.resource(table, operation.partitionKey(), operation.rowKey());
    }

    static String etag(StorageResponse response) {
        String etag = response.header(HttpHeaderName.ETAG);
        return etag == null ? "" : etag;
    }

    /**
     * Reads one entity.
     *
     * @param select the properties, or {@code null} for all
     * @param level their metadata
     * @return the response, or nothing if there is no such entity in the table
     */
    public Mono<StorageResponse> find(
            String partitionKey, String rowKey, @Nullable List<String> select, MetadataLevel level) {
        String url = encoder.url(partitionKey, rowKey) + selecting(select);
        Request request = requests.find(table, url, partitionKey, rowKey, level);
        PointReadCheck requested = new PointReadCheck(partitionKey, rowKey, false);
        Mono<StorageResponse> work = new ResolvedMono<>(
                sent(request, reads().any()),
                response -> requested.checked(table, response),
                error -> error instanceof NotFoundException missing && !tableMissing(missing)
                        ? Mono.empty()
                        : Mono.error(error));
        return observed(request, POINT, work);
    }

    /** Requests an entity that a cache reads. */
    public CacheLoader loader(String partitionKey, String rowKey, @Nullable List<String> select, MetadataLevel level) {
        return new CacheLoader(retry(), false, (changed, known) -> {
            TableOperations requesting = changed.equals(retry()) ? this : with(changed);
            return requesting.load(partitionKey, rowKey, select, level, known.etag());
        });
    }

    /** Returns the read of an entity. */
    public Operation finding(String partitionKey, String rowKey) {
        return Operation.of("find", TableRequests.resource(table, partitionKey, rowKey), OperationType.READ, retry());
    }

    /**
     * Reads an entity of the primary unless it has the known version (OUTCOME-8). The service may ignore {@code
     * If-None-Match} and respond with 200 (CACHE-1).
     */
    Mono<Loader.LoadResult> load(
            String partitionKey,
            String rowKey,
            @Nullable List<String> select,
            MetadataLevel level,
            @Nullable String known) {
        String url = encoder.url(partitionKey, rowKey) + selecting(select);
        Request request = requests.find(table, url, partitionKey, rowKey, level);
        if (known != null) {
            request.addHeader(HttpHeaderName.IF_NONE_MATCH, known);
        }
        PointReadCheck requested = new PointReadCheck(partitionKey, rowKey, true);
        Mono<Loader.LoadResult> work = send(request)
                .map(response -> loaded(requested.checked(table, response)))
                .onErrorResume(
                        NotFoundException.class,
                        e -> tableMissing(e)
                                ? Mono.error(e)
                                : Mono.just(Loader.LoadResult.absent(404, Map.of(), NOTHING)));
        return observed(request, work);
    }

    private static Loader.LoadResult loaded(StorageResponse response) {
        String etag = response.header(HttpHeaderName.ETAG);
        Map<String, String> headers =
                etag == null ? Map.of() : Map.of(HttpHeaderName.ETAG.getCaseInsensitiveName(), etag);
        return response.status() == 304
                ? Loader.LoadResult.notModified(headers)
                : Loader.LoadResult.found(headers, response.body().length, Flux.just(ByteBuffer.wrap(response.body())));
    }

    /** Returns the query of a selection; it is kept, as every read of one type has the same list. */
    public String selecting(@Nullable List<String> select) {
        Selected known = selected;
        if (known == null || !known.isOf(select)) {
            String names = select == null ? null : String.join(",", select);
            known = new Selected(select, new QueryString().add("$select", names).toString());
            selected = known;
        }
        return known.query;
    }

    private record Selected(@Nullable List<String> names, String query) {

        @SuppressWarnings("ReferenceEquality") // a longer look costs more than the query that it saves
        boolean isOf(@Nullable List<String> select) {
            return names == select;
        }
    }

    private static boolean tableMissing(NotFoundException e) {
        return "TableNotFound".equals(e.failure().errorCode());
    }

    /**
     * Reads one page of a query.
     *
     * @param trail where the page begins, and what came before it
     * @param routing how it goes between the primary and the secondary, or {@code null} for to the primary only
     */
    public Mono<QueryPage> page(QuerySpec spec, PageTrail<Continuation> trail, @Nullable ReadRoute routing) {
        return Mono.defer(() -> {
            Request request = requests.query(table, spec, trail.from());
            Mono<StorageResponse> going = send(request, routing)
                    .doOnNext(response ->
                            Continuation.refuseEndless(trail, response, QueryPage.isEmpty(response), "query", table));
            return observed(request, spec.kind().label(), going).map(response -> {
                Continuation next = Continuation.of(response);
                return new QueryPage(
                        response,
                        next,
                        rows -> settle(request.cost(), spec, rows, next != null, response.body().length));
            });
        });
    }

    /** Charges the difference between what the service has scanned and what it was expected to scan. */
    private void settle(RequestCost charged, QuerySpec spec, int rows, boolean continued, int bytes) {
        int scanned = spec.scanned(rows);
        List<String> select = spec.select();
        pipeline.observer()
                .page(account -> new QueryPageEvent(
                        account,
                        table,
                        spec.kind().label(),
                        Objects.requireNonNullElse(spec.shape(), ""),
                        rows,
                        scanned,
                        continued,
                        select == null ? 0 : select.size(),
                        spec.mapped(),
                        bytes));
        pipeline.chargeResponse(new RequestCost(charged.partition(), scanned - charged.entities(), 0));
    }

    private Mono<StorageResponse> send(Request request) {
        return send(request, null);
    }

    private Mono<StorageResponse> send(Request request, @Nullable ReadRoute routing) {
        return observed(request, sent(request, routing));
    }

    /** The request without an operation, for one that is observed as a part of its work. */
    private Mono<StorageResponse> sent(Request request, @Nullable ReadRoute routing) {
        return Mono.deferContextual(context -> {
            Exchange<StorageResponse> exchange = TableRequests.exchange(request, retry());
            Function<ContextView, BatchOptions> delivery = settings.delivery;
            Exchange<StorageResponse> tried = delivery == null || request.type() != OperationType.READ
                    ? exchange
                    : exchange.forBatch(delivery.apply(context), null);
            return pipeline.send(routing == null ? tried : tried.routed(routing));
        });
    }

    /** Runs the work as one operation, of which other operations are parts. */
    public <A> Mono<A> asOperation(String verb, Supplier<String> resource, Mono<A> work) {
        return pipeline.observer().operation(verb, resource, work);
    }

    /** The outermost of these is the operation; a response that it takes for a result is no failure. */
    private <A> Mono<A> observed(Request request, Mono<A> work) {
        return observed(request, null, work);
    }

    private <A> Mono<A> observed(Request request, @Nullable String queryClass, Mono<A> work) {
        return pipeline.observer().operation(request.name(), queryClass, request::resource, work);
    }

    /**
     * The settings that a view of a table may change.
     *
     * @param view the settings that it has in common with other services
     * @param markers the writes that leave a marker
     * @param scans the treatment of queries that scan it
     * @param delivery the delivery of reads that are steps of a writer, or {@code null} for direct calls
     */
    public record TableSettings(
            ViewSettings view,
            WriteMarkers markers,
            ScanGuard scans,
            @Nullable Function<ContextView, BatchOptions> delivery) {}
}
