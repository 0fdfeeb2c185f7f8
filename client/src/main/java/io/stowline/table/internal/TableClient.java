package io.stowline.table.internal;

import com.azure.core.http.HttpHeaderName;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Written;
import io.stowline.transport.internal.Answer;
import io.stowline.transport.internal.AnswerReader;
import io.stowline.transport.internal.Call;
import io.stowline.transport.internal.Reading;
import io.stowline.transport.internal.Request;
import io.stowline.transport.internal.StoragePipeline;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** The operations on one table as exchanges with the service. What they give arrives on an I/O thread. Thread-safe. */
public final class TableClient {

    private static final AnswerReader<Answer> WHOLE = Reading.Value::new;

    private final String table;
    private final TableRequests requests;
    private final StoragePipeline pipeline;
    private final RetrySettings retry;
    private final OperationEncoder encoder;

    TableClient(String table, TableRequests requests, StoragePipeline pipeline, RetrySettings retry) {
        this.table = table;
        this.requests = requests;
        this.pipeline = pipeline;
        this.retry = retry;
        this.encoder = new OperationEncoder(table, requests.tableUrl(table));
    }

    /**
     * The same table with other retry settings.
     *
     * @param settings the settings
     * @return a client that shares everything else
     */
    public TableClient with(RetrySettings settings) {
        return new TableClient(table, requests, pipeline, settings);
    }

    /**
     * The table's name.
     *
     * @return the name
     */
    public String table() {
        return table;
    }

    /**
     * How its operations are tried.
     *
     * @return the settings
     */
    public RetrySettings retry() {
        return retry;
    }

    /**
     * What encodes its operations.
     *
     * @return the encoder
     */
    public OperationEncoder encoder() {
        return encoder;
    }

    /**
     * Makes the table.
     *
     * @return the end of it
     */
    public Mono<Void> create() {
        return send(requests.createTable(table)).then();
    }

    /**
     * Makes the table unless it is there.
     *
     * @return whether it was made
     */
    public Mono<Boolean> createIfMissing() {
        return send(requests.createTable(table))
                .thenReturn(true)
                .onErrorResume(
                        ConflictException.class,
                        e -> "TableAlreadyExists".equals(e.failure().errorCode()) ? Mono.just(false) : Mono.error(e));
    }

    /**
     * Removes the table with all that is in it.
     *
     * @return the end of it
     */
    public Mono<Void> delete() {
        return send(requests.deleteTable(table)).then();
    }

    /**
     * Removes the table if it is there.
     *
     * @return whether it was there
     */
    public Mono<Boolean> deleteIfExists() {
        return send(requests.deleteTable(table))
                .thenReturn(true)
                .onErrorResume(NotFoundException.class, e -> Mono.just(false));
    }

    /**
     * Carries out one operation.
     *
     * @param operation the operation
     * @return the entity's new ETag; the empty string after a deletion
     */
    public Mono<Written> write(EncodedOperation operation) {
        return send(requests.operation(table, operation)).map(answer -> new Written(etag(answer)));
    }

    static String etag(Answer answer) {
        String etag = answer.header(HttpHeaderName.ETAG);
        return etag == null ? "" : etag;
    }

    /**
     * Reads one entity.
     *
     * @param partitionKey its partition
     * @param rowKey its key there
     * @param select the properties, or {@code null} for all
     * @param level how much the service says about them
     * @return the answer, or nothing if there is no such entity in the table
     */
    public Mono<Answer> find(String partitionKey, String rowKey, @Nullable List<String> select, MetadataLevel level) {
        String url = encoder.url(partitionKey, rowKey)
                + new QueryString().add("$select", select == null ? null : String.join(",", select));
        return send(requests.find(table, url, partitionKey, rowKey, level))
                .onErrorResume(
                        NotFoundException.class,
                        e -> "TableNotFound".equals(e.failure().errorCode()) ? Mono.error(e) : Mono.empty());
    }

    /**
     * Reads one page of a query.
     *
     * @param spec what is asked
     * @param from where the page begins, or {@code null} for the first
     * @return the page
     */
    public Mono<Page> page(QuerySpec spec, @Nullable Continuation from) {
        return send(requests.query(table, spec.toQueryString(from), spec.level()))
                .map(answer -> new Page(answer, Continuation.of(answer)));
    }

    private Mono<Answer> send(Request request) {
        return Mono.defer(() -> pipeline.send(Call.of(request, retry, WHOLE)));
    }
}
