package io.stowline.transport.internal.concurrent;

import io.stowline.transport.internal.http.RelaySubscriber;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;

/**
 * Code of the application inside a reactive chain. Reactor takes linkage errors and errors of the virtual machine for fatal: it throws them
 * out of the chain, whose subscriber then waits without an end. Here they become an unchecked exception that carries them.
 */
public final class UserCode {

    private static final Logger LOG = LoggerFactory.getLogger(UserCode.class);
    private static final int MAX_CAUSES = 100;

    private UserCode() {}

    /**
     * Returns the result of the code; an error that Reactor would not signal becomes the cause of an {@link
     * IllegalStateException}.
     */
    public static <T> T call(Supplier<T> code) {
        try {
            return code.get();
        } catch (Throwable thrown) {
            throw signalled(thrown);
        }
    }

    /** Runs the code; what it throws is as in {@link #call}. */
    public static void run(Runnable code) {
        try {
            code.run();
        } catch (Throwable thrown) {
            throw signalled(thrown);
        }
    }

    /** Returns the function, whose errors Reactor signals. */
    public static <T, R> Function<T, R> contained(Function<? super T, ? extends R> code) {
        return value -> call(() -> code.apply(value));
    }

    /** Returns a publisher of the application within an operation. */
    public static <T> Flux<T> published(Publisher<T> source) {
        Flux<T> flux = call(() -> Flux.from(source));
        // Hidden, since the guard hands over no queue of a fused source.
        Flux<T> guarded = signalling(flux)
                .hide()
                .transform(Operators.<T, T>lift((chain, actual) -> new PublisherGuard<>(actual)));
        return new FluxOperator<>(guarded) {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                AwaitedCode.run(actual.currentContext(), () -> guarded.subscribe(actual));
            }
        };
    }

    /**
     * Returns a chain of the application whose steps such as {@code map} and {@code filter} fail by a signal on any
     * thread. Reactor consults the context of the chain before it throws a fatal error; the exception that carries the
     * error becomes the signal, and no step is continued.
     */
    public static <T> Flux<T> signalling(Flux<T> chain) {
        return chain.onErrorContinue(Exceptions::isJvmFatal, (fatal, value) -> {
            throw signalled(fatal);
        });
    }

    /**
     * Returns the exception that Reactor signals for an error: its carrier if it is fatal. Any other error is thrown
     * here.
     */
    public static RuntimeException signalled(Throwable thrown) {
        if (Exceptions.isFatal(thrown)) {
            return carrier(thrown, "code of the application threw ");
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }

    /** Returns the error that a subscriber gets: the carrier of one that Reactor takes for fatal, or else the error itself. */
    public static Throwable signal(Throwable thrown) {
        return Exceptions.isFatal(thrown) ? signalled(thrown) : thrown;
    }

    /** Returns the exception that carries an error that Reactor throws in place of a signal. */
    static RuntimeException carrier(Throwable thrown, String where) {
        return new IllegalStateException(where + text(thrown), thrown);
    }

    /** Returns the class and the text of an error, or its class alone if the error's own code fails. */
    public static String text(Throwable error) {
        try {
            return String.valueOf(error.toString());
        } catch (Throwable broken) {
            return error.getClass().getName();
        }
    }

    /** Returns the error for a log: itself, or a stand-in if a log that prints it would fail. */
    public static @Nullable Throwable printable(@Nullable Throwable error) {
        if (error == null) {
            return null;
        }
        try {
            error.printStackTrace(new PrintWriter(Writer.nullWriter()));
            Throwable one = error;
            for (int depth = 0; one != null && depth < MAX_CAUSES; depth++) {
                String unused = one.getMessage();
                one = one.getCause();
            }
            return error;
        } catch (Throwable broken) {
            return new IllegalStateException(error.getClass().getName() + ", which cannot be printed");
        }
    }

    /** A relay that hands on everything, and contains a {@code cancel()}. */
    private static final class PublisherGuard<T> extends RelaySubscriber<T, T> {

        PublisherGuard(CoreSubscriber<? super T> actual) {
            super(actual);
        }

        @Override
        public void onNext(T value) {
            actual.onNext(value);
        }

        @Override
        public void request(long n) {
            AwaitedCode.run(currentContext(), () -> super.request(n));
        }

        @Override
        public void cancel() {
            try {
                AwaitedCode.run(currentContext(), super::cancel);
            } catch (Throwable thrown) {
                LOG.warn("cancelling a publisher of the application threw", printable(thrown));
            }
        }
    }
}
