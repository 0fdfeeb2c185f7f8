package io.stowline.table.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import reactor.core.scheduler.Scheduler;

/** The events, line by line, as a hash and with the last lines; and the faults that were found. */
final class Trace {

    private static final int KEPT = 60;
    private static final int MAX_VIOLATIONS = 20;

    private final Scheduler time;
    private final Deque<String> last = new ArrayDeque<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final List<String> violations = new ArrayList<>();
    private final boolean printed = Boolean.getBoolean("simulation.trace");
    private long hash = 7;
    private long lines;

    Trace(Scheduler time) {
        this.time = time;
    }

    void note(String text) {
        String line = time(time.now(TimeUnit.NANOSECONDS)) + " " + text;
        hash = 31 * hash + line.hashCode();
        lines++;
        last.add(line);
        if (last.size() > KEPT) {
            last.remove();
        }
        if (printed) {
            System.out.println(line);
        }
    }

    void expect(boolean holds, String violation) {
        if (!holds) {
            violate(violation);
        }
    }

    void expect(boolean holds, Supplier<String> violation) {
        if (!holds) {
            violate(violation.get());
        }
    }

    void violate(String violation) {
        note("VIOLATION " + violation);
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(violation);
        }
    }

    /** A name for a request's id, which is drawn again in every run. */
    String name(String requestId) {
        return names.computeIfAbsent(requestId, id -> "R" + (names.size() + 1));
    }

    List<String> violations() {
        return violations;
    }

    String hash() {
        return lines + " lines, " + Long.toHexString(hash);
    }

    String tail() {
        return String.join("\n", last);
    }

    static String time(long nanos) {
        return nanos / 1_000_000_000 + "."
                + Long.toString(nanos / 1_000 % 1_000_000 + 1_000_000).substring(1);
    }
}
