package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Series;
import io.stowline.benchmarks.side.report.WarmUp;
import io.stowline.benchmarks.side.work.Task;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A measurement that lets the contenders take turns, so that what disturbs one disturbs the others too. */
final class Measurement {

    private final Pace pace;
    private final CompilerLoad compiler;
    private final Map<Contender, Task> tasks;
    private final Runnable collection;

    Measurement(Pace pace, CompilerLoad compiler, Map<Contender, Task> tasks) {
        this(pace, compiler, tasks, System::gc);
    }

    /** Makes a measurement with the collection of garbage that precedes each round. */
    Measurement(Pace pace, CompilerLoad compiler, Map<Contender, Task> tasks, Runnable collection) {
        this.pace = pace;
        this.compiler = compiler;
        this.tasks = tasks;
        this.collection = collection;
    }

    /**
     * Repeats rounds until the compiler is quiet for a whole one of all contenders: at least {@link Pace#warmUps}, and one; at most
     * {@link Pace#maxWarmUps}.
     *
     * @param progress is notified of each round
     * @return the last of them
     */
    WarmUp warmUp(Consumer<WarmUp> progress) throws Exception {
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
    Map<Contender, Series> rounds() throws Exception {
        Map<Contender, List<Figures>> figures = new EnumMap<>(Contender.class);
        for (int round = 0; round < pace.rounds(); round++) {
            for (Map.Entry<Contender, Task> task : tasks.entrySet()) {
                figures.computeIfAbsent(task.getKey(), key -> new ArrayList<>()).add(round(task.getValue()));
            }
        }
        Map<Contender, Series> series = new EnumMap<>(Contender.class);
        figures.forEach((contender, all) -> series.put(contender, new Series(all)));
        return series;
    }

    /** Collects the garbage of the previous round first. */
    private Figures round(Task task) throws Exception {
        collection.run();
        Meter meter = new Meter();
        return meter.over(task.run(pace.nanos()));
    }
}
