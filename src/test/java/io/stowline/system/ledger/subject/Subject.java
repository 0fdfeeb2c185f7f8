package io.stowline.system.ledger.subject;

import io.stowline.system.ledger.script.Message;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client under test, connected through one worker's faults. */
public interface Subject extends AutoCloseable {

    /** Does one operation, and returns the result that its caller received; never throws for what the service or the network did. */
    ReportedResult perform(Op op);

    /** Does several writes to single entities as the client does best, and says what was reported of each. */
    List<CompletableFuture<ReportedResult>> performAll(List<Op> ops);

    /** Receives messages, none when the outcome is unknown. */
    List<Message> receive(int max);

    @Override
    void close();
}
