package io.stowline.examples.probe;

import com.sun.management.OperatingSystemMXBean;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.StowlineListener;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.AttemptEnd.ThrottleScope;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import reactor.util.context.ContextView;

/** A listener that counts the attempts of a client by their ends, and reads the counters of the process. Thread-safe. */
final class ClientMeter implements StowlineListener {

    /** Ends of attempts that the client itself did not admit. */
    private static final Set<String> NOT_SENT =
            Set.of("GateTimeoutException", "RateTimeoutException", "BreakerOpenException");

    private final OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private final LongAdder attempts = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder throttled = new LongAdder();
    private final LongAdder broken = new LongAdder();

    @Override
    public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
        return new OperationListener() {
            @Override
            public void onRequestEnd(RequestEnd request) {
                request.attempts().forEach(ClientMeter.this::count);
            }
        };
    }

    private void count(AttemptEnd attempt) {
        attempts.increment();
        if (attempt.number() > 1) {
            retries.increment();
        }
        if (attempt.throttling() != ThrottleScope.NONE) {
            throttled.increment();
        } else if (isBroken(attempt.reason())) {
            broken.increment();
        }
    }

    /** An error ends with the simple name of its class, a response with its status. */
    private static boolean isBroken(String reason) {
        return (reason.endsWith("Exception") || reason.endsWith("Error")) && !NOT_SENT.contains(reason);
    }

    // The cycles of ZGC and Shenandoah run beside the threads of the program; their pauses have separate beans.
    static boolean stopsThreads(String collector) {
        return !collector.endsWith("Cycles");
    }

    /** Reads all counters. */
    ClientReading read() {
        long collections = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(bean -> stopsThreads(bean.getName()))
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .filter(time -> time > 0)
                .sum();
        return new ClientReading(
                system.getProcessCpuTime(),
                collections,
                system.getCpuLoad(),
                attempts.sum(),
                retries.sum(),
                throttled.sum(),
                broken.sum());
    }
}
