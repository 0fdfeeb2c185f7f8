package io.stowline.benchmarks.side;

import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Series;
import io.stowline.benchmarks.side.work.Task;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lets the contenders take turns, so that what disturbs one disturbs the others too. */
final class Measurement {

    private final Pace pace;

    Measurement(Pace pace) {
        this.pace = pace;
    }

    Map<Contender, Series> of(Map<Contender, Task> tasks) throws Exception {
        Map<Contender, List<Figures>> figures = new LinkedHashMap<>();
        for (int round = -pace.warmUps(); round < pace.rounds(); round++) {
            for (Map.Entry<Contender, Task> task : tasks.entrySet()) {
                Figures one = round(task.getValue());
                if (round >= 0) {
                    figures.computeIfAbsent(task.getKey(), key -> new ArrayList<>())
                            .add(one);
                }
            }
        }
        Map<Contender, Series> series = new EnumMap<>(Contender.class);
        figures.forEach((contender, all) -> series.put(contender, new Series(all)));
        return series;
    }

    /** Begins without the garbage of the one before. */
    private Figures round(Task task) throws Exception {
        System.gc();
        Meter meter = new Meter();
        return meter.over(task.run(pace.nanos()));
    }
}
