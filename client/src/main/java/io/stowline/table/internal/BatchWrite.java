package io.stowline.table.internal;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.Marking;
import io.stowline.table.Written;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An entity group transaction, and what became of it. It is carried out whole or not at all, so that one of its operations, the witness,
 * tells of all: it leaves a mark. That it was not carried out is shown by the operation that the service has named, or by the witness.
 * Serves one subscription.
 */
final class BatchWrite {

    private static final int LOOKS_AT_A_TIME = 8;
    private static final String NO_WITNESS = "the transaction holds no operation that leaves a mark";

    private final TableClient client;
    private final StoragePipeline pipeline;
    private final List<EncodedOperation> operations;
    private final int witness;
    private final String id;
    private final boolean merges;
    private final Call<List<String>> call;
    private volatile boolean unknown;
    private volatile @Nullable BatchWrite unmarked;

    BatchWrite(
            TableClient client,
            StoragePipeline pipeline,
            List<EncodedOperation> operations,
            @Nullable Delivery delivery) {
        this(client, pipeline, operations, true, whole -> delivery == null ? whole.paced() : whole.delivered(delivery));
    }

    private BatchWrite(
            TableClient client,
            StoragePipeline pipeline,
            List<EncodedOperation> operations,
            boolean merges,
            UnaryOperator<Call<List<String>>> manner) {
        this.client = client;
        this.pipeline = pipeline;
        this.id = RequestIds.next();
        this.merges = merges;
        this.witness = Marks.witness(operations, client.marking(), merges);
        this.operations = marked(operations, client.marking());
        this.call = manner.apply(Call.of(
                        client.batch(this.operations),
                        client.retry(),
                        new BatchAnswer(operations.size(), pipeline.clock()))
                .identified(id));
    }

    private List<EncodedOperation> marked(List<EncodedOperation> all, Marking marking) {
        if (witness == Marks.NOBODY) {
            return all;
        }
        return IntStream.range(0, all.size())
                .mapToObj(i -> needsMark(all.get(i), i, marking) ? all.get(i).marked(id) : all.get(i))
                .toList();
    }

    /** One that is in a journal has a mark of its own, which bears witness as well: it goes into one batch at a time. */
    private boolean needsMark(EncodedOperation operation, int index, Marking marking) {
        return operation.mark() == null
                && (index == witness
                        || (marking == Marking.ALL
                                && (merges || operation.verb() != Verb.MERGE)
                                && Marks.leaves(operation, marking)));
    }

    Mono<List<Written>> send() {
        Mono<List<Written>> work = tried().onErrorResume(
                        BadRequestException.class, e -> overfull(e) ? unmarked().tried() : Mono.error(e))
                .doOnError(OutcomeUnknownException.class, e -> unknown = true);
        return pipeline.observing().operation("transaction", call::resource, work);
    }

    private Mono<List<Written>> tried() {
        return pipeline.send(call)
                .map(this::confirmed)
                .onErrorResume(OutcomeUnknownException.class, this::settle)
                .onErrorResume(StorageException.class, this::unlessOurs);
    }

    /** As in {@link SingleWrite}: a refusal of a retry may be an echo although each attempt was answered, and the witness shows it. */
    private Mono<List<Written>> unlessOurs(StorageException refused) {
        boolean echo = refused instanceof ConflictException || refused instanceof PreconditionFailedException;
        Doubt doubt = doubt();
        if (!echo || witness == Marks.NOBODY || call.attempts() < 2 || doubt.any()) {
            return Mono.error(refused);
        }
        EncodedOperation marked = operations.get(witness);
        return new Outcomes(client, pipeline)
                .once(marked, new Judge(marked, marked.mark(), false, doubt), doubt)
                .onErrorResume(e -> Mono.error(refused))
                .flatMap(seen -> seen instanceof Finding.Done<Written> done
                        ? Mono.just(recovered(done.result(), doubt))
                        : Mono.error(refused));
    }

    /** Whether it may be a mark that an entity has no room for. */
    private boolean overfull(BadRequestException e) {
        ServiceError refusal = call.refusal();
        int culprit = refusal == null ? Marks.NOBODY : refusal.index();
        boolean named = culprit >= 0 && culprit < operations.size();
        return Culprits.full(e.failure().errorCode())
                && (named
                        ? operations.get(culprit).mergesMark()
                        : operations.stream().anyMatch(EncodedOperation::mergesMark));
    }

    /** The same within the same deadline, with no mark in what is merged, once it is certain that this one was not carried out. */
    private BatchWrite unmarked() {
        List<EncodedOperation> plain = operations.stream()
                .map(operation -> operation.mergesMark() ? operation.unmarked() : operation)
                .toList();
        BatchWrite again = new BatchWrite(client, pipeline, plain, false, whole -> whole.within(doubt().deadline()));
        unmarked = again;
        return again;
    }

