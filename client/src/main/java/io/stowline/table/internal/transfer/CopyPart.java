package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.internal.format.EntityLines;
import io.stowline.table.internal.format.FileEntity;
import io.stowline.table.internal.format.FileRow;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** The writes of one part of a copy. For one thread. */
final class CopyPart implements PartSink {

    private static final int GROUPS = 4;

    /** A kill repeats the rows of this time; a position waits for the transactions in flight and one small file. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    private final SettledRows settled;
    private final Scheduler timer;
    private final GroupQueue queue;
    private final EntityLines lines = new EntityLines();
    private long flushed;

    CopyPart(SettledRows settled, RowWriter writer, TransferThreads threads, Scheduler timer) {
        this.settled = settled;
        this.timer = timer;
        this.flushed = timer.now(TimeUnit.NANOSECONDS);
        this.queue = new GroupQueue(writer, threads, GROUPS, settled::add);
    }

    @Override
    public void row(Entity entity) throws IOException {
        byte[] line = lines.line(entity);
        queue.add(FileEntity.decoded(new FileRow(0, line), entity, line));
    }

    @Override
    public boolean isDue() {
        return timer.now(TimeUnit.NANOSECONDS) - flushed >= PAUSE;
    }

    @Override
    public Map<String, Object> flush() throws IOException {
        queue.flush();
        flushed = timer.now(TimeUnit.NANOSECONDS);
        return settled.flush();
    }

    @Override
    public void close() throws IOException {
        settled.close();
    }
}
