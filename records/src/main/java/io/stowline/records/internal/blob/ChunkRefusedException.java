package io.stowline.records.internal.blob;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.FailureDetails;
import io.stowline.error.StorageException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A chunk that cannot get into its blob, whatever is tried. */
public final class ChunkRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ChunkRefusedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Returns whether the service itself, and no gateway, refuses a request for its size. */
    static boolean isTooLarge(Throwable error) {
        return error instanceof BadRequestException refusal
                && refusal.failure().status() == 413
                && refusal.failure().requestId() != null;
    }

    /** Returns it as the refusal of the service that it stands for, with its text. */
    public StorageException ofService(String blob) {
        Throwable cause = getCause();
        FailureDetails failure = cause instanceof StorageException refusal
                ? refusal.failure().saying("; " + getMessage())
                : new FailureDetails(
                        "write",
                        blob,
                        0,
                        null,
                        String.valueOf(getMessage()),
                        0,
                        0,
                        Duration.ZERO,
                        null,
                        "",
                        null,
                        "a retry cannot help");
        return cause instanceof BadRequestException
                ? new BadRequestException(failure, cause)
                : new ConflictException(failure, cause);
    }
}
