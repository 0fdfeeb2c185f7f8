package io.stowline.queue.internal;

import org.jspecify.annotations.Nullable;

/** Failure of a codec of the library that cannot write or read a body. Its message may be shown: it does not quote the body. */
public final class BodyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    public BodyException(String message, @Nullable Throwable cause) {
        super(message, cause == null ? null : RedactedCodecException.copyOf(cause));
    }

    /**
     * A stand-in for an exception of a codec: its class and its stack trace, but not its text, because the texts of parsers quote what they
     * parse.
     */
    public static final class RedactedCodecException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private RedactedCodecException(String className, StackTraceElement[] trace) {
            super(className + " (its text is left out, because it may quote the body)");
            setStackTrace(trace);
        }

        public static RedactedCodecException copyOf(Throwable original) {
            return new RedactedCodecException(original.getClass().getName(), original.getStackTrace());
        }
    }
}
