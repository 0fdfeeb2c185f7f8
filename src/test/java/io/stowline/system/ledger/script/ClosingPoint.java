package io.stowline.system.ledger.script;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The point at which the client of one step, or a consumer, ends: after so many of its requests, and some microseconds later. The seed decides. The client
 * is closed there, or its process is killed. Thread-safe.
 */
public final class ClosingPoint {

    /** One means that a client ends before its first request leaves it. */
    private static final int REQUESTS = 5;

    private static final long[] MICROS = {0, 200, 1_000, 3_000, 10_000, 30_000, 100_000, 350_000, 700_000};

    private final Map<String, Integer> ends = new ConcurrentHashMap<>();
    private int left;
    private long micros;
    private @Nullable Runnable end;
    private String name = "";

    /** Chooses the point of the next step, which has no client yet. */
    synchronized void choose(Random random) {
        left = random.nextInt(REQUESTS);
        micros = MICROS[random.nextInt(MICROS.length)];
        end = null;
    }

    /** Chooses the point of a consumer: at its first request or a later one, up to this many, and one of these times after it. */
    public synchronized void choose(Random random, int requests, List<Duration> pauses) {
        left = 1 + random.nextInt(requests);
        micros = TimeUnit.NANOSECONDS.toMicros(
                pauses.get(random.nextInt(pauses.size())).toNanos());
        end = null;
    }

    /** Sets the end of a client that begins its step; the report shows it under this name. */
    public synchronized void begin(String event, Runnable how) {
        name = event;
        end = how;
        endIfReached();
    }

    /** Cancels the end: the client has ended by itself. */
    public synchronized void over() {
        end = null;
    }

    /** Counts a request of the client. */
    public synchronized void request() {
        left = Math.max(0, left - 1);
        endIfReached();
    }

    /** Returns how many clients were ended, by the name of the event. */
    public Map<String, Integer> ends() {
        return Map.copyOf(ends);
    }

    private void endIfReached() {
        Runnable how = end;
        if (left > 0 || how == null) {
            return;
        }
        end = null;
        ends.merge(name, 1, Integer::sum);
        long pause = TimeUnit.MICROSECONDS.toNanos(micros);
        Thread ending = new Thread(
                () -> {
                    LockSupport.parkNanos(pause);
                    how.run();
                },
                "ledger-end");
        ending.setDaemon(true);
        ending.start();
    }
}
