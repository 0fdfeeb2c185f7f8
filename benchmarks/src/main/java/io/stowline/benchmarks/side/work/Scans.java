package io.stowline.benchmarks.side.work;

import java.util.function.LongSupplier;

/** Reads a table from its begin to its end, again and again. */
public final class Scans implements Task {

    private final LongSupplier scan;

    /** A scan tells how many entities it has looked at. */
    public Scans(LongSupplier scan) {
        this.scan = scan;
    }

    @Override
    public Done run(long nanos) {
        long end = System.nanoTime() + nanos;
        long seen = 0;
        do {
            long more = scan.getAsLong();
            if (more == 0) {
                throw new IllegalStateException("a scan found nothing");
            }
            seen += more;
        } while (System.nanoTime() < end);
        return Done.of(seen);
    }
}
