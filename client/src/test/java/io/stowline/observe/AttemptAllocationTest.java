package io.stowline.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.request.OperationType;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The bytes that each request takes in memory, over a wire that responds at once. */
class AttemptAllocationTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 2_000;

    /** The attempt of a listener has more fields, and remembers its times and its response. */
    private static final long MORE_FIELDS = 64;

    /** Reads all that is no text. */
    private static final class Reading implements StowlineListener {

        private long sum;

        @Override
        public void onAttemptEnd(AttemptEvent event) {
            sum += event.container().length()
                    + event.entities()
                    + event.bytesSent()
                    + event.bytesReceived()
                    + event.number()
                    + event.status()
                    + event.permitNanos()
                    + event.connectNanos()
                    + event.elapsedNanos()
                    + event.returned()
                    + event.reason().ordinal()
                    + event.condition().ordinal()
                    + (event.write() ? 1 : 0)
                    + (event.continued() ? 1 : 0);
        }
    }

    private static long bytesPerRequest(@Nullable StowlineListener listener) {
        Bench bench = new Bench(timer -> Bench.limits(4, timer), listener);
        bench.wire().otherwise(200, "done");
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int j = 0; j < ROUNDS; j++) {
                bench.start(OperationType.WRITE);
                bench.wire().sent().clear();
            }
            least = Math.min(least, (THREADS.getCurrentThreadAllocatedBytes() - before) / ROUNDS);
        }
        return least;
    }

    @Test
    @DisplayName("a listener that reads an attempt costs no object for it, and none costs nothing")
    void theEventIsTheAttempt() {
        Reading reading = new Reading();
        long without = bytesPerRequest(null);
        long with = bytesPerRequest(reading);

        assertThat(reading.sum).isPositive();
        assertThat(with - without).isBetween(0L, MORE_FIELDS);
    }
}