    private BatchWrite last() {
        BatchWrite again = unmarked;
        return again == null ? this : again;
    }

    private Doubt doubt() {
        return pipeline.doubt(call);
    }

    /** All or nothing: one operation that is bound to a version can be carried out once only, and all of them with it. */
    private boolean bound() {
        return operations.stream().anyMatch(EncodedOperation::bound);
    }

    private boolean mayRepeat(Doubt doubt, Evidence evidence) {
        return !bound() && doubt.mayRepeat(evidence);
    }

    /** How long its entities are to be left alone: what may still be carried out of it would land on what comes after. */
    Duration held() {
        return bound() && !unknown ? Duration.ZERO : last().doubt().untilOver();
    }

    @Nullable
    ServiceError refusal() {
        return last().call.refusal();
    }

    LaneSender.End end() {
        return new LaneSender.End(refusal(), last().call.outOfTime(), attempts());
    }

    int attempts() {
        BatchWrite again = unmarked;
        return call.attempts() + (again == null ? 0 : again.attempts());
    }

    /** Whether its load was too much for the partition. */
    boolean strained() {
        return call.strained() || last().call.strained();
    }

    private List<Written> confirmed(List<String> etags) {
        boolean repeated = mayRepeat(doubt(), Evidence.ANSWER);
        List<Written> written = new ArrayList<>(etags.size());
        for (String etag : etags) {
            written.add(Written.confirmed(etag, repeated));
        }
        return written;
    }

    private Mono<List<Written>> settle(OutcomeUnknownException end) {
        if (operations.stream().allMatch(operation -> operation.verb().upsert())) {
            return Mono.error(Failures.stillUnknown(end, Outcomes.UPSERT));
        }
        Doubt doubt = doubt();
        if (operations.stream().allMatch(operation -> operation.verb() == Verb.DELETE && !operation.bound())) {
            return byAbsence(end, doubt);
        }
        Mono<Finding<Written>> byWitness = witness == Marks.NOBODY
                ? Mono.just(new Finding.Unknown<>(NO_WITNESS))
                : look(witness, operations.get(witness).mark(), doubt);
        return byWitness
                .flatMap(seen -> decided(seen) ? Mono.just(seen) : byCulprit(seen, doubt))
                .flatMap(finding -> told(finding, end, doubt));
    }

    /** Unconditional deletions leave nothing to bear witness; but when all is gone, all is as it was wanted. */
    private Mono<List<Written>> byAbsence(OutcomeUnknownException end, Doubt doubt) {
        return Flux.range(0, operations.size())
                .flatMap(i -> look(i, null, doubt), LOOKS_AT_A_TIME)
                .all(finding -> finding instanceof Finding.Done)
                .flatMap(gone -> gone
                        ? Mono.just(absent(doubt))
                        : Mono.error(Failures.stillUnknown(end, "not all of the entities are gone")));
    }

    private List<Written> absent(Doubt doubt) {
        Written gone = Written.absent(Evidence.CONTENT, mayRepeat(doubt, Evidence.CONTENT));
        return Collections.nCopies(operations.size(), gone);
    }

    /** An operation that the service has refused shows whether the transaction could ever have been carried out. */
    private Mono<Finding<Written>> byCulprit(Finding<Written> seen, Doubt doubt) {
        ServiceError refusal = call.refusal();
        int culprit = refusal == null ? Marks.NOBODY : refusal.index();
        if (culprit < 0 || culprit >= operations.size() || culprit == witness) {
            return Mono.just(seen);
        }
        return look(culprit, null, doubt).map(second -> second instanceof Finding.Refused ? second : seen);
    }

    private Mono<Finding<Written>> look(int index, @Nullable String mark, Doubt doubt) {
        EncodedOperation operation = operations.get(index);
        return new Outcomes(client, pipeline).look(operation, new Judge(operation, mark, false, doubt), doubt);
    }

    private static boolean decided(Finding<Written> seen) {
        return seen instanceof Finding.Refused || seen instanceof Finding.Done;
    }

    private Mono<List<Written>> told(Finding<Written> finding, OutcomeUnknownException end, Doubt doubt) {
        return Settlement.told(end, finding).map(written -> recovered(written, doubt));
    }

    /** Only the entity that was looked at is known to have no later version. */
    private List<Written> recovered(Written ofWitness, Doubt doubt) {
        Written other = Written.recovered("", Evidence.MARKER, mayRepeat(doubt, Evidence.MARKER));
        Written own = Written.recovered(ofWitness.etag(), Evidence.MARKER, other.repeated());
        return IntStream.range(0, operations.size())
                .mapToObj(i -> i == witness ? own : other)
                .toList();
    }
}
