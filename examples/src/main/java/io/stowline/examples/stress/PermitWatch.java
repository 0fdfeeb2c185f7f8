package io.stowline.examples.stress;

import io.stowline.observe.ServiceState;
import io.stowline.observe.StowlineListener;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A listener that follows how many requests the client allows in flight. Thread-safe. */
final class PermitWatch implements StowlineListener {

    private final AtomicReference<@Nullable ServiceState> tables = new AtomicReference<>();
    private int min = Integer.MAX_VALUE;
    private int max;
    private int limited;

    @Override
    public void onServiceOpened(ServiceState state) {
        if (state.service().equals("table")) {
            tables.set(state);
        }
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

    /** Returns the limits since the beginning, as a sentence. */
    synchronized String conduct() {
        return String.format(
                Locale.ROOT,
                "The client's adaptive parallelism allowed %d to %d requests in flight, and limited up to %d throttled"
                        + " partitions by themselves.",
                Math.min(min, max),
                max,
                limited);
    }
}
