package io.stowline.transport.internal.concurrent;

import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.Exceptions;

/**
 * Code of the application inside a reactive chain. Reactor takes linkage errors and errors of the virtual machine for fatal: it throws them
 * out of the chain, whose subscriber then waits without an end. Here they become an unchecked exception that carries them.
 */
public final class UserCode {

    private UserCode() {}

    /** The result of the code; an error that Reactor would not signal is the cause of an {@link IllegalStateException}. */
    public static <T> T call(Supplier<T> code) {
        try {
            return code.get();
        } catch (RuntimeException | Error thrown) {
            throw signalled(thrown);
        }
    }

    /** Runs the code; what it throws is as in {@link #call}. */
    public static void run(Runnable code) {
        try {
            code.run();
        } catch (RuntimeException | Error thrown) {
            throw signalled(thrown);
        }
    }

    /** The same function, whose errors Reactor signals. */
    public static <T, R> Function<T, R> contained(Function<? super T, ? extends R> code) {
        return value -> call(() -> code.apply(value));
    }

    /** What Reactor signals for an error: the error itself, which is thrown here, or what carries it. */
    public static RuntimeException signalled(Throwable thrown) {
        if (Exceptions.isFatal(thrown)) {
            return new IllegalStateException("code of the application threw " + thrown, thrown);
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(thrown);
    }
}
