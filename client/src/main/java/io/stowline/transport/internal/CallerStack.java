package io.stowline.transport.internal;

import io.stowline.error.StorageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import reactor.core.Exceptions;

/**
 * Gives the error of a blocking call the stack of its caller. An operation ends on an I/O or timer thread, whose frames say nothing of
 * the code that asked for it.
 */
final class CallerStack {

    private static final String HERE = CallerStack.class.getPackageName() + ".";
    private static final List<String> MACHINERY =
            List.of("reactor.", "io.netty.", "com.azure.core.", "java.util.concurrent.", "java.util.TimerThread");

    private CallerStack() {}

    /**
     * The error as the waiting thread throws it: a storage exception made again, since several callers may wait for one, and any other
     * one itself.
     */
    static RuntimeException of(Throwable error) {
        Throwable cause = Exceptions.unwrap(error);
        List<StackTraceElement> caller = caller();
        if (cause instanceof StorageException known) {
            StorageException again = Failures.again(known);
            again.setStackTrace(caller.toArray(StackTraceElement[]::new));
            return again;
        }
        RuntimeException unchecked = Exceptions.propagate(cause);
        List<StackTraceElement> made = Arrays.asList(unchecked.getStackTrace());
        boolean here = made.stream().anyMatch(frame -> frame.getClassName().equals(Await.class.getName()));
        List<StackTraceElement> shown = new ArrayList<>(made);
        shown.removeIf(CallerStack::machinery);
        if (!here) {
            shown.addAll(caller);
        }
        unchecked.setStackTrace(shown.toArray(StackTraceElement[]::new));
        return unchecked;
    }

    private static List<StackTraceElement> caller() {
        List<StackTraceElement> frames = new ArrayList<>(Arrays.asList(new Throwable().getStackTrace()));
        while (!frames.isEmpty() && frames.get(0).getClassName().startsWith(HERE)) {
            frames.remove(0);
        }
        return frames;
    }

    private static boolean machinery(StackTraceElement frame) {
        return MACHINERY.stream().anyMatch(frame.getClassName()::startsWith);
    }
}
