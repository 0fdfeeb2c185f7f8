package io.stowline.table.internal.writer;

import io.stowline.error.AuthenticationException;
import io.stowline.error.FailureDetails;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.error.internal.StatusMeaning;
import io.stowline.error.internal.StatusMeaning.Culprit;

/** The meaning of an end for an operation with unlimited time: it is final, or the operation may be tried once more. */
public final class EndRules {

    private EndRules() {}

    /**
     * Returns whether another try could not change it: the service refuses the operation itself, or an error is the
     * library's own.
     */
    public static boolean isFinal(Throwable error) {
        if (!(error instanceof StorageException failed)) {
            return true;
        }
        if (failed instanceof OutcomeUnknownException unknown && unknown.mayBecomeKnown()) {
            return false;
        }
        StatusMeaning meaning = meaning(failed);
        boolean refused = !meaning.passes(false) && !meaning.unresolved();
        return refused && (meaning.culprit() == Culprit.NONE || !ofGateway(failed)) && !pauses(failed);
    }

    private static StatusMeaning meaning(StorageException failed) {
        return StatusMeaning.of(failed.failure().status(), failed.failure().errorCode());
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
    public static boolean pauses(Throwable error) {
        return error instanceof StorageException failed
                && !isUnread(failed)
                && (failed instanceof AuthenticationException || meaning(failed).culprit() == Culprit.TABLE);
    }

    /** Returns whether fewer operations at a time may be done in the time that the service has. */
    static boolean timedOut(Throwable error) {
        return error instanceof StorageException failed && meaning(failed) == StatusMeaning.TIMED_OUT;
    }
}
