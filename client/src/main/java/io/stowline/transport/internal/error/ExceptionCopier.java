package io.stowline.transport.internal.error;

import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ConflictException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.TransactionFailedException;
import io.stowline.error.UnreachableException;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A copier of storage exceptions: a copy has the type of the original and its own stack. Stateless. */
public final class ExceptionCopier {

    private static final Map<Class<?>, BiFunction<FailureDetails, @Nullable Throwable, StorageException>> SAME_AGAIN =
            Map.ofEntries(
                    Map.entry(AuthenticationException.class, AuthenticationException::new),
                    Map.entry(BadRequestException.class, BadRequestException::new),
                    Map.entry(CircuitOpenException.class, CircuitOpenException::new),
                    Map.entry(ConflictException.class, ConflictException::new),
                    Map.entry(DeadlineExceededException.class, DeadlineExceededException::new),
                    Map.entry(NotFoundException.class, NotFoundException::new),
                    Map.entry(PreconditionFailedException.class, PreconditionFailedException::new),
                    Map.entry(ProtocolException.class, ProtocolException::new),
                    Map.entry(ServerErrorException.class, ServerErrorException::new),
                    Map.entry(ThrottledException.class, ThrottledException::new),
                    Map.entry(UnreachableException.class, UnreachableException::new));

    private ExceptionCopier() {}

    /** Returns a storage exception with other facts; a refused transaction has none that could change. */
    public static StorageException with(StorageException failed, FailureDetails details) {
        if (failed instanceof OutcomeUnknownException unknown) {
            return new OutcomeUnknownException(
                    details, unknown.readBackDetail(), unknown.getCause(), unknown.mayBecomeKnown());
        }
        return Objects.requireNonNull(SAME_AGAIN.get(failed.getClass()), "not a plain failure")
                .apply(details, failed.getCause());
    }

    /** Returns a copy of the failure, made on the thread that waited for it. */
    public static StorageException again(StorageException failed) {
        StorageException again = copy(failed);
        if (again != failed) {
            for (Throwable beneath : failed.getSuppressed()) {
                again.addSuppressed(beneath);
            }
        }
        return again;
    }

    private static StorageException copy(StorageException failed) {
        if (failed instanceof OutcomeUnknownException unknown) {
            return with(unknown, unknown.failure());
        }
        if (failed instanceof TransactionFailedException refused && refused.getCause() instanceof StorageException of) {
            return new TransactionFailedException(refused.index(), refused.member(), of);
        }
        BiFunction<FailureDetails, @Nullable Throwable, StorageException> same = SAME_AGAIN.get(failed.getClass());
        return same == null || failed.failure() == null ? failed : same.apply(failed.failure(), failed.getCause());
    }
}
