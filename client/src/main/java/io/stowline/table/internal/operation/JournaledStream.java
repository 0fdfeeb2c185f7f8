package io.stowline.table.internal.operation;

import io.stowline.batching.internal.callback.TaggedResult;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.TableOperation;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;

/**
 * A stream that submits a publisher's operations to a writer through its journal, in FIFO order. It requests nothing from upstream before the subscriber
 * requests a result. Operations without a delivered result, those on their way to the disk included, never exceed the window; a cancel
 * takes all of them back.
 */
public final class JournaledStream {

    private static final int WINDOW = 1_024;

    private JournaledStream() {}

    /**
     * Returns the results of the operations, in the order in which they end.
     *
     * @param bufferItems the bound of the writer
     * @param write writes one operation through the journal
     */
    public static <T, C> Flux<ItemResult<C, WriteResult>> writeAll(
            Publisher<? extends TableOperation<T, C>> operations,
            int bufferItems,
            Function<TableOperation<T, ?>, Mono<WriteResult>> write) {
        int window = Math.min(WINDOW, bufferItems);
        return new OnRequest<>(
                Flux.from(operations).flatMapDelayError(operation -> written(operation, write), window, 1));
    }

    private static <T, C> Mono<ItemResult<C, WriteResult>> written(
            TableOperation<T, C> operation, Function<TableOperation<T, ?>, Mono<WriteResult>> write) {
        C context = operation.context();
        return Mono.defer(() -> write.apply(operation))
                .map(written -> TaggedResult.done(context, written))
                .onErrorResume(failure -> Mono.just(TaggedResult.failed(context, failure)))
                .map(WriterOperations::result);
    }

    /** A Flux that subscribes with the first request. */
    private static final class OnRequest<V> extends Flux<V> {

        private final Flux<V> source;

        OnRequest(Flux<V> source) {
            this.source = source;
        }

        @Override
        public void subscribe(CoreSubscriber<? super V> downstream) {
            downstream.onSubscribe(new Start<>(source, downstream));
        }
    }

    private static final class Start<V> extends Operators.DeferredSubscription implements CoreSubscriber<V> {

        private final Flux<V> source;
        private final CoreSubscriber<? super V> downstream;
        private @Nullable Flux<V> waiting;

        Start(Flux<V> source, CoreSubscriber<? super V> downstream) {
            this.source = source;
            this.waiting = source;
            this.downstream = downstream;
        }

        @Override
        public reactor.util.context.Context currentContext() {
            return downstream.currentContext();
        }

        @Override
        public void request(long count) {
            if (count <= 0) {
                cancel();
                downstream.onError(
                        new IllegalArgumentException("at least 1 result must be requested but was " + count));
                return;
            }
            super.request(count);
            if (isFirst()) {
                source.subscribe(this);
            }
        }

        private synchronized boolean isFirst() {
            boolean first = waiting != null;
            waiting = null;
            return first;
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            set(subscription);
        }

        @Override
        public void onNext(V value) {
            downstream.onNext(value);
        }

        @Override
        public void onError(Throwable failure) {
            downstream.onError(failure);
        }

        @Override
        public void onComplete() {
            downstream.onComplete();
        }
    }
}
