package io.stowline.queue.internal;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.transport.internal.outcome.UnresolvedAttempts;
import io.stowline.transport.internal.pipeline.ErrorMapper;
import java.time.Duration;
import java.util.Set;

/** The meaning of a stale pop receipt: whatever the status, the message is gone or another client has it now. */
final class StaleReceipt {

    private static final Set<String> CODES = Set.of("MessageNotFound", "PopReceiptMismatch");

    private static final String REMOVED_OR_TAKEN =
            "the receipt is no longer valid: this call may have removed the message, or another client has received"
                    + " or updated it since";
    private static final String HIDDEN = "a hidden message cannot be read back";
    private static final String REMEMBERED = "; if it is received here again, it is removed and not handed out";

    private static final String STILL_THERE = "the message may still be there";

    private StaleReceipt() {}

    static boolean isMeantBy(StorageException e) {
        return CODES.contains(String.valueOf(e.failure().errorCode()));
    }

    /** Turns a failure of this kind into one of a condition; returns any other one unchanged. */
    static StorageException meaning(StorageException e) {
        return isMeantBy(e) && !(e instanceof OutcomeUnknownException)
                ? new PreconditionFailedException(e.failure(), null)
                : e;
    }

    /** Turns the failure of a deletion of this kind into one of a condition; the message is remembered. */
    static StorageException deletion(StorageException e) {
        return isMeantBy(e) && !(e instanceof OutcomeUnknownException)
                ? new PreconditionFailedException(e.failure().saying(REMEMBERED), null)
                : e;
    }

    /**
     * Returns the unknown outcome of an update, which may have given the message a receipt that the client does not
     * know.
     */
    static OutcomeUnknownException receipt(OutcomeUnknownException end, UnresolvedAttempts unresolved, Duration lease) {
        Duration max = isMeantBy(end) ? lease : unresolved.timeUntilSettled().plus(lease);
        return ErrorMapper.stillUnknown(
                plain(end),
                "the service may have executed the update; then its receipt is lost for good and the message stays"
                        + " hidden for "
                        + max.toMillis()
                        + " ms from now at the most; or another client has received or removed it");
    }

    /** Returns the unknown outcome of a deletion. */
    static OutcomeUnknownException message(OutcomeUnknownException end) {
        return ErrorMapper.stillUnknown(plain(end), (isMeantBy(end) ? REMOVED_OR_TAKEN : HIDDEN) + REMEMBERED);
    }

    /** Returns the unknown outcome of a deletion by the sender, which is not remembered. */
    static OutcomeUnknownException sent(OutcomeUnknownException end) {
        return ErrorMapper.stillUnknown(plain(end), isMeantBy(end) ? REMOVED_OR_TAKEN : STILL_THERE);
    }

    private static OutcomeUnknownException plain(OutcomeUnknownException end) {
        return end.getCause() instanceof StorageException last
                ? new OutcomeUnknownException(end.failure(), end.readBackDetail(), meaning(last), end.mayBecomeKnown())
                : end;
    }
}
