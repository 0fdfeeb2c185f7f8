package io.stowline.system.ledger.script;

import java.util.Locale;

/** The one clock of a seed's records, in nanoseconds; shown in milliseconds since it began. */
public final class Clock {

    private final long start = System.nanoTime();

    public long now() {
        return System.nanoTime() - start;
    }

    public static String shown(long nanos) {
        return nanos == Long.MAX_VALUE ? "never" : String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}
