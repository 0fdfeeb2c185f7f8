package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Series;
import io.stowline.benchmarks.side.report.WarmUp;
import io.stowline.benchmarks.side.work.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A measurement that lets tasks take turns, so that what disturbs one disturbs the others too.
 *
 * @param <K> names the tasks: contenders, or sizes
 */
public final class Measurement<K> {

    private final Pace pace;
    private final CompilerLoad compiler;
    private final Map<K, Task> tasks;
    private final Runnable collection;

    /** Makes a measurement of tasks in this order. */
    public Measurement(Pace pace, CompilerLoad compiler, Map<K, Task> tasks) {
        this(pace, compiler, tasks, System::gc);
    }

    /** Makes a measurement with the collection of garbage that precedes each round. */
    Measurement(Pace pace, CompilerLoad compiler, Map<K, Task> tasks, Runnable collection) {
        this.pace = pace;
        this.compiler = compiler;
        this.tasks = tasks;
        this.collection = collection;
    }

    /**
     * Repeats rounds until the compiler is quiet for a whole one of all tasks: at least {@link Pace#warmUps}, and one; at most
     * {@link Pace#maxWarmUps}.
     *
     * @param progress is notified of each round
     * @return the last of them
     */
    public WarmUp warmUp(Consumer<WarmUp> progress) throws Exception {
        WarmUp soFar = new WarmUp(0, Double.NaN);
        while (soFar.rounds() < pace.warmUps() || (soFar.rounds() < pace.maxWarmUps() && !soFar.isQuiet())) {
            compiler.begin();
            for (Task task : tasks.values()) {
                round(task);
            }
            soFar = new WarmUp(soFar.rounds() + 1, compiler.share());
            progress.accept(soFar);
        }
        return soFar;
    }

    /** Returns the rounds that count. */
    public Map<K, Series> rounds() throws Exception {
        Map<K, List<Figures>> figures = new LinkedHashMap<>();
        for (int round = 0; round < pace.rounds(); round++) {
            for (Map.Entry<K, Task> task : tasks.entrySet()) {
                figures.computeIfAbsent(task.getKey(), key -> new ArrayList<>()).add(round(task.getValue()));
            }
        }
        Map<K, Series> series = new LinkedHashMap<>();
        figures.forEach((task, all) -> series.put(task, new Series(all)));
        return series;
    }

    /** Collects the garbage of the previous round first. */
    private Figures round(Task task) throws Exception {
        collection.run();
        Meter meter = new Meter();
        return meter.over(task.run(pace.nanos()));
    }
}
