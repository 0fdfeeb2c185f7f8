package io.stowline.table.internal.write;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.transport.internal.error.ServiceError;
import io.stowline.transport.internal.outcome.ReadBackResult;
import io.stowline.transport.internal.outcome.ResolvedMono;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.pipeline.StoragePipeline;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A write of one request, which may leave a marker, with its outcome. Serves one subscription.
 *
 * @param <A> the meaning of its response
 */
public abstract sealed class MarkedWrite<A, R> permits SingleWrite, TransactionWrite {

    final TableOperations tableOperations;
    final StoragePipeline pipeline;
    final Exchange<A> exchange;
    private volatile boolean unknown;
    private volatile @Nullable MarkedWrite<A, R> unmarked;

    MarkedWrite(TableOperations operations, StoragePipeline pipeline, Exchange<A> exchange) {
        this.tableOperations = operations;
        this.pipeline = pipeline;
        this.exchange = exchange;
    }

    /** Returns the result of a response that confirms it. */
    abstract R confirmed(A response);

    /** Returns the result after a lost response. */
    abstract Mono<R> settle(OutcomeUnknownException end);

    /** Returns the operation whose marker proves that the write was carried out; null if there is none. */
    abstract @Nullable EncodedOperation witness();

    /** Returns the result of a write whose witness was found with its marker. */
    abstract R found(WriteResult witness);

    /** Returns whether it can be carried out once only. */
    abstract boolean bound();

    /** Returns whether its marker may be the property for which an entity has no room. */
    abstract boolean overfull(BadRequestException e);

    /** Returns the write without a marker in merged entities, within the same deadline. */
    abstract MarkedWrite<A, R> withoutMarker();

    final Mono<R> send(String label) {
        return pipeline.observer().operation(label, exchange.request()::resource, carriedOut(this::failed));
    }

    private Mono<R> carriedOut(Function<Throwable, Mono<R>> resolution) {
        return new ResolvedMono<>(pipeline.send(exchange), this::confirmed, resolution);
    }

    /** All steps after an error follow one operator: each operator costs its objects for nothing without an error. */
    private Mono<R> failed(Throwable error) {
        return resolved(error)
                .onErrorResume(
                        BadRequestException.class, e -> overfull(e) ? unmarked().tried() : Mono.error(e))
                .doOnError(OutcomeUnknownException.class, e -> unknown = true);
    }

    private Mono<R> tried() {
        return carriedOut(this::resolved);
    }

    private Mono<R> resolved(Throwable error) {
        return Mono.<R>error(error)
                .onErrorResume(OutcomeUnknownException.class, this::settle)
                .onErrorResume(StorageException.class, this::unlessOurs);
    }

    /**
     * A refused retry may be the echo of an attempt although each had a response: a proxy may have refused one that was
     * carried out, or have sent one twice. Where a marker would show it, it is read back; the refusal stands otherwise
     * (OUTCOME-0).
     */
    private Mono<R> unlessOurs(StorageException refused) {
        boolean echo = refused instanceof ConflictException || refused instanceof PreconditionFailedException;
        EncodedOperation marked = witness();
        if (!echo || marked == null || exchange.attempts() < 2 || unresolved().any()) {
            return Mono.error(refused);
        }
        return readBack(marked, marked.marker(), false, unresolved())
                .onErrorResume(e -> Mono.error(refused))
                .flatMap(seen -> seen instanceof ReadBackResult.ProvenDone<WriteResult> done
                        ? Mono.just(found(done.result()))
                        : Mono.error(refused));
    }

    /** Reads an entity back, and judges by its marker, or by its content where that counts. */
    final Mono<ReadBackResult<WriteResult>> readBack(
            EncodedOperation operation, @Nullable String marker, boolean contentCounts, UnresolvedAttempts unresolved) {
        return new ReadBack(tableOperations, pipeline, exchange.options().control())
                .readBack(operation, new WriteVerifier(operation, marker, contentCounts, unresolved), unresolved);
    }

    /** The write once more within the same deadline, after it is certain that this one was not carried out. */
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

    /**
     * Returns the time for which its entities stay reserved: an attempt that is still carried out would land on later
     * writes.
     */
    public final Duration reserved() {
        return bound() && !unknown ? Duration.ZERO : last().unresolved().timeUntilSettled();
    }

    /** Returns its facts for a caller that leaves it, while its request goes on. */
    public final FailureDetails leftBehind(String ending) {
        return last().exchange.leftBehind(ending);
    }

    /** Returns the facts of its end. */
    public final WriteEnd end() {
        MarkedWrite<A, R> last = last();
        return new WriteEnd(last.exchange.refusal(), last.exchange.outOfTime(), attempts());
    }

    /** Returns the number of its attempts. */
    public final int attempts() {
        MarkedWrite<A, R> again = unmarked;
        return exchange.attempts() + (again == null ? 0 : again.attempts());
    }

    /** Returns the number of its attempts that the service throttled. */
    public final int throttles() {
        MarkedWrite<A, R> again = unmarked;
        return exchange.throttles() + (again == null ? 0 : again.throttles());
    }

    /** Returns whether its load was too much for the partition. */
    public final boolean strained() {
        return exchange.strained() || last().exchange.strained();
    }

    /** The facts of a failed write: the refusal of the service, and whether more time could have helped. */
    public record WriteEnd(@Nullable ServiceError refusal, boolean outOfTime, int attempts) {}
}
