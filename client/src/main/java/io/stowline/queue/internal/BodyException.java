package io.stowline.queue.internal;

import org.jspecify.annotations.Nullable;

/** A codec of ours cannot write or read a body. Its message may be shown: it does not quote the body. */
final class BodyException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    BodyException(String message, @Nullable Throwable cause) {
        super(message, cause == null ? null : Silenced.copyOf(cause));
    }
}
