package io.stowline.table.internal.write;

import io.stowline.batching.internal.engine.EngineSubmission;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Submission;

/** Submission of an operation that the engine has accepted. */
public final class AcceptedWrite extends EngineSubmission<WriteResult> implements Submission<WriteResult> {

    /** Makes the submission of an operation that a writer takes. */
    public AcceptedWrite(Batcher<?, ?, WriteResult> batcher) {
        super(batcher);
    }

    /** Returns an item of the client's lanes as the submission that it is. */
    public static Submission<WriteResult> of(PendingItem<WriteResult> item) {
        return (AcceptedWrite) item;
    }
}
