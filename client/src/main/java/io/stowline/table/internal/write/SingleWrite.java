package io.stowline.table.internal.write;

import io.stowline.error.BadRequestException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteMarkers;
import io.stowline.table.EntityVerb;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.internal.codec.EntityJsonWriter.WriteMarker;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.ExecutionOptions.PermittedDelivery;
import io.stowline.transport.internal.request.RequestIds;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** One operation that travels alone. */
public final class SingleWrite extends MarkedWrite<StorageResponse, EntityWriteResult> {

    private final EncodedOperation operation;

    /** Whether its content is evidence, where it leaves no mark. */
    private final boolean contentCounts;

    private SingleWrite(
            TableOperations client,
            StoragePipeline pipeline,
            EncodedOperation operation,
            Exchange<StorageResponse> call,
            boolean contentCounts) {
        super(client, pipeline, call);
        this.operation = operation;
        this.contentCounts = contentCounts;
    }

    /** An ordinary write, which leaves a mark where the table's marking asks for it. */
    public static SingleWrite of(
            TableOperations client,
            StoragePipeline pipeline,
            EncodedOperation operation,
            @Nullable PermittedDelivery delivery) {
        WriteMarkers marking = client.marking();
        EncodedOperation sent = operation.mark() == null && MarkerRules.leaves(operation, marking)
                ? operation.marked(RequestIds.next())
                : operation;
        return of(client, pipeline, sent, contentCounts(client, sent), delivery);
    }

    private static boolean contentCounts(TableOperations client, EncodedOperation operation) {
        return !operation.bound() || client.marking() == WriteMarkers.CLAIMS;
    }

    /** The same write, as one that an earlier process may have sent. */
    public SingleWrite repeating(Stopwatch first, Duration ahead) {
        call.repeating(first, ahead, pipeline.timer());
        return this;
    }

    /** An insert that is known again by its mark only. */
    static SingleWrite claim(TableOperations client, StoragePipeline pipeline, EncodedOperation operation) {
        if (!operation.markable()) {
            throw new IllegalArgumentException("claim " + client.resource(operation)
                    + ": the entity has no room for the mark of the claim, one property of " + WriteMarker.SIZE
                    + " bytes");
        }
        return of(client, pipeline, operation.marked(RequestIds.next()), false, null);
    }

    private static SingleWrite of(
            TableOperations client,
            StoragePipeline pipeline,
            EncodedOperation sent,
            boolean contentCounts,
            @Nullable PermittedDelivery delivery) {
        String mark = sent.mark();
        Exchange<StorageResponse> call = call(client, sent);
        call = mark == null ? call : call.identified(mark);
        return new SingleWrite(
                client, pipeline, sent, delivery == null ? call : call.delivered(delivery), contentCounts);
    }

    private static Exchange<StorageResponse> call(TableOperations client, EncodedOperation sent) {
        return TableRequests.call(client.request(sent), client.retry());
    }

    /** Sends it. */
    public Mono<EntityWriteResult> send() {
        return send(operation.verb().label());
    }

    @Override
    EntityWriteResult confirmed(StorageResponse response) {
        return EntityWriteResult.confirmed(
                TableOperations.etag(response), operation.mayRepeat(doubt(), Evidence.ANSWER));
    }

    @Override
    @Nullable
    EncodedOperation witness() {
        return operation.mark() == null ? null : operation;
    }

    @Override
    EntityWriteResult found(EntityWriteResult witness) {
        return witness;
    }

    @Override
    boolean bound() {
        return operation.bound();
    }

    @Override
    boolean overfull(BadRequestException e) {
        return operation.mergesMark() && BatchErrorAnalyzer.full(e.failure().errorCode());
    }

    @Override
    SingleWrite withoutMark() {
        EncodedOperation plain = operation.unmarked();
        Exchange<StorageResponse> second = call(client, plain).within(doubt().deadline());
        return new SingleWrite(client, pipeline, plain, second, contentCounts(client, plain));
    }

    @Override
    Mono<EntityWriteResult> settle(OutcomeUnknownException end) {
        if (operation.verb().upsert()) {
            return Mono.error(ErrorMapper.stillUnknown(end, ReadBack.UPSERT));
        }
        UnresolvedAttempts doubt = doubt();
        if (operation.verb() == EntityVerb.DELETE && !operation.bound() && entityMissing(end)) {
            return Mono.just(EntityWriteResult.absent(Evidence.CONTENT, doubt.mayRepeat(Evidence.CONTENT)));
        }
        String mark = operation.mark();
        return look(operation, mark, mark == null && contentCounts, doubt)
                .flatMap(finding -> OutcomeResolver.resolved(end, finding));
    }

    private static boolean entityMissing(OutcomeUnknownException end) {
        return end.getCause() instanceof NotFoundException missing
                && !"TableNotFound".equals(missing.failure().errorCode());
    }
}
