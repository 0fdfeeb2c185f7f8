package io.stowline.table.internal.write;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteMarkers;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.internal.request.BatchResponseParser;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.write.SingleWrite.WriteEnd;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.ExecutionOptions.PermittedDelivery;
import io.stowline.transport.internal.request.RequestIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
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
public final class TransactionWrite {

    private static final int LOOKS_AT_A_TIME = 8;
    private static final String NO_WITNESS = "the transaction holds no operation that leaves a mark";

    private final TableOperations client;
    private final StoragePipeline pipeline;
    private final List<EncodedOperation> operations;
    private final int witness;
    private final String id;
    private final boolean merges;
    private final Exchange<List<String>> call;
    private volatile boolean unknown;
    private volatile @Nullable TransactionWrite unmarked;

    public TransactionWrite(
            TableOperations client,
            StoragePipeline pipeline,
            List<EncodedOperation> operations,
            @Nullable PermittedDelivery delivery) {
        this(client, pipeline, operations, true, whole -> delivery == null ? whole.paced() : whole.delivered(delivery));
    }

    private TransactionWrite(
            TableOperations client,
            StoragePipeline pipeline,
            List<EncodedOperation> operations,
            boolean merges,
            UnaryOperator<Exchange<List<String>>> manner) {
        this.client = client;
        this.pipeline = pipeline;
        this.id = RequestIds.next();
        this.merges = merges;
        this.witness = MarkerRules.witness(operations, client.marking(), merges);
        this.operations = marked(operations, client.marking());
        this.call = manner.apply(Exchange.of(
                        client.batch(this.operations),
                        client.retry(),
                        new BatchResponseParser(operations.size(), pipeline.clock()))
                .identified(id));
    }

    private List<EncodedOperation> marked(List<EncodedOperation> all, WriteMarkers marking) {
        if (witness == MarkerRules.NO_WITNESS) {
            return all;
        }
        return IntStream.range(0, all.size())
                .mapToObj(i -> needsMark(all.get(i), i, marking) ? all.get(i).marked(id) : all.get(i))
                .toList();
    }

    /** One that is in a journal has a mark of its own, which bears witness as well: it goes into one batch at a time. */
    private boolean needsMark(EncodedOperation operation, int index, WriteMarkers marking) {
        return operation.mark() == null
                && (index == witness
                        || (marking == WriteMarkers.ALL
                                && (merges || operation.verb() != EntityVerb.MERGE)
                                && MarkerRules.leaves(operation, marking)));
    }

    public Mono<List<EntityWriteResult>> send() {
        Mono<List<EntityWriteResult>> work = tried().onErrorResume(
                        BadRequestException.class, e -> overfull(e) ? unmarked().tried() : Mono.error(e))
                .doOnError(OutcomeUnknownException.class, e -> unknown = true);
        return pipeline.observing().operation("transaction", call::resource, work);
    }

    private Mono<List<EntityWriteResult>> tried() {
        return pipeline.send(call)
                .map(this::confirmed)
                .onErrorResume(OutcomeUnknownException.class, this::settle)
                .onErrorResume(StorageException.class, this::unlessOurs);
    }

    /** As in {@link SingleWrite}: a refusal of a retry may be an echo although each attempt was answered, and the witness shows it. */
    private Mono<List<EntityWriteResult>> unlessOurs(StorageException refused) {
        boolean echo = refused instanceof ConflictException || refused instanceof PreconditionFailedException;
        UnresolvedAttempts doubt = doubt();
        if (!echo || witness == MarkerRules.NO_WITNESS || call.attempts() < 2 || doubt.any()) {
            return Mono.error(refused);
        }
        EncodedOperation marked = operations.get(witness);
        return new ReadBack(client, pipeline)
                .look(marked, new WriteVerifier(marked, marked.mark(), false, doubt), doubt)
                .onErrorResume(e -> Mono.error(refused))
                .flatMap(seen -> seen instanceof ReadBackResult.Done<EntityWriteResult> done
                        ? Mono.just(recovered(done.result(), doubt))
                        : Mono.error(refused));
    }

    /** Whether it may be a mark that an entity has no room for. */
    private boolean overfull(BadRequestException e) {
        ServiceError refusal = call.refusal();
        int culprit = refusal == null ? MarkerRules.NO_WITNESS : refusal.index();
        boolean named = culprit >= 0 && culprit < operations.size();
        return BatchErrorAnalyzer.full(e.failure().errorCode())
                && (named
                        ? operations.get(culprit).mergesMark()
                        : operations.stream().anyMatch(EncodedOperation::mergesMark));
    }

    /** The same within the same deadline, with no mark in what is merged, once it is certain that this one was not carried out. */
    private TransactionWrite unmarked() {
        List<EncodedOperation> plain = operations.stream()
                .map(operation -> operation.mergesMark() ? operation.unmarked() : operation)
                .toList();
        TransactionWrite again =
                new TransactionWrite(client, pipeline, plain, false, whole -> whole.within(doubt().deadline()));
        unmarked = again;
        return again;
    }

    private TransactionWrite last() {
        TransactionWrite again = unmarked;
        return again == null ? this : again;
    }

    private UnresolvedAttempts doubt() {
        return pipeline.doubt(call);
    }

    /** All or nothing: one operation that is bound to a version can be carried out once only, and all of them with it. */
    private boolean bound() {
        return operations.stream().anyMatch(EncodedOperation::bound);
    }

