package io.stowline.table.internal.writer;

import io.stowline.table.TableWriter;
import io.stowline.table.internal.write.MarkedWrite;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/** The counters of one writer's requests. Thread-safe. */
public final class WriteCounters {

    private final LongAdder operations = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder throttles = new LongAdder();
    private volatile @Nullable MarkedWrite<?, ?> sent;
    private volatile Context operation = Context.empty();

    /** Records the operation of a caller whose requests these are. */
    public void partOf(Context part) {
        operation = part;
    }

    /** Returns the context of that operation; empty for the requests of a writer. */
    Context operation() {
        return operation;
    }

    /** Records that operations begin to be sent by a write. */
    void begin(MarkedWrite<?, ?> write) {
        sent = write;
    }

    /** Returns the write that was begun last; {@code null} while nothing has gone out. */
    public @Nullable MarkedWrite<?, ?> sent() {
        return sent;
    }

    /** Counts operations with the attempts that carried them, and those of the attempts that the service throttled. */
    void carried(int some, int attempts, int throttled) {
        operations.add(some);
        requests.add(attempts);
        retries.add(Math.max(0, attempts - 1));
        throttles.add(throttled);
    }

    /** Returns the present numbers. */
    public TableWriter.Stats stats() {
        return new TableWriter.Stats(operations.sum(), requests.sum(), retries.sum(), throttles.sum());
    }
}
