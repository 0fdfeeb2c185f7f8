package io.stowline.transport.internal.observe;

import io.stowline.observe.StowlineListener;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;

/** Work of the library that no caller waits for: the operations that begin with its subscription have no parent (decision 413). */
final class DetachedMono<A> extends MonoOperator<A, A> {

    private final StowlineListener listener;

    DetachedMono(Mono<A> source, StowlineListener listener) {
        super(source);
        this.listener = listener;
    }

    @Override
    public void subscribe(CoreSubscriber<? super A> actual) {
        run(listener, () -> source.subscribe(actual));
    }

    /** Runs work within the listener, which gets no exception of the work. */
    static void run(StowlineListener listener, Runnable work) {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        ObservedOperation.once(listener::runDetached, () -> {
            try {
                work.run();
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        Throwable error = thrown.get();
        if (error instanceof Error fatal) {
            throw fatal;
        } else if (error != null) {
            throw Exceptions.propagate(error);
        }
    }
}
