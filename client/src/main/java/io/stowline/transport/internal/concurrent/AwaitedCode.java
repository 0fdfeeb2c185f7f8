package io.stowline.transport.internal.concurrent;

import io.stowline.transport.internal.http.RelaySubscriber;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.util.context.ContextView;

/**
 * Code of the application that runs within an operation in flight: a filter, a stream, a progress listener, a codec. The operation waits for
 * it, and the closing of the client waits for the operation, so that this code cannot wait for the closing. Thread-safe.
 */
public final class AwaitedCode {

    private static final ThreadLocal<@Nullable Frame> CURRENT = new ThreadLocal<>();

    private AwaitedCode() {}

    /**
     * One operation in a thread.
     *
     * @param outer the operation whose code runs this one
     */
    record Frame(InFlightRegistry operations, @Nullable Frame outer) {}

    /** Returns whether this thread runs code that one of these operations waits for. */
    public static boolean isOf(InFlightRegistry operations) {
        for (Frame frame = CURRENT.get(); frame != null; frame = frame.outer()) {
            if (frame.operations() == operations) {
                return true;
            }
        }
        return false;
    }

    /** Runs code of the application that the operation in this context waits for. */
    public static void run(ContextView context, Runnable code) {
        InFlightRegistry operations = OperationScope.inFlight(context);
        if (operations == null) {
            code.run();
        } else {
            run(operations, code);
        }
    }

    /** Runs code of the application that one of these operations waits for. */
    public static void run(InFlightRegistry operations, Runnable code) {
        Frame outer = enter(operations);
        try {
            code.run();
        } finally {
            leave(outer);
        }
    }

    /** Calls code of the application that one of these operations waits for. */
    public static <T> T call(InFlightRegistry operations, Supplier<T> code) {
        Frame outer = enter(operations);
        try {
            return code.get();
        } finally {
            leave(outer);
        }
    }

    /** Marks the steps behind a source as code of the application within the operation of its subscriber. */
    public static <T> Mono<T> behind(Mono<T> source) {
        return new MonoOperator<>(source) {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                source.subscribe(new Steps<>(actual));
            }
        };
    }

    private static @Nullable Frame enter(InFlightRegistry operations) {
        Frame outer = CURRENT.get();
        if (outer == null || outer.operations() != operations) {
            CURRENT.set(outer == null ? operations.outermost() : new Frame(operations, outer));
        }
        return outer;
    }

    private static void leave(@Nullable Frame outer) {
        // Not removed: the next operation of this thread would make the entry once more.
        CURRENT.set(outer);
    }

    /** The steps behind a source. */
    private static final class Steps<T> extends RelaySubscriber<T, T> {

        Steps(CoreSubscriber<? super T> actual) {
            super(actual);
        }

        @Override
        public void onNext(T value) {
            AwaitedCode.run(currentContext(), () -> actual.onNext(value));
        }

        @Override
        public void onError(Throwable error) {
            AwaitedCode.run(currentContext(), () -> actual.onError(error));
        }

        @Override
        public void onComplete() {
            AwaitedCode.run(currentContext(), actual::onComplete);
        }
    }
}
