package io.stowline.table.internal;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.Marking;
import io.stowline.table.Written;
import io.stowline.transport.internal.Answer;
import io.stowline.transport.internal.Call;
import io.stowline.transport.internal.Delivery;
import io.stowline.transport.internal.Doubt;
import io.stowline.transport.internal.Failures;
import io.stowline.transport.internal.Finding;
import io.stowline.transport.internal.RequestIds;
import io.stowline.transport.internal.ServiceError;
import io.stowline.transport.internal.Settlement;
import io.stowline.transport.internal.StoragePipeline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** One operation that travels alone, and what became of it. Serves one subscription. */
final class SingleWrite {

    private final TableClient client;
    private final StoragePipeline pipeline;
    private final EncodedOperation operation;
    private final Call<Answer> call;
    private final Judging judging;
    private volatile boolean unknown;
    private volatile @Nullable SingleWrite unmarked;

    /** By what it is known again: its mark, or, where it leaves none, perhaps its content. */
    private record Judging(@Nullable String mark, boolean contentCounts) {}

    private SingleWrite(
            TableClient client,
            StoragePipeline pipeline,
            EncodedOperation operation,
            Call<Answer> call,
            Judging judging) {
        this.client = client;
        this.pipeline = pipeline;
        this.operation = operation;
        this.call = call;
        this.judging = judging;
    }

    /** An ordinary write, which leaves a mark where the table's marking asks for it. */
    static SingleWrite of(
            TableClient client, StoragePipeline pipeline, EncodedOperation operation, @Nullable Delivery delivery) {
        Marking marking = client.marking();
        String mark = operation.mark() == null && Marks.leaves(operation, marking) ? newId() : operation.mark();
        Judging judging = new Judging(mark, !operation.bound() || marking == Marking.CLAIMS);
        return of(client, pipeline, operation, judging, delivery);
    }

    /** The same write, as one that an earlier process may have sent. */
    SingleWrite repeating(Replay replay, Duration ahead) {
        call.repeating(replay.first(), ahead, pipeline.timer());
        return this;
    }

    /** An insert that is known again by its mark only. */
    static SingleWrite claim(TableClient client, StoragePipeline pipeline, EncodedOperation operation) {
        if (!operation.markable()) {
            throw new IllegalArgumentException("claim " + client.resource(operation)
                    + ": the entity has no room for the mark of the claim, one property of " + Mark.SIZE + " bytes");
        }
        return of(client, pipeline, operation, new Judging(newId(), false), null);
    }

    private static SingleWrite of(
            TableClient client,
            StoragePipeline pipeline,
            EncodedOperation operation,
            Judging judging,
            @Nullable Delivery delivery) {
        String mark = judging.mark;
        EncodedOperation sent = mark == null || mark.equals(operation.mark()) ? operation : operation.marked(mark);
        Call<Answer> call = call(client, sent);
        call = mark == null ? call : call.identified(mark);
        return new SingleWrite(client, pipeline, sent, delivery == null ? call : call.delivered(delivery), judging);
    }

    private static Call<Answer> call(TableClient client, EncodedOperation sent) {
        return TableRequests.call(client.request(sent), client.retry());
    }

    private static String newId() {
        return RequestIds.next();
    }

    Mono<Written> send() {
        Mono<Written> work = tried().onErrorResume(
                        BadRequestException.class, e -> overfull(e) ? unmarked().tried() : Mono.error(e))
                .doOnError(OutcomeUnknownException.class, e -> unknown = true);
        return pipeline.observing().operation(operation.verb().label(), () -> client.resource(operation), work);
    }

    private Mono<Written> tried() {
        return pipeline.send(call)
                .map(answer ->
                        Written.confirmed(TableClient.etag(answer), operation.mayRepeat(doubt(), Evidence.ANSWER)))
                .onErrorResume(OutcomeUnknownException.class, this::settle)
                .onErrorResume(StorageException.class, this::unlessOurs);
    }

    /**
     * A refusal of a retry may be the echo of an attempt although each was answered: a proxy may have said that one was not carried out, or
     * have sent one twice. Where a mark would show it, it is looked for; one look, for the refusal stands otherwise (OUTCOME-0).
     */
    private Mono<Written> unlessOurs(StorageException refused) {
        boolean echo = refused instanceof ConflictException || refused instanceof PreconditionFailedException;
        if (!echo || judging.mark == null || call.attempts() < 2 || doubt().any()) {
            return Mono.error(refused);
        }
        Judge judge = new Judge(operation, judging.mark, false, doubt());
        return new Outcomes(client, pipeline)
                .once(operation, judge, doubt())
                .onErrorResume(e -> Mono.error(refused))
                .flatMap(seen ->
                        seen instanceof Finding.Done<Written> done ? Mono.just(done.result()) : Mono.error(refused));
    }

    /** Whether it may be the mark that the entity has no room for. */
    private boolean overfull(BadRequestException e) {
        return operation.mergesMark() && Culprits.full(e.failure().errorCode());
    }

    /** The same within the same deadline, once it is certain that this one was not carried out. */
    private SingleWrite unmarked() {
        EncodedOperation plain = operation.unmarked();
        Judging plainly = new Judging(null, !plain.bound() || client.marking() == Marking.CLAIMS);
        Call<Answer> second = call(client, plain).within(doubt().deadline());
        SingleWrite again = new SingleWrite(client, pipeline, plain, second, plainly);
        unmarked = again;
        return again;
    }

    private SingleWrite last() {
        SingleWrite again = unmarked;
        return again == null ? this : again;
    }

    private Doubt doubt() {
        return pipeline.doubt(call);
    }

    /** How long its entity is to be left alone: what may still be carried out of it would land on what comes after. */
    Duration held() {
        return operation.bound() && !unknown ? Duration.ZERO : last().doubt().untilOver();
    }

    @Nullable
    ServiceError refusal() {
        return last().call.refusal();
    }

    LaneSender.End end() {
        return new LaneSender.End(refusal(), last().call.outOfTime(), attempts());
    }

    int attempts() {
        SingleWrite again = unmarked;
        return call.attempts() + (again == null ? 0 : again.attempts());
    }

    /** Whether its load was too much for the partition. */
    boolean strained() {
        return call.strained() || last().call.strained();
    }

    private Mono<Written> settle(OutcomeUnknownException end) {
        if (operation.verb().upsert()) {
            return Mono.error(Failures.stillUnknown(end, Outcomes.UPSERT));
        }
        Doubt doubt = doubt();
        if (operation.verb() == Verb.DELETE && !operation.bound() && entityMissing(end)) {
            return Mono.just(Written.absent(Evidence.CONTENT, doubt.mayRepeat(Evidence.CONTENT)));
        }
        Judge judge = new Judge(operation, judging.mark, judging.mark == null && judging.contentCounts, doubt);
        return new Outcomes(client, pipeline)
                .look(operation, judge, doubt)
                .flatMap(finding -> Settlement.told(end, finding));
    }

    private static boolean entityMissing(OutcomeUnknownException end) {
        return end.getCause() instanceof NotFoundException missing
                && !"TableNotFound".equals(missing.failure().errorCode());
    }
}
