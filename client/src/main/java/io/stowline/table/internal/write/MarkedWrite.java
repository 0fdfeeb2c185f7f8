package io.stowline.table.internal.write;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.table.EntityWriteResult;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A write of one request, which may leave a mark, and what became of it. Serves one subscription.
 *
 * @param <A> the meaning of its response
 */
public abstract sealed class MarkedWrite<A, R> permits SingleWrite, TransactionWrite {

    final TableOperations table;
    final StoragePipeline pipeline;
    final Exchange<A> exchange;
    private volatile boolean unknown;
    private volatile @Nullable MarkedWrite<A, R> unmarked;

    MarkedWrite(TableOperations operations, StoragePipeline pipeline, Exchange<A> exchange) {
        this.table = operations;
        this.pipeline = pipeline;
        this.exchange = exchange;
    }

    /** The result of a response that says that it was carried out. */
    abstract R confirmed(A response);

    /** The result after a lost response. */
    abstract Mono<R> settle(OutcomeUnknownException end);

    /** The operation whose mark shows that the write was carried out; null if there is none. */
    abstract @Nullable EncodedOperation witness();

    /** The result of a write whose witness was found with its mark. */
    abstract R found(EntityWriteResult witness);

    /** Whether it can be carried out once only. */
    abstract boolean bound();

    /** Whether it may be a mark that an entity has no room for. */
    abstract boolean overfull(BadRequestException e);

    /** The same with no mark in what is merged, within the same deadline. */
    abstract MarkedWrite<A, R> withoutMarker();

    final Mono<R> send(String label) {
        return pipeline.observer()
                .operation(label, exchange::resource, carriedOut().onErrorResume(this::failed));
    }

    private Mono<R> carriedOut() {
        return pipeline.send(exchange).map(this::confirmed);
    }

    /** Without an error each operator costs its objects for nothing; so all that follows an error follows one operator. */
    private Mono<R> failed(Throwable error) {
        return resolved(error)
                .onErrorResume(
                        BadRequestException.class, e -> overfull(e) ? unmarked().tried() : Mono.error(e))
                .doOnError(OutcomeUnknownException.class, e -> unknown = true);
    }

    private Mono<R> tried() {
        return carriedOut().onErrorResume(this::resolved);
    }

    private Mono<R> resolved(Throwable error) {
        return Mono.<R>error(error)
                .onErrorResume(OutcomeUnknownException.class, this::settle)
                .onErrorResume(StorageException.class, this::unlessOurs);
    }

    /**
     * A refusal of a retry may be the echo of an attempt although each was answered: a proxy may have answered that one was not carried out, or
     * have sent one twice. Where a mark would show it, it is looked for; the refusal stands otherwise (OUTCOME-0).
     */
    private Mono<R> unlessOurs(StorageException refused) {
        boolean echo = refused instanceof ConflictException || refused instanceof PreconditionFailedException;
        EncodedOperation marked = witness();
        if (!echo || marked == null || exchange.attempts() < 2 || unresolved().any()) {
            return Mono.error(refused);
        }
        return readBack(marked, marked.marker(), false, unresolved())
                .onErrorResume(e -> Mono.error(refused))
                .flatMap(seen -> seen instanceof ReadBackResult.ProvenDone<EntityWriteResult> done
                        ? Mono.just(found(done.result()))
                        : Mono.error(refused));
    }

    /** Reads an entity back, and judges by its mark, or by its content where that counts. */
    final Mono<ReadBackResult<EntityWriteResult>> readBack(
            EncodedOperation operation, @Nullable String marker, boolean contentCounts, UnresolvedAttempts unresolved) {
        return new ReadBack(table, pipeline)
                .readBack(operation, new WriteVerifier(operation, marker, contentCounts, unresolved), unresolved);
    }

    /** The same within the same deadline, once it is certain that this one was not carried out. */
    private MarkedWrite<A, R> unmarked() {
        MarkedWrite<A, R> again = withoutMarker();
        unmarked = again;
        return again;
    }

    private MarkedWrite<A, R> last() {
        MarkedWrite<A, R> again = unmarked;
        return again == null ? this : again;
    }

    final UnresolvedAttempts unresolved() {
        return pipeline.unresolved(exchange);
    }

    /** How long its entities are to be left alone: what may still be carried out of it would land on what comes after. */
    public final Duration held() {
        return bound() && !unknown ? Duration.ZERO : last().unresolved().timeUntilSettled();
    }

    /** What is known of its end. */
    public final WriteEnd end() {
        MarkedWrite<A, R> last = last();
        return new WriteEnd(last.exchange.refusal(), last.exchange.outOfTime(), attempts());
    }

    /** How many attempts it took. */
    public final int attempts() {
        MarkedWrite<A, R> again = unmarked;
        return exchange.attempts() + (again == null ? 0 : again.attempts());
    }

    /** Whether its load was too much for the partition. */
    public final boolean strained() {
        return exchange.strained() || last().exchange.strained();
    }

    /** What is known of a write that failed: what the service answered, and whether more time could have helped. */
    public record WriteEnd(@Nullable ServiceError refusal, boolean outOfTime, int attempts) {}
}
