package io.stowline.transport.internal.pipeline;

import com.azure.core.http.HttpResponse;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.concurrent.CancelledCalls;
import io.stowline.transport.internal.concurrent.InFlightEntry;
import io.stowline.transport.internal.concurrent.InFlightRegistry;
import io.stowline.transport.internal.concurrent.OperationScope;
import io.stowline.transport.internal.outcome.StagedStep;
import io.stowline.transport.internal.request.OperationType;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A request that counts as in flight until its subscriber knows its end. Refused once this client is closed, unless it is a part of an
 * operation in flight. One operator instead of several, since every request goes through it.
 */
final class InFlightMono<A> extends Mono<A> {

    private final Supplier<Mono<A>> work;
    private final InFlightRegistry inFlight;
    private final Exchange<?> exchange;
    private final Consumer<Exchange<?>> completion;

    /**
     * A request that begins when it is subscribed to.
     *
     * @param work makes its attempts
     */
    InFlightMono(
            Supplier<Mono<A>> work, InFlightRegistry inFlight, Exchange<?> exchange, Consumer<Exchange<?>> completion) {
        this.work = work;
        this.inFlight = inFlight;
        this.exchange = exchange;
        this.completion = completion;
    }

    @Override
    public void subscribe(CoreSubscriber<? super A> actual) {
        Context context = actual.currentContext();
        Mono<A> begun;
        try {
            begun = work.get();
        } catch (Throwable thrown) {
            Operators.error(actual, Operators.onOperatorError(thrown, context));
            return;
        }
        try {
            inFlight.enter(context);
        } catch (IllegalStateException closed) {
            exchange.releaseGranted();
            Operators.error(actual, closed);
            return;
        }
        new Flight<>(this, announced(context), actual).begin(begun);
    }

    /** The operation that keeps the facts of this request beyond its end; null where there is nothing to keep. */
    private @Nullable OperationScope announced(ContextView context) {
        OperationScope operation = OperationScope.in(context);
        if (operation == null || exchange.request().type() == OperationType.READ) {
            return null;
        }
        exchange.inStep(StagedStep.proof(context));
        if (exchange.withoutEffect() != null) {
            return null;
        }
        operation.writing(exchange);
        return operation;
    }

    /** One subscriber's request in flight. */
    private static final class Flight<A> extends InFlightEntry<A> {

        private final Exchange<?> exchange;
        private final Consumer<Exchange<?>> completion;
        private final @Nullable OperationScope writer;

        Flight(InFlightMono<A> parent, @Nullable OperationScope writer, CoreSubscriber<? super A> actual) {
            super(parent.inFlight, false, actual);
            this.exchange = parent.exchange;
            this.completion = parent.completion;
            this.writer = writer;
        }

        private void finish() {
            if (writer != null) {
                writer.wrote(exchange);
            }
            completion.accept(exchange);
        }

        @Override
        protected void succeeded(@Nullable A result) {
            finish();
        }

        @Override
        protected void failed(Throwable error) {
            if (exchange.unanswered() > 0) {
                noteInterrupted();
            }
            finish();
        }

        @Override
        protected void cancelled() {
            stop();
            noteInterrupted();
            finish();
        }

        @Override
        protected Throwable abandoned() {
            finish();
            StorageException closed = ErrorMapper.closed(exchange);
            OperationScope operation = OperationScope.in(currentContext());
            if (operation != null) {
                // The operation may not learn of this end before closing ends it, too.
                operation.cut(closed);
            }
            return closed;
        }

        @Override
        protected void discard(A late) {
            if (late instanceof HttpResponse response) {
                response.close();
            }
        }

        @Override
        protected void leaving() {
            exchange.releaseGranted();
        }

        private void noteInterrupted() {
            CancelledCalls.note(currentContext(), () -> ErrorMapper.interrupted(exchange));
        }
    }
}
