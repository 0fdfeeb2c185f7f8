package io.stowline.table.internal.operation;

import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.LeftoverException;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.write.MarkedWrite;
import io.stowline.table.internal.writer.QueuedWrite;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.table.internal.writer.WriteCounters;
import io.stowline.transport.internal.concurrent.CancelledCalls;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.concurrent.SentWrite;
import io.stowline.transport.internal.error.FailureFacts;
import io.stowline.transport.internal.observe.OperationObserver;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import io.stowline.transport.internal.request.RequestIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** A transaction of encoded operations on its way through the lane of its partition. */
public final class LaneTransaction {

    /** The wait between two read-backs, too. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final String VERB = "transaction";

    private final TableContext<?> context;
    private final String partitionKey;
    private final List<QueuedWrite> items;
    private final WriteCounters counters = new WriteCounters();

    /**
     * A transaction that is not sent yet.
     *
     * @param context the table with the settings of the transaction
     * @param operations its operations, at least one, all of one partition and each on another entity
     */
    public LaneTransaction(TableContext<?> context, List<EncodedOperation> operations) {
        this.context = context;
        this.partitionKey = operations.get(0).partitionKey();
        this.items = new ArrayList<>(operations.size());
        for (EncodedOperation operation : operations) {
            items.add(new QueuedWrite(context.operations(), operation, counters));
        }
    }

    /** Sends it; the result has one entry for each operation. */
    public Mono<List<WriteResult>> commit() {
        return asOperation(Mono.defer(() -> commit(deadline())));
    }

    /** The wait for the partition is a part of the operation, too. */
    private Mono<List<WriteResult>> asOperation(Mono<List<WriteResult>> work) {
        return context.operations().asOperation(VERB, this::resource, work);
    }

    private Mono<List<WriteResult>> commit(Duration left) {
        LaneKey lane = LaneKey.of(context.operations().table(), partitionKey);
        return Mono.deferContextual(caller -> {
            long began = now();
            counters.partOf(OperationObserver.part(caller));
            return noted(
                    OperationScope.in(caller),
                    began,
                    context.service()
                            .lanes()
                            .submitAtomic(lane, items, left)
                            .onErrorMap(DeliveryTimeoutException.class, late -> unsent(deadline(), late))
                            .onErrorMap(
                                    LeftoverException.class,
                                    end -> ErrorMapper.closed(
                                            givenUp(began, "this Stowline was closed before the transaction had ended"),
                                            end))
                            .doFinally(end -> {
                                if (end == SignalType.CANCEL) {
                                    CancelledCalls.note(caller, () -> givenUp(began, OperationScope.INTERRUPTED));
                                }
                            }));
        });
    }

    /** Keeps the facts of the transaction for the operation that it is a part of: its requests belong to the lane. */
    private Mono<List<WriteResult>> noted(
            @Nullable OperationScope operation, long began, Mono<List<WriteResult>> work) {
        if (operation == null) {
            return work;
        }
        Delivery delivery = new Delivery(began);
        operation.writing(delivery);
        return work.doOnSuccess(written -> delivery.end = Delivery.End.CARRIED_OUT)
                .doOnError(e -> delivery.failed(e))
                .doFinally(end -> operation.wrote(delivery));
    }

    /** The transaction on its way through the lane. */
    private final class Delivery implements SentWrite {

        private enum End {
            OPEN,
            CARRIED_OUT,
            REFUSED
        }

        private final String id = RequestIds.next();
        private final long began;
        private volatile End end = End.OPEN;

        Delivery(long began) {
            this.began = began;
        }

        void failed(Throwable error) {
            end = error instanceof OutcomeUnknownException ? End.OPEN : End.REFUSED;
        }

        @Override
        public String clientRequestId() {
            return id;
        }

        @Override
        public int applied() {
            return isCarriedOut() || (end == End.OPEN && counters.sent() != null) ? 1 : 0;
        }

        @Override
        public boolean isCarriedOut() {
            return end == End.CARRIED_OUT;
        }

        @Override
        public FailureDetails soFar(String ending) {
            return givenUp(began, ending);
        }

        @Override
        public SentWrite ended() {
            return this;
        }
    }

    /** The wait for the partition is a part of the time of the transaction. */
    private RuntimeException unsent(Duration deadline, RuntimeException late) {
        return ErrorMapper.unsent(VERB, resource(), deadline, "in the partition", late);
    }

    private FailureDetails givenUp(long began, String reason) {
        MarkedWrite<?, ?> write = counters.sent();
        return write == null
                ? FailureFacts.of(VERB, resource())
                        .tried(0, 0, Duration.ofNanos(now() - began))
                        .because("nothing was sent", reason)
                : write.leftBehind(reason).of(VERB, resource());
    }

    private String resource() {
        return context.operations().table() + "(" + partitionKey + ") with " + items.size() + " operations";
    }

    private Duration deadline() {
        return context.operations().retry().deadline();
    }

    /**
     * Commits for a caller that does not use a transaction itself. Behind a write with an unknown outcome it is submitted again, which
     * sends nothing, until that write can no longer arrive or the deadline is over.
     */
    public Mono<List<WriteResult>> patient() {
        return context.service()
                .delivered(
                        asOperation(Mono.defer(() -> patient(now() + deadline().toNanos()))));
    }

    private Mono<List<WriteResult>> patient(long until) {
        Duration left = Duration.ofNanos(Math.max(TimeUnit.MILLISECONDS.toNanos(1), until - now()));
        return commit(left)
                .onErrorResume(
                        PredecessorUnknownException.class,
                        e -> until - now() > PAUSE.toNanos()
                                ? context.service().pause(PAUSE).then(Mono.defer(() -> patient(until)))
                                : Mono.error(unsent(deadline(), e)));
    }

    private long now() {
        return context.service().timer().now(TimeUnit.NANOSECONDS);
    }
}
