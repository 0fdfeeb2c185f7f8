package io.stowline.testkit.stress;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The steps as lines of text. */
final class StressTable {

    private static final int WIDTH = 60;

    private StressTable() {}

    static List<String> of(List<StressStep> steps) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "partitions  offered/s    GET/s    PUT/s  throttled/s  timeouts/s   held/s   late/s  errors   p50 ms  "
                        + " p99 ms");
        steps.forEach(step -> lines.add(line(step)));
        if (!steps.isEmpty()) {
            StressStep last = steps.get(steps.size() - 1);
            lines.add("operation             calls/s  entities/s   p50 ms   p95 ms   p99 ms  (of the last step)");
            last.operations().forEach(operation -> lines.add(line(operation)));
        }
        return List.copyOf(lines);
    }

    private static String line(StressStep step) {
        return String.format(
                Locale.ROOT,
                "%10d  %,9.0f  %,7.0f  %,7.0f  %,11.0f  %,10.0f  %,7.0f  %,7.0f  %,6d  %,7.1f  %,7.1f",
                step.partitions(),
                step.offered(),
                step.gets(),
                step.puts(),
                step.throttled(),
                step.timedOut(),
                step.heldBack(),
                step.late(),
                step.failures(),
                step.p50(),
                step.p99());
    }

    private static String line(StressStep.OperationRate operation) {
        return String.format(
                Locale.ROOT,
                "%-20s  %,7.0f  %,10.0f  %,7.1f  %,7.1f  %,7.1f",
                operation.name(),
                operation.calls(),
                operation.entities(),
                operation.p50(),
                operation.p95(),
                operation.p99());
    }

    static List<String> bars(List<StressStep> steps) {
        double highest = steps.stream()
                .mapToDouble(step -> Math.max(step.offered(), step.accepted()))
                .max()
                .orElse(1);
        List<String> lines = new ArrayList<>();
        lines.add("partitions  offered/s  # PUT, = GET, x refused, . not sent");
        steps.forEach(step -> lines.add(String.format(
                Locale.ROOT, "%10d  %,9.0f  %s", step.partitions(), step.offered(), bar(step, WIDTH / highest))));
        return List.copyOf(lines);
    }

    private static String bar(StressStep step, double scale) {
        StringBuilder bar = new StringBuilder();
        fill(bar, '#', step.puts() * scale);
        fill(bar, '=', step.accepted() * scale);
        fill(bar, 'x', Math.min(step.offered(), step.accepted() + step.throttled() + step.timedOut()) * scale);
        fill(bar, '.', step.isHeldBack() ? step.offered() * scale : 0);
        return bar.toString();
    }

    private static void fill(StringBuilder bar, char sign, double length) {
        while (bar.length() < Math.round(length)) {
            bar.append(sign);
        }
    }
}
