package io.stowline.table.internal.write;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteMarkers;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.internal.codec.EntityJsonWriter.WriteMarker;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.TableRequests;
import io.stowline.transport.internal.concurrent.Stopwatch;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.outcome.ReadBackResult;
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

/** One operation that travels alone, and what became of it. Serves one subscription. */
public final class SingleWrite {

    private final TableOperations client;
    private final StoragePipeline pipeline;
    private final EncodedOperation operation;
    private final Exchange<StorageResponse> call;
    private final Judging judging;
    private volatile boolean unknown;
    private volatile @Nullable SingleWrite unmarked;

    /** By what it is known again: its mark, or, where it leaves none, perhaps its content. */
    private record Judging(@Nullable String mark, boolean contentCounts) {}

    private SingleWrite(
            TableOperations client,
            StoragePipeline pipeline,
            EncodedOperation operation,
            Exchange<StorageResponse> call,
            Judging judging) {
        this.client = client;
        this.pipeline = pipeline;
        this.operation = operation;
        this.call = call;
        this.judging = judging;
    }

    /** An ordinary write, which leaves a mark where the table's marking asks for it. */
    public static SingleWrite of(
            TableOperations client,
            StoragePipeline pipeline,
            EncodedOperation operation,
            @Nullable PermittedDelivery delivery) {
        WriteMarkers marking = client.marking();
        String mark = operation.mark() == null && MarkerRules.leaves(operation, marking) ? newId() : operation.mark();
        Judging judging = new Judging(mark, !operation.bound() || marking == WriteMarkers.CLAIMS);
        return of(client, pipeline, operation, judging, delivery);
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
        return of(client, pipeline, operation, new Judging(newId(), false), null);
    }

    private static SingleWrite of(
            TableOperations client,
            StoragePipeline pipeline,
            EncodedOperation operation,
            Judging judging,
            @Nullable PermittedDelivery delivery) {
        String mark = judging.mark;
        EncodedOperation sent = mark == null || mark.equals(operation.mark()) ? operation : operation.marked(mark);
        Exchange<StorageResponse> call = call(client, sent);
        call = mark == null ? call : call.identified(mark);
        return new SingleWrite(client, pipeline, sent, delivery == null ? call : call.delivered(delivery), judging);
    }

    private static Exchange<StorageResponse> call(TableOperations client, EncodedOperation sent) {
        return TableRequests.call(client.request(sent), client.retry());
    }

    private static String newId() {
        return RequestIds.next();
    }

    public Mono<EntityWriteResult> send() {
        Mono<EntityWriteResult> work = confirmed().onErrorResume(this::failed);
        return pipeline.observing().operation(operation.verb().label(), call::resource, work);
    }

    /** Without an error each operator costs its objects for nothing; so all that follows an error follows one operator. */
    private Mono<EntityWriteResult> failed(Throwable error) {
        return resolved(error)
                .onErrorResume(
                        BadRequestException.class, e -> overfull(e) ? unmarked().tried() : Mono.error(e))
                .doOnError(OutcomeUnknownException.class, e -> unknown = true);
    }

    private Mono<EntityWriteResult> tried() {
        return confirmed().onErrorResume(this::resolved);
    }

    private Mono<EntityWriteResult> confirmed() {
        return pipeline.send(call)
                .map(answer -> EntityWriteResult.confirmed(
                        TableOperations.etag(answer), operation.mayRepeat(doubt(), Evidence.ANSWER)));
    }

    private Mono<EntityWriteResult> resolved(Throwable error) {
        return Mono.<EntityWriteResult>error(error)
                .onErrorResume(OutcomeUnknownException.class, this::settle)
                .onErrorResume(StorageException.class, this::unlessOurs);
    }

    /**
     * A refusal of a retry may be the echo of an attempt although each was answered: a proxy may have said that one was not carried out, or
     * have sent one twice. Where a mark would show it, it is looked for; the refusal stands otherwise (OUTCOME-0).
     */
    private Mono<EntityWriteResult> unlessOurs(StorageException refused) {
        boolean echo = refused instanceof ConflictException || refused instanceof PreconditionFailedException;
        if (!echo || judging.mark == null || call.attempts() < 2 || doubt().any()) {
            return Mono.error(refused);
        }
        WriteVerifier judge = new WriteVerifier(operation, judging.mark, false, doubt());
        return new ReadBack(client, pipeline)
                .look(operation, judge, doubt())
                .onErrorResume(e -> Mono.error(refused))
                .flatMap(seen -> seen instanceof ReadBackResult.Done<EntityWriteResult> done
                        ? Mono.just(done.result())
                        : Mono.error(refused));
    }

    /** Whether it may be the mark that the entity has no room for. */
    private boolean overfull(BadRequestException e) {
        return operation.mergesMark() && BatchErrorAnalyzer.full(e.failure().errorCode());
    }

    /** The same within the same deadline, once it is certain that this one was not carried out. */
    private SingleWrite unmarked() {
        EncodedOperation plain = operation.unmarked();
        Judging plainly = new Judging(null, !plain.bound() || client.marking() == WriteMarkers.CLAIMS);
        Exchange<StorageResponse> second = call(client, plain).within(doubt().deadline());
        SingleWrite again = new SingleWrite(client, pipeline, plain, second, plainly);
        unmarked = again;
        return again;
    }

    private SingleWrite last() {
        SingleWrite again = unmarked;
        return again == null ? this : again;
    }

    private UnresolvedAttempts doubt() {
        return pipeline.doubt(call);
    }

    /** How long its entity is to be left alone: what may still be carried out of it would land on what comes after. */
    public Duration held() {
        return operation.bound() && !unknown ? Duration.ZERO : last().doubt().untilOver();
    }

    @Nullable
    ServiceError refusal() {
        return last().call.refusal();
    }

    public WriteEnd end() {
        return new WriteEnd(refusal(), last().call.outOfTime(), attempts());
    }

    public int attempts() {
        SingleWrite again = unmarked;
        return call.attempts() + (again == null ? 0 : again.attempts());
    }

    /** Whether its load was too much for the partition. */
    public boolean strained() {
        return call.strained() || last().call.strained();
    }

    private Mono<EntityWriteResult> settle(OutcomeUnknownException end) {
        if (operation.verb().upsert()) {
            return Mono.error(ErrorMapper.stillUnknown(end, ReadBack.UPSERT));
        }
        UnresolvedAttempts doubt = doubt();
        if (operation.verb() == EntityVerb.DELETE && !operation.bound() && entityMissing(end)) {
            return Mono.just(EntityWriteResult.absent(Evidence.CONTENT, doubt.mayRepeat(Evidence.CONTENT)));
        }
        WriteVerifier judge =
                new WriteVerifier(operation, judging.mark, judging.mark == null && judging.contentCounts, doubt);
        return new ReadBack(client, pipeline)
                .look(operation, judge, doubt)
                .flatMap(finding -> OutcomeResolver.resolved(end, finding));
    }

    private static boolean entityMissing(OutcomeUnknownException end) {
        return end.getCause() instanceof NotFoundException missing
                && !"TableNotFound".equals(missing.failure().errorCode());
    }

    /** What is known of a write that failed: what the service said, and whether more time could have helped. */
    public record WriteEnd(@Nullable ServiceError refusal, boolean outOfTime, int attempts) {}
}
