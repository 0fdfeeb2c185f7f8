package io.stowline.examples.workqueue;

import io.stowline.examples.workqueue.TrackerView.Slot;
import io.stowline.examples.workqueue.TrackerView.State;
import io.stowline.examples.workqueue.TrackerView.WorkerRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A painter that draws the table of who handles which job. */
final class LiveTable {

    private static final int BAR = 20;
    private static final int SLOT = 7;
    private static final int MAX_SLOTS = 4;
    private static final int HANDLES = SLOT * MAX_SLOTS + 4;

    private LiveTable() {}

    /** Returns the table, for a terminal of 80 columns. */
    static List<String> lines(TrackerView view) {
        List<String> lines = new ArrayList<>();
        int ended = Math.min(view.jobs(), view.done() + view.poisoned());
        int full = view.jobs() == 0 ? BAR : (int) ((long) BAR * ended / view.jobs());
        lines.add(String.format(
                Locale.ROOT,
                "%6.1f s  [%s] %d of %d done, %d poison",
                view.seconds(),
                "#".repeat(full) + ".".repeat(BAR - full),
                view.done(),
                view.jobs(),
                view.poisoned()));
        lines.add(row("worker", "pid", "state", "handles", "done", "failed", "taken"));
        for (WorkerRow worker : view.workers()) {
            lines.add(row(
                    worker.number(),
                    worker.pid(),
                    worker.state().name().toLowerCase(Locale.ROOT),
                    handles(worker),
                    worker.done(),
                    worker.failed(),
                    worker.takenOver()));
        }
        lines.add("* delivered before   ? hidden by the lease of a killed worker");
        return lines;
    }

    private static String row(Object... cells) {
        return String.format(Locale.ROOT, "%6s %7s  %-8s  %-" + HANDLES + "s %5s %6s %5s", cells);
    }

    private static String handles(WorkerRow worker) {
        String shown = worker.slots().stream()
                .limit(MAX_SLOTS)
                .map(slot -> String.format(Locale.ROOT, "%-" + SLOT + "s", cell(slot, worker.state())))
                .collect(Collectors.joining());
        long more =
                worker.slots().stream().skip(MAX_SLOTS).filter(Objects::nonNull).count();
        return more == 0 ? shown : shown + "+" + more;
    }

    private static String cell(@Nullable Slot slot, State state) {
        if (slot == null) {
            return "-";
        }
        return slot.job() + (state == State.KILLED ? "?" : slot.delivery() > 1 ? "*" : "");
    }

    /** Returns the table in one line, for a log. */
    static String line(TrackerView view) {
        Stream<String> workers = view.workers().stream().map(worker -> {
            String jobs = worker.slots().stream()
                    .filter(Objects::nonNull)
                    .map(slot -> cell(slot, worker.state()))
                    .collect(Collectors.joining(" "));
            return "worker " + worker.number()
                    + (worker.state() == State.WORKING
                            ? ""
                            : " " + worker.state().name().toLowerCase(Locale.ROOT))
                    + ": " + (jobs.isEmpty() ? "-" : jobs);
        });
        return String.format(Locale.ROOT, "%6.1f s  %d of %d done; ", view.seconds(), view.done(), view.jobs())
                + workers.collect(Collectors.joining("; "));
    }
}
