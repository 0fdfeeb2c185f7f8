package io.stowline.examples.stress;

import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A listener that follows how many requests the client allows in flight. Thread-safe. */
final class PermitWatch implements StowlineListener {

    private final AtomicReference<@Nullable ServiceState> tables = new AtomicReference<>();
    private int min;
    private int max;
    private int limited;

    @Override
    public void onServiceOpened(ServiceState state) {
        if (state.service().equals("table")) {
            tables.set(state);
        }
    }

    /** Begins a new range. */
    synchronized void begin() {
        min = Integer.MAX_VALUE;
        max = 0;
        limited = 0;
        check();
    }

    /** Takes in what the client allows at this moment. */
    synchronized void check() {
        ServiceState state = tables.get();
        if (state != null) {
            min = Math.min(min, state.permitLimit());
            max = Math.max(max, state.permitLimit());
            limited = Math.max(limited, state.limitedPartitions());
        }
    }

    synchronized LoadSample.PermitRange range() {
        return new LoadSample.PermitRange(Math.min(min, max), max);
    }

    /** Returns how many partitions had a limit by themselves at most. */
    synchronized int limitedPartitions() {
        return limited;
    }
}
