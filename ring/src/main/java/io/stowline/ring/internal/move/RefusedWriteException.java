package io.stowline.ring.internal.move;

import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import org.jspecify.annotations.Nullable;

/** Signals that the service refused a write for the operations of the application, and applied nothing. */
public final class RefusedWriteException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final RuntimeException refusal;

    /** Creates the exception around the refusal. */
    public RefusedWriteException(RuntimeException refusal) {
        super(refusal.getMessage(), refusal, false, false);
        this.refusal = refusal;
    }

    /** Returns whether the service refused an operation for what is there, so that its transaction applied nothing. */
    static boolean isRefusal(@Nullable Throwable cause) {
        return cause instanceof ConflictException
                || cause instanceof PreconditionFailedException
                || (cause instanceof NotFoundException missing && !missing.isContainerMissing());
    }

    /** Returns the refusal. */
    public RuntimeException refusal() {
        return refusal;
    }
}
