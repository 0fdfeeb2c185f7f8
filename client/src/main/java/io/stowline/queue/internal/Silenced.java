package io.stowline.queue.internal;

/**
 * Stands for an exception of a codec: its class and its stack trace, but not its text, because the texts of parsers quote what they
 * parse.
 */
final class Silenced extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private Silenced(String className, StackTraceElement[] trace) {
        super(className + " (its text is left out, because it may quote the body)");
        setStackTrace(trace);
    }

    static Silenced copyOf(Throwable original) {
        return new Silenced(original.getClass().getName(), original.getStackTrace());
    }
}