    private boolean mayRepeat(UnresolvedAttempts doubt, Evidence evidence) {
        return !bound() && doubt.mayRepeat(evidence);
    }

    /** How long its entities are to be left alone: what may still be carried out of it would land on what comes after. */
    public Duration held() {
        return bound() && !unknown ? Duration.ZERO : last().doubt().untilOver();
    }

    @Nullable
    ServiceError refusal() {
        return last().call.refusal();
    }

    public WriteEnd end() {
        return new WriteEnd(refusal(), last().call.outOfTime(), attempts());
    }

    public int attempts() {
        TransactionWrite again = unmarked;
        return call.attempts() + (again == null ? 0 : again.attempts());
    }

    /** Whether its load was too much for the partition. */
    public boolean strained() {
        return call.strained() || last().call.strained();
    }

    private List<EntityWriteResult> confirmed(List<String> etags) {
        boolean repeated = mayRepeat(doubt(), Evidence.ANSWER);
        List<EntityWriteResult> written = new ArrayList<>(etags.size());
        for (String etag : etags) {
            written.add(EntityWriteResult.confirmed(etag, repeated));
        }
        return written;
    }

    private Mono<List<EntityWriteResult>> settle(OutcomeUnknownException end) {
        if (operations.stream().allMatch(operation -> operation.verb().upsert())) {
            return Mono.error(ErrorMapper.stillUnknown(end, ReadBack.UPSERT));
        }
        UnresolvedAttempts doubt = doubt();
        if (operations.stream().allMatch(operation -> operation.verb() == EntityVerb.DELETE && !operation.bound())) {
            return byAbsence(end, doubt);
        }
        Mono<ReadBackResult<EntityWriteResult>> byWitness = witness == MarkerRules.NO_WITNESS
                ? Mono.just(new ReadBackResult.Unknown<>(NO_WITNESS))
                : look(witness, operations.get(witness).mark(), doubt);
        return byWitness
                .flatMap(seen -> decided(seen) ? Mono.just(seen) : byCulprit(seen, doubt))
                .flatMap(finding -> told(finding, end, doubt));
    }

    /** Unconditional deletions leave nothing to bear witness; but when all is gone, all is as it was wanted. */
    private Mono<List<EntityWriteResult>> byAbsence(OutcomeUnknownException end, UnresolvedAttempts doubt) {
        return Flux.range(0, operations.size())
                .flatMap(i -> look(i, null, doubt), LOOKS_AT_A_TIME)
                .filter(finding -> !(finding instanceof ReadBackResult.Done))
                .takeUntil(finding -> !passing(finding))
                .sort(Comparator.comparing(TransactionWrite::passing))
                .next()
                .flatMap(finding -> OutcomeResolver.<List<EntityWriteResult>>resolved(
                        end, new ReadBackResult.Unknown<>("not all of the entities are gone", passing(finding))))
                .switchIfEmpty(Mono.fromSupplier(() -> absent(doubt)));
    }

    private static boolean passing(ReadBackResult<EntityWriteResult> finding) {
        return finding instanceof ReadBackResult.Unknown<EntityWriteResult> unknown && unknown.passing();
    }

    private List<EntityWriteResult> absent(UnresolvedAttempts doubt) {
        EntityWriteResult gone = EntityWriteResult.absent(Evidence.CONTENT, mayRepeat(doubt, Evidence.CONTENT));
        return Collections.nCopies(operations.size(), gone);
    }

    /** An operation that the service has refused shows whether the transaction could ever have been carried out. */
    private Mono<ReadBackResult<EntityWriteResult>> byCulprit(
            ReadBackResult<EntityWriteResult> seen, UnresolvedAttempts doubt) {
        ServiceError refusal = call.refusal();
        int culprit = refusal == null ? MarkerRules.NO_WITNESS : refusal.index();
        if (culprit < 0 || culprit >= operations.size() || culprit == witness) {
            return Mono.just(seen);
        }
        return look(culprit, null, doubt).map(second -> second instanceof ReadBackResult.Refused ? second : seen);
    }

    private Mono<ReadBackResult<EntityWriteResult>> look(int index, @Nullable String mark, UnresolvedAttempts doubt) {
        EncodedOperation operation = operations.get(index);
        return new ReadBack(client, pipeline).look(operation, new WriteVerifier(operation, mark, false, doubt), doubt);
    }

    private static boolean decided(ReadBackResult<EntityWriteResult> seen) {
        return seen instanceof ReadBackResult.Refused || seen instanceof ReadBackResult.Done;
    }

    private Mono<List<EntityWriteResult>> told(
            ReadBackResult<EntityWriteResult> finding, OutcomeUnknownException end, UnresolvedAttempts doubt) {
        return OutcomeResolver.resolved(end, finding).map(written -> recovered(written, doubt));
    }

    /** Only the entity that was looked at is known to have no later version. */
    private List<EntityWriteResult> recovered(EntityWriteResult ofWitness, UnresolvedAttempts doubt) {
        EntityWriteResult other = EntityWriteResult.recovered("", Evidence.MARKER, mayRepeat(doubt, Evidence.MARKER));
        EntityWriteResult own = EntityWriteResult.recovered(ofWitness.etag(), Evidence.MARKER, other.mayHaveRepeated());
        return IntStream.range(0, operations.size())
                .mapToObj(i -> i == witness ? own : other)
                .toList();
    }
}
