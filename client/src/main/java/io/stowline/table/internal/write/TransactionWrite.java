package io.stowline.table.internal.write;

import io.stowline.error.BadRequestException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.internal.StatusMeaning;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.internal.gate.Permit;
import io.stowline.table.internal.request.BatchResponseParser;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.OutcomeResolver;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import io.stowline.transport.internal.request.BatchOptions;
import io.stowline.transport.internal.request.ExecutionOptions;
import io.stowline.transport.internal.request.RequestIds;
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
 * decides for all: it leaves a marker. That it was not carried out is shown by the operation that the service has named, or by the witness.
 */
public final class TransactionWrite extends MarkedWrite<List<String>, List<WriteResult>> {

    private static final int READ_BACKS_AT_A_TIME = 8;
    private static final String NO_WITNESS = "the transaction holds no operation that leaves a marker";

    private final List<EncodedOperation> operations;
    private final int witness;
    private final boolean bound;

    /**
     * Makes a transaction.
     *
     * @param batch the options of queued operations, or {@code null} for a direct call
     * @param permit the permit of its first attempt, or {@code null} if none was granted before
     */
    public TransactionWrite(
            TableOperations tableOperations,
            StoragePipeline pipeline,
            List<EncodedOperation> operations,
            @Nullable BatchOptions batch,
            @Nullable Permit permit) {
        this(
                tableOperations,
                pipeline,
                new MarkedOperations(operations, tableOperations.markers(), true),
                exchange -> batch == null ? exchange.with(ExecutionOptions::paced) : exchange.forBatch(batch, permit));
    }

    private TransactionWrite(
            TableOperations operations,
            StoragePipeline pipeline,
            MarkedOperations marked,
            UnaryOperator<Exchange<List<String>>> manner) {
        super(
                operations,
                pipeline,
                manner.apply(Exchange.of(
                                operations.batch(marked.all),
                                operations.retry(),
                                new BatchResponseParser(marked.all.size(), pipeline.clock()))
                        .identified(marked.id)));
        this.operations = marked.all;
        this.witness = marked.witness;
        this.bound = isAnyBound(marked.all);
    }

    private static boolean isAnyBound(List<EncodedOperation> operations) {
        for (EncodedOperation operation : operations) {
            if (operation.bound()) {
                return true;
            }
        }
        return false;
    }

    /** Sends it. */
    public Mono<List<WriteResult>> send() {
        return send("transaction");
    }

    @Override
    @Nullable
    EncodedOperation witness() {
        return witness == MarkerRules.NO_WITNESS ? null : operations.get(witness);
    }

    @Override
    List<WriteResult> found(WriteResult ofWitness) {
        return recovered(ofWitness, unresolved());
    }

    @Override
    boolean overfull(BadRequestException e) {
        ServiceError refusal = exchange.refusal();
        int culprit = refusal == null ? MarkerRules.NO_WITNESS : refusal.index();
        boolean named = culprit >= 0 && culprit < operations.size();
        return StatusMeaning.OVERFULL.has(e.failure().errorCode())
                && (named
                        ? operations.get(culprit).mergesMarker()
                        : operations.stream().anyMatch(EncodedOperation::mergesMarker));
    }

    @Override
    TransactionWrite withoutMarker() {
        List<EncodedOperation> plain = operations.stream()
                .map(operation -> operation.mergesMarker() ? operation.unmarked() : operation)
                .toList();
        return new TransactionWrite(
                tableOperations,
                pipeline,
                new MarkedOperations(plain, tableOperations.markers(), false),
                exchange -> exchange.with(options -> options.within(unresolved().deadline())));
    }

    /** Returns whether it can be carried out once only: if one operation is bound to a version, so are all. */
    @Override
    boolean bound() {
        return bound;
    }

    private boolean mayRepeat(UnresolvedAttempts unresolved, Evidence evidence) {
        return !bound() && unresolved.mayRepeat(evidence);
    }

    @Override
    List<WriteResult> confirmed(List<String> etags) {
        boolean repeated = mayRepeat(unresolved(), Evidence.RESPONSE);
        List<WriteResult> written = new ArrayList<>(etags.size());
        for (String etag : etags) {
            written.add(WriteResult.confirmed(etag, repeated));
        }
        return written;
    }

    @Override
    Mono<List<WriteResult>> settle(OutcomeUnknownException end) {
        if (MarkerRules.areUpserts(operations)) {
            return Mono.error(ErrorMapper.stillUnknown(end, ReadBack.UPSERT));
        }
        UnresolvedAttempts unresolved = unresolved();
        if (operations.stream().allMatch(operation -> operation.verb() == EntityVerb.DELETE && !operation.bound())) {
            return byAbsence(end, unresolved);
        }
        Mono<ReadBackResult<WriteResult>> byWitness = witness == MarkerRules.NO_WITNESS
                ? Mono.just(new ReadBackResult.Unproven<>(NO_WITNESS))
                : readBack(witness, operations.get(witness).marker(), unresolved);
        return byWitness
                .flatMap(seen -> decided(seen) ? Mono.just(seen) : byCulprit(seen, unresolved))
                .flatMap(finding -> reported(finding, end, unresolved));
    }

