package io.stowline.table.internal.write;

import io.stowline.error.BadRequestException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.internal.StatusMeaning;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.table.internal.codec.EntityJsonWriter.WriteMarker;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.BatchOptions;
import io.stowline.transport.internal.request.RequestIds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** One operation that travels alone. */
public final class SingleWrite extends MarkedWrite<StorageResponse, WriteResult> {

    private final EncodedOperation operation;

    /** True if its content is evidence, where it leaves no marker. */
    private final boolean contentCounts;

    private SingleWrite(
            TableOperations operations,
            StoragePipeline pipeline,
            EncodedOperation operation,
            Exchange<StorageResponse> exchange,
            boolean contentCounts) {
        super(operations, pipeline, exchange);
        this.operation = operation;
        this.contentCounts = contentCounts;
    }

    /**
     * Makes an ordinary write, which leaves a marker where the table's markers require one.
     *
     * @param batch the options of a queued operation, or {@code null} for a direct call
     * @param permit the permit of its first attempt, or {@code null} if none was granted before
     */
    public static SingleWrite of(
            TableOperations operations,
            StoragePipeline pipeline,
            EncodedOperation operation,
            @Nullable BatchOptions batch,
            @Nullable Permit permit) {
        WriteMarkers markers = operations.markers();
        EncodedOperation sent = operation.marker() == null && MarkerRules.leaves(operation, markers)
                ? operation.marked(RequestIds.next())
                : operation;
        return of(operations, pipeline, sent, contentCounts(operations, sent), batch, permit);
    }

    private static boolean contentCounts(TableOperations operations, EncodedOperation operation) {
        return !operation.bound() || operations.markers() == WriteMarkers.CLAIMS;
    }

    /** Returns the same write as one that an earlier process may have sent. */
    public SingleWrite repeating(Stopwatch first, Duration ahead) {
        return new SingleWrite(
                tableOperations,
                pipeline,
                operation,
                exchange.repeating(first, ahead, pipeline.timer()),
                contentCounts);
    }

    /** Makes an insert that is identified by its marker only. */
    static SingleWrite claim(TableOperations operations, StoragePipeline pipeline, EncodedOperation operation) {
        if (!operation.markable()) {
            throw new IllegalArgumentException("claim " + operations.resource(operation)
                    + ": the entity has no room for the marker of the claim, one property of " + WriteMarker.SIZE
                    + " bytes");
        }
        return of(operations, pipeline, operation.marked(RequestIds.next()), false, null, null);
    }

    private static SingleWrite of(
            TableOperations operations,
            StoragePipeline pipeline,
            EncodedOperation sent,
            boolean contentCounts,
            @Nullable BatchOptions batch,
            @Nullable Permit permit) {
        String marker = sent.marker();
        Exchange<StorageResponse> exchange = exchange(operations, sent);
        exchange = marker == null ? exchange : exchange.identified(marker);
        return new SingleWrite(
                operations, pipeline, sent, batch == null ? exchange : exchange.forBatch(batch, permit), contentCounts);
    }

    private static Exchange<StorageResponse> exchange(TableOperations operations, EncodedOperation sent) {
        return TableRequests.exchange(operations.request(sent), operations.retry());
    }

    /** Sends it. */
    public Mono<WriteResult> send() {
        return send(operation.verb().label());
    }

    @Override
    WriteResult confirmed(StorageResponse response) {
        return WriteResult.confirmed(
                TableOperations.etag(response), operation.mayRepeat(unresolved(), Evidence.RESPONSE));
    }

    @Override
    @Nullable
    EncodedOperation witness() {
        return operation.marker() == null ? null : operation;
    }

    @Override
    WriteResult found(WriteResult witness) {
        return witness;
    }

    @Override
    boolean bound() {
        return operation.bound();
    }

    @Override
    boolean overfull(BadRequestException e) {
        return operation.mergesMarker()
                && StatusMeaning.OVERFULL.has(e.failure().errorCode());
    }

    @Override
    SingleWrite withoutMarker() {
        EncodedOperation plain = operation.unmarked();
        Exchange<StorageResponse> second = exchange(tableOperations, plain)
                .with(options -> options.within(unresolved().deadline()));
        return new SingleWrite(tableOperations, pipeline, plain, second, contentCounts(tableOperations, plain));
    }

    @Override
    Mono<WriteResult> settle(OutcomeUnknownException end) {
        if (operation.verb().upsert()) {
            return Mono.error(ErrorMapper.stillUnknown(end, ReadBack.UPSERT));
        }
        UnresolvedAttempts unresolved = unresolved();
        if (operation.verb() == EntityVerb.DELETE && !operation.bound() && entityMissing(end)) {
            return Mono.just(WriteResult.absent(Evidence.CONTENT, unresolved.mayRepeat(Evidence.CONTENT)));
        }
        String marker = operation.marker();
        return readBack(operation, marker, marker == null && contentCounts, unresolved)
                .flatMap(finding -> OutcomeResolver.resolved(end, finding));
    }

    private static boolean entityMissing(OutcomeUnknownException end) {
        return end.getCause() instanceof NotFoundException missing
                && !"TableNotFound".equals(missing.failure().errorCode());
    }
}
