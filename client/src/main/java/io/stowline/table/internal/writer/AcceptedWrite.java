package io.stowline.table.internal.writer;

import io.stowline.batching.internal.engine.EngineSubmission;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.outcome.WriteResult;
import io.stowline.table.Submission;

/** Submission of an operation that the engine has accepted. */
public final class AcceptedWrite extends EngineSubmission<WriteResult> implements Submission<WriteResult> {

    AcceptedWrite(Batcher<?, ?, WriteResult> batcher, boolean taken) {
        super(batcher, taken);
    }

    /** Returns an item of the client's lanes as the submission that it is. */
    public static Submission<WriteResult> of(PendingItem<WriteResult> item) {
        return (AcceptedWrite) item;
    }
}
