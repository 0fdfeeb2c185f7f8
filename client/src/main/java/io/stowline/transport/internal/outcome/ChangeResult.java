package io.stowline.transport.internal.outcome;

import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;

/** The result of a deletion or of a change of metadata. */
public record ChangeResult(String etag, WriteOutcome outcome, Evidence evidence, boolean mayHaveRepeated)
        implements WriteResult {

    /** Returns the result of a write that the service confirmed. */
    public static WriteResult confirmed(String etag, boolean mayHaveRepeated) {
        return new ChangeResult(etag, WriteOutcome.CONFIRMED, Evidence.RESPONSE, mayHaveRepeated);
    }

    /** Returns the result of a write that a read-back has confirmed. */
    public static WriteResult recovered(Evidence evidence, boolean mayHaveRepeated) {
        return new ChangeResult("", WriteOutcome.RECOVERED, evidence, mayHaveRepeated);
    }

    /** Returns the result of a deletion after which a read-back found nothing. */
    public static WriteResult absent(boolean mayHaveRepeated) {
        return new ChangeResult("", WriteOutcome.ABSENT, Evidence.CONTENT, mayHaveRepeated);
    }
}
