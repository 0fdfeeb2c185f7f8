package io.stowline.benchmarks.side.work;

import java.util.concurrent.Callable;

/** A task that does the same from its begin to its end, again and again: a scan of a table, a transfer. */
public final class Repetition implements Task {

    private final Callable<Long> once;

    /** Makes a task that repeats a call, which returns the number of its items. */
    public Repetition(Callable<Long> once) {
        this.once = once;
    }

    @Override
    public Done run(long nanos) throws Exception {
        long end = System.nanoTime() + nanos;
        long items = 0;
        do {
            long more = once.call();
            if (more == 0) {
                throw new IllegalStateException("what is measured did nothing");
            }
            items += more;
        } while (System.nanoTime() < end);
        return Done.of(items);
    }
}