    /** Unconditional deletions leave no witness; but if all entities are gone, the goal is reached. */
    private Mono<List<WriteResult>> byAbsence(OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        return Flux.range(0, operations.size())
                .flatMap(i -> readBack(i, null, unresolved), READ_BACKS_AT_A_TIME)
                .filter(finding -> !(finding instanceof ReadBackResult.ProvenDone))
                .takeUntil(finding -> !passing(finding))
                .sort(Comparator.comparing(TransactionWrite::passing))
                .next()
                .flatMap(finding -> OutcomeResolver.<List<WriteResult>>resolved(
                        end, new ReadBackResult.Unproven<>("not all of the entities are gone", passing(finding))))
                .switchIfEmpty(Mono.fromSupplier(() -> absent(unresolved)));
    }

    private static boolean passing(ReadBackResult<WriteResult> finding) {
        return finding instanceof ReadBackResult.Unproven<WriteResult> unknown && unknown.passing();
    }

    private List<WriteResult> absent(UnresolvedAttempts unresolved) {
        WriteResult gone = WriteResult.absent(Evidence.CONTENT, mayRepeat(unresolved, Evidence.CONTENT));
        return Collections.nCopies(operations.size(), gone);
    }

    /** An operation that the service has refused shows whether the transaction could ever have been carried out. */
    private Mono<ReadBackResult<WriteResult>> byCulprit(
            ReadBackResult<WriteResult> seen, UnresolvedAttempts unresolved) {
        ServiceError refusal = exchange.refusal();
        int culprit = refusal == null ? MarkerRules.NO_WITNESS : refusal.index();
        if (culprit < 0 || culprit >= operations.size() || culprit == witness) {
            return Mono.just(seen);
        }
        return readBack(culprit, null, unresolved)
                .map(second -> second instanceof ReadBackResult.ProvenRefused ? second : seen);
    }

    private Mono<ReadBackResult<WriteResult>> readBack(
            int index, @Nullable String marker, UnresolvedAttempts unresolved) {
        return readBack(operations.get(index), marker, false, unresolved);
    }

    private static boolean decided(ReadBackResult<WriteResult> seen) {
        return seen instanceof ReadBackResult.ProvenRefused || seen instanceof ReadBackResult.ProvenDone;
    }

    private Mono<List<WriteResult>> reported(
            ReadBackResult<WriteResult> finding, OutcomeUnknownException end, UnresolvedAttempts unresolved) {
        return OutcomeResolver.resolved(end, finding).map(written -> recovered(written, unresolved));
    }

    /** The other entities than the one that was read back may have a later version. */
    private List<WriteResult> recovered(WriteResult ofWitness, UnresolvedAttempts unresolved) {
        WriteResult other = WriteResult.recovered("", Evidence.MARKER, mayRepeat(unresolved, Evidence.MARKER));
        WriteResult own = WriteResult.recovered(ofWitness.etag(), Evidence.MARKER, other.mayHaveRepeated());
        return IntStream.range(0, operations.size())
                .mapToObj(i -> i == witness ? own : other)
                .toList();
    }

    /** The operations of a transaction with the marks that they leave, and the one that bears witness. */
    private static final class MarkedOperations {

        private final String id = RequestIds.next();
        private final WriteMarkers markers;
        private final boolean merges;
        private final int witness;
        private final List<EncodedOperation> all;

        MarkedOperations(List<EncodedOperation> plain, WriteMarkers markers, boolean merges) {
            this.markers = markers;
            this.merges = merges;
            this.witness = MarkerRules.witness(plain, markers, merges);
            this.all = witness == MarkerRules.NO_WITNESS
                    ? plain
                    : IntStream.range(0, plain.size())
                            .mapToObj(i ->
                                    needsMarker(plain.get(i), i) ? plain.get(i).marked(id) : plain.get(i))
                            .toList();
        }

        /**
         * An operation in a journal has its marker already, which is a witness as well: it goes into one batch at a
         * time.
         */
        private boolean needsMarker(EncodedOperation operation, int index) {
            return operation.marker() == null
                    && (index == witness
                            || (markers == WriteMarkers.ALL
                                    && (merges || operation.verb() != EntityVerb.MERGE)
                                    && MarkerRules.leaves(operation, markers)));
        }
    }
}
