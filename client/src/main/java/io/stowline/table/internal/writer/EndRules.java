package io.stowline.table.internal.writer;

import io.stowline.error.AuthenticationException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.table.internal.write.BatchErrorAnalyzer;
import java.util.Set;

/** The meaning of an end for an operation with unlimited time: it is final, or the operation may be tried once more. */
final class EndRules {

    private static final Set<String> PASSING = Set.of("AccountBeingCreated", "Md5Mismatch", "Crc64Mismatch");

    private EndRules() {}

    /**
     * Returns whether another try could not change it: the service refuses the operation itself, or an error is the
     * library's own.
     */
    static boolean isFinal(Throwable error) {
        if (!(error instanceof StorageException failed)) {
            return true;
        }
        if (failed instanceof OutcomeUnknownException unknown && unknown.mayBecomeKnown()) {
            return false;
        }
        int status = failed.failure().status();
        boolean refused = status >= 400 && status < 500 && status != 408 && status != 429 && !ofGateway(failed);
        return (refused || status == 501 || status == 505)
                && !PASSING.contains(String.valueOf(failed.failure().errorCode()))
                && !pauses(failed);
    }

    /** A response that the service has not sent refuses no written operation, but for its size. */
    private static boolean ofGateway(StorageException failed) {
        FailureDetails known = failed.failure();
        return isUnread(failed) || (known.errorCode() == null && known.requestId() == null && known.status() != 413);
    }

    private static boolean isUnread(StorageException failed) {
        return failed instanceof ProtocolException || failed.getCause() instanceof ProtocolException;
    }

    /** Returns whether none of the writer's operations can pass it, until an operator removes the cause. */
    static boolean pauses(Throwable error) {
        return error instanceof StorageException failed
                && !isUnread(failed)
                && (failed instanceof AuthenticationException
                        || BatchErrorAnalyzer.dooms(
                                failed.failure().status(), failed.failure().errorCode()));
    }

    /** Returns whether fewer operations at a time may be done in the time that the service has. */
    static boolean timedOut(Throwable error) {
        return error instanceof StorageException failed
                && failed.failure().status() == 500
                && "OperationTimedOut".equals(failed.failure().errorCode());
    }
}
