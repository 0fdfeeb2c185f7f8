package io.stowline.examples.quickstart;

import io.stowline.Stowline;
import io.stowline.examples.quickstart.screen.Progress;
import io.stowline.examples.quickstart.screen.Screen;
import io.stowline.examples.shared.Report;
import io.stowline.examples.shared.ScratchTable;
import io.stowline.examples.shared.Ticker;
import io.stowline.table.ReactiveQuery;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;

/**
 * Writes an atlas into a table, reads samples of it, reads everything back, compares, and publishes what it came to.
 *
 * @param atlas the cities
 * @param out where to tell about it
 * @param screen where to show progress
 * @param nanoTime the clock
 */
record MainJob(Atlas atlas, PrintStream out, Screen screen, LongSupplier nanoTime) {

    private static final int MOST_PER_TRANSACTION = 100;
    private static final int QUERIES_AT_A_TIME = 4;

    // Longer than any pause of a slow machine: a run that is being handed over is not to be cut.
    private static final Duration LINGER = Duration.ofSeconds(30);

    /** Does it, and returns in what the table differs from the source: nothing when all is well. */
    List<String> run(Stowline storage) throws InterruptedException {
        try (ScratchTable<City> scratch = ScratchTable.create(storage, "quickstart", City.class)) {
            return run(scratch.table(), new Publication(storage, out));
        }
    }

    private List<String> run(Table<City> table, Publication publication) throws InterruptedException {
        long start = nanoTime.getAsLong();
        TableWriter.Stats sent = write(table);
        long written = nanoTime.getAsLong();
        List<String> differences = new ArrayList<>(new SampleReads(table, out, nanoTime).of(CitySample.of(atlas)));
        long sampled = nanoTime.getAsLong();
        CityTally stored = readBack(table);
        Duration reading = Duration.ofNanos(nanoTime.getAsLong() - sampled);

        RunFigures figures = new RunFigures(
                stored.total(),
                stored.countries(),
                sent,
                atlas.fewestRequests(MOST_PER_TRANSACTION),
                Duration.ofNanos(written - start),
                reading,
                stored.checksum());
        differences.addAll(figures.differences());
        differences.addAll(atlas.tally().differences(stored));
        tell(figures);
        differences.addAll(publication.publish(figures));
        return differences;
    }

    private TableWriter.Stats write(Table<City> table) throws InterruptedException {
        out.printf(
                Locale.ROOT,
                "Writing %,d entities in %,d partitions through the automatic writer%n",
                atlas.tally().total(),
                atlas.countries().size());
        try (TableWriter<City> writer = table.writer(settings -> settings.linger(LINGER))) {
            CityLoader loader = new CityLoader(new WriterSink(writer));
            Progress progress = progress(loader::written, () -> described(writer.stats()));
            Interleaving runs = new Interleaving(atlas.countries(), MOST_PER_TRANSACTION);
            Ticker.during(() -> loader.load(runs), screen.interval(), progress::show);
            progress.end();
            return writer.stats();
        }
    }

    private CityTally readBack(Table<City> table) throws InterruptedException {
        out.println("Reading everything back");
        CityTally stored = new CityTally();
        LongAdder read = new LongAdder();
        Progress progress = progress(read::sum, () -> "");
        Ticker.during(
                () -> cities(table)
                        .doOnNext(city -> {
                            stored.add(city);
                            read.increment();
                        })
                        .blockLast(),
                screen.interval(),
                progress::show);
        progress.end();
        return stored;
    }

    // A query by partition is the fast one, and several of them at a time are faster. Their results come one at a time.
    private Flux<City> cities(Table<City> table) {
        ReactiveQuery<City> all = table.reactive().query();
        return Flux.fromIterable(atlas.countries())
                .flatMap(country -> all.partition(country.code()).stream(), QUERIES_AT_A_TIME);
    }

    private Progress progress(LongSupplier done, Supplier<String> detail) {
        return new Progress(screen, nanoTime, atlas.tally().total(), done, detail);
    }

    private static String described(TableWriter.Stats sent) {
        double entities = sent.requests() == 0 ? 0 : (double) sent.operations() / sent.requests();
        return String.format(Locale.ROOT, "%,d EGTs of %.1f  %,d retries", sent.requests(), entities, sent.retries());
    }

    private void tell(RunFigures figures) {
        Runtime runtime = Runtime.getRuntime();
        Report report = figures.report()
                .row("heap taken, MiB", "%,d", runtime.totalMemory() >> 20)
                .row("  of at most", "%,d", runtime.maxMemory() >> 20);
        out.println();
        report.lines().forEach(out::println);
        out.println();
    }
}
