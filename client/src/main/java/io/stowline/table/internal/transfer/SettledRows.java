package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.internal.transfer.RowWriter.GroupResult;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * The rows of one part whose results are certain, without a gap, with the file of those that were rejected. For one thread.
 */
final class SettledRows implements AutoCloseable {

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(250);

    private final TransferState state;
    private final int part;
    private final Scheduler timer;
    private final PartFile rejected;
    private final PartTally tally;
    private CoveredRows covered;
    private long saved;

    private SettledRows(TransferState state, int part, Scheduler timer, PartFile rejected, Entity before) {
        this.state = state;
        this.part = part;
        this.timer = timer;
        this.rejected = rejected;
        this.tally = new PartTally().add(before);
        this.covered = CoveredRows.of(before);
        this.saved = timer.now(TimeUnit.NANOSECONDS);
    }

    /** Opens a part where its state left it. */
    static SettledRows open(TransferState state, int part, Scheduler timer) throws IOException {
        Entity before = state.parts().get(part);
        return new SettledRows(
                state,
                part,
                timer,
                PartFile.open(state.file(part, "rejected"), PartTally.number(before, "RejectedBytes")),
                before);
    }

    /** Returns the rows of the source that are certain. */
    CoveredRows covered() {
        return covered;
    }

    /** Takes a result, and saves the state a few times a second. */
    void take(GroupResult result) throws IOException {
        add(result);
        long now = timer.now(TimeUnit.NANOSECONDS);
        if (now - saved >= PAUSE) {
            state.put(part, flush());
            saved = now;
        }
    }

    /** Takes a result whose position is saved with others. */
    void add(GroupResult result) throws IOException {
        covered = covered.with(result.covered());
        tally.add(result.tally());
        for (byte[] line : result.rejected()) {
            rejected.write(line);
        }
    }

    /** Makes the rejected rows durable, and returns the state of the part. */
    Map<String, Object> flush() throws IOException {
        rejected.force();
        Map<String, Object> properties = new TreeMap<>(tally.state());
        covered.put(properties);
        properties.put("RejectedBytes", rejected.length());
        return properties;
    }

    /** Saves the state of an import that ends, also of one that fails: what was taken is certain. */
    void save() throws IOException {
        state.put(part, flush());
    }

    @Override
    public void close() throws IOException {
        rejected.close();
    }
}
