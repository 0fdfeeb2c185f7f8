package io.stowline.spring.boot.web;

import static io.stowline.spring.boot.web.ProblemType.CONFLICT;
import static io.stowline.spring.boot.web.ProblemType.INTERNAL;
import static io.stowline.spring.boot.web.ProblemType.INVALID_INPUT;
import static io.stowline.spring.boot.web.ProblemType.NOT_FOUND;
import static io.stowline.spring.boot.web.ProblemType.OUTCOME_UNKNOWN;
import static io.stowline.spring.boot.web.ProblemType.STORAGE_UNAVAILABLE;
import static io.stowline.spring.boot.web.ProblemType.TOO_BUSY;
import static io.stowline.spring.boot.web.ProblemType.VERSION_CHANGED;

import io.stowline.blob.TransferFailedException;
import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.CircuitOpenException;
import io.stowline.error.ClosedException;
import io.stowline.error.ConflictException;
import io.stowline.error.DeadlineExceededException;
import io.stowline.error.FailureDetails;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.ThrottledException;
import io.stowline.error.TransactionFailedException;
import io.stowline.error.UnreachableException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.InvalidValueException;
import io.stowline.projection.PropertyConversionException;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.UndecodableMessageException;
import io.stowline.table.BufferFullException;
import io.stowline.table.DeliveryTimeoutException;
import io.stowline.table.GaveUpException;
import io.stowline.table.InvalidPageTokenException;
import io.stowline.table.LeftoverException;
import io.stowline.table.PredecessorFailedException;
import io.stowline.table.PredecessorUnknownException;
import io.stowline.table.UncollectedFailuresException;
import io.stowline.table.UnreadableEntityException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The table of problem types by exceptions: a row for each exception of the client, but for bases whose subclasses all have rows. */
final class FailureTypes {

    /** Rings, journals and records are modules that an application may lack. */
    private static final String MOVING = "io.stowline.ring.PartitionMovingException";

    private static final String JOURNAL = "io.stowline.journal.JournalException";

    private static final String FAILED_RECORDS = "io.stowline.records.FailedRecordsException";

    private static final String RECORD_READ = "io.stowline.records.RecordReadException";

    private static final Map<String, Function<Throwable, ProblemType>> ROWS = new HashMap<>();

    static {
        row(NotFoundException.class, e -> e.isContainerMissing() ? INTERNAL : NOT_FOUND);
        row(ConflictException.class, e -> e.isBeingDeleted() ? STORAGE_UNAVAILABLE : CONFLICT);
        row(PreconditionFailedException.class, e -> VERSION_CHANGED);
        row(ThrottledException.class, e -> TOO_BUSY);
        row(ServerErrorException.class, e -> STORAGE_UNAVAILABLE);
        row(UnreachableException.class, e -> STORAGE_UNAVAILABLE);
        row(DeadlineExceededException.class, e -> STORAGE_UNAVAILABLE);
        row(CircuitOpenException.class, e -> STORAGE_UNAVAILABLE);
        row(OutcomeUnknownException.class, e -> OUTCOME_UNKNOWN);
        row(TransactionFailedException.class, e -> cause(e));
        row(AuthenticationException.class, e -> INTERNAL);
        row(BadRequestException.class, e -> INTERNAL);
        row(ProtocolException.class, e -> INTERNAL);

        row(WaitInterruptedException.class, e -> STORAGE_UNAVAILABLE);
        row(StorageInterruptedException.class, e -> wasSent(e) ? OUTCOME_UNKNOWN : STORAGE_UNAVAILABLE);
        row(ClosedException.class, e -> STORAGE_UNAVAILABLE);
        row(MessageLease.LeaseLostException.class, e -> STORAGE_UNAVAILABLE);
        row(io.stowline.blob.LeaseLostException.class, e -> STORAGE_UNAVAILABLE);

        row(BufferFullException.class, e -> TOO_BUSY);
        row(DeliveryTimeoutException.class, e -> STORAGE_UNAVAILABLE);
        row(GaveUpException.class, e -> STORAGE_UNAVAILABLE);
        row(LeftoverException.class, e -> e.sent() ? OUTCOME_UNKNOWN : STORAGE_UNAVAILABLE);
        row(PredecessorFailedException.class, e -> notSent(cause(e)));
        row(PredecessorUnknownException.class, e -> STORAGE_UNAVAILABLE);
        row(UncollectedFailuresException.class, e -> INTERNAL);

        row(InvalidKeyException.class, e -> INVALID_INPUT);
        row(InvalidValueException.class, e -> INVALID_INPUT);
        row(InvalidPageTokenException.class, e -> INVALID_INPUT);
        row(UnreadableEntityException.class, e -> INTERNAL);
        row(PropertyConversionException.class, e -> INTERNAL);
        row(UnmappableTypeException.class, e -> INTERNAL);
        row(UndecodableMessageException.class, e -> INTERNAL);
        row(TransferFailedException.class, e -> INTERNAL);

        row(ProblemException.class, ProblemException::type);
        ROWS.put(MOVING, e -> STORAGE_UNAVAILABLE);
        ROWS.put(JOURNAL, e -> INTERNAL);
        ROWS.put(FAILED_RECORDS, e -> INTERNAL);
        ROWS.put(RECORD_READ, e -> INTERNAL);
    }

    private FailureTypes() {}

    private static <E extends RuntimeException> void row(Class<E> exception, Function<E, ProblemType> type) {
        ROWS.put(exception.getName(), e -> type.apply(exception.cast(e)));
    }

    /** Returns the names of the exceptions that have a row. */
    static Set<String> exceptions() {
        return ROWS.keySet();
    }

    /** Returns the first failure of a chain of causes that has a row. */
    static Optional<Throwable> known(Throwable failure) {
        for (Throwable next = failure; next != null; next = next.getCause()) {
            if (ROWS.containsKey(next.getClass().getName())) {
                return Optional.of(next);
            }
        }
        return Optional.empty();
    }

    static ProblemType of(Throwable failure) {
        Throwable known = known(failure).orElse(failure);
        return ROWS.getOrDefault(known.getClass().getName(), e -> INTERNAL).apply(known);
    }

    /** Returns the facts of the request that a failure ended. */
    static @Nullable FailureDetails details(Throwable failure) {
        if (failure instanceof StorageInterruptedException interrupted) {
            return interrupted.failure().orElse(null);
        }
        return failure instanceof StorageException storage ? storage.failure() : null;
    }

    private static ProblemType cause(Throwable failure) {
        return failure.getCause() == null ? INTERNAL : of(failure.getCause());
    }

    /** The operation itself was not sent, so that only an earlier one has the unknown outcome. */
    private static ProblemType notSent(ProblemType earlier) {
        return earlier == OUTCOME_UNKNOWN ? STORAGE_UNAVAILABLE : earlier;
    }

    /** Without facts of a request, it may have been sent. */
    private static boolean wasSent(StorageInterruptedException interrupted) {
        return interrupted
                .failure()
                .map(details -> details.unansweredAttempts() > 0)
                .orElse(true);
    }
}
