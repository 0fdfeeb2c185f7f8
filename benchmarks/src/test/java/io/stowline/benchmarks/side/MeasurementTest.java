package io.stowline.benchmarks.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Series;
import io.stowline.benchmarks.side.report.WarmUp;
import io.stowline.benchmarks.side.work.BestVariant;
import io.stowline.benchmarks.side.work.Latencies;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Repetition;
import io.stowline.benchmarks.side.work.Task;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class MeasurementTest {

    @Test
    void contendersTakeTurnsAndWarmUpsDoNotCount() throws Exception {
        List<String> order = new ArrayList<>();
        Measurement<Contender> measurement = new Measurement<>(
                new Pace(2, 1, 0.01),
                compiling(order, List.of(0)),
                tasks(named("s", order), named("p", order)),
                () -> order.add(","));

        assertThat(measurement.warmUp(warmUp -> {})).isEqualTo(new WarmUp(1, 0));
        Map<Contender, Series> series = measurement.rounds();
        assertThat(String.join("", order)).isEqualTo(",s,p,s,p,s,p");
        assertThat(series.get(Contender.STOWLINE).rounds()).hasSize(2);
        assertThat(series.get(Contender.PEER).rounds()).hasSize(2);
    }

    @Test
    void aFailureEndsIt() {
        Measurement<Contender> measurement = new Measurement<>(
                new Pace(1, 0, 0.01),
                CompilerLoad.ofThisProcess(),
                tasks(
                        nanos -> {
                            throw new IllegalStateException("refused");
                        },
                        nanos -> Task.Done.of(1)),
                () -> {});

        assertThatThrownBy(() -> measurement.warmUp(warmUp -> {})).hasMessage("refused");
        assertThatThrownBy(measurement::rounds).hasMessage("refused");
    }

    @Test
    void warmsUpUntilTheCompilerIsQuietForAWholeRound() throws Exception {
        List<WarmUp> progress = new ArrayList<>();
        WarmUp last = warmUp(2, progress, 900, 300, 10, 9, 0);

        assertThat(last).isEqualTo(new WarmUp(4, 0.009));
        assertThat(last.isQuiet()).isTrue();
        assertThat(last.compiler()).isEqualTo("the compiler was quiet: 0.9 %");
        assertThat(progress)
                .containsExactly(new WarmUp(1, 0.9), new WarmUp(2, 0.3), new WarmUp(3, 0.01), new WarmUp(4, 0.009));
    }

    @Test
    void warmsUpForTheRoundsOfItsPaceThoughTheCompilerIsQuietBefore() throws Exception {
        assertThat(warmUp(3, new ArrayList<>(), 0, 0, 0, 900)).isEqualTo(new WarmUp(3, 0));
        assertThat(warmUp(3, new ArrayList<>(), 0, 0, 40, 0)).isEqualTo(new WarmUp(4, 0));
    }

    @Test
    void looksAtTheCompilerWithoutWarmUpRounds() throws Exception {
        assertThat(warmUp(0, new ArrayList<>(), 500, 3)).isEqualTo(new WarmUp(2, 0.003));
    }

    @ParameterizedTest
    @CsvSource({"0,20", "1,20", "5,20", "6,24", "8,32"})
    void warmsUpNoLongerThanItsBound(int warmUps, int bound) throws Exception {
        int[] always = new int[100];
        Arrays.fill(always, 40);
        WarmUp last = warmUp(warmUps, new ArrayList<>(), always);

        assertThat(last).isEqualTo(new WarmUp(bound, 0.04));
        assertThat(last.isQuiet()).isFalse();
        assertThat(last.compiler()).isEqualTo("the compiler was still at work: 4.0 %");
    }

    @Test
    void theCompilerOfThisProcessHasACount() {
        CompilerLoad load = CompilerLoad.ofThisProcess();

        assertThat(load.share()).isNotNegative().isFinite();
    }

    /** The warm-up when the compiler works for so many milliseconds of each round, which takes a second. */
    private static WarmUp warmUp(int warmUps, List<WarmUp> progress, int... compiledMillis) throws Exception {
        List<String> order = new ArrayList<>();
        CompilerLoad compiler =
                compiling(order, Arrays.stream(compiledMillis).boxed().toList());
        Map<Contender, Task> tasks = tasks(named("s", order), nanos -> Task.Done.of(1));
        return new Measurement<>(new Pace(1, warmUps, 0.01), compiler, tasks, () -> {}).warmUp(progress::add);
    }

    /** Time passes with the rounds of the contender that is called s: a second for each. */
    private static CompilerLoad compiling(List<String> order, List<Integer> millis) {
        IntSupplier rounds = () -> (int) order.stream().filter("s"::equals).count();
        return new CompilerLoad(
                () -> millis.stream()
                        .limit(rounds.getAsInt())
                        .mapToInt(Integer::intValue)
                        .sum(),
                () -> rounds.getAsInt() * 1_000_000_000L);
    }

    @Test
    void theMeterSeesWhatOtherThreadsAllocate() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Meter meter = new Meter();
            byte[] kept = other.submit(() -> new byte[10_000_000]).get();

            Figures figures = meter.over(Task.Done.of(10));
            assertThat(figures.bytes()).isBetween(1_000_000.0, 1_500_000.0);
            assertThat(figures.perSecond()).isPositive();
            assertThat(kept).isNotEmpty();
        } finally {
            other.shutdown();
        }
    }

    @Test
    void theBetterOfTwoWaysIsKept() throws Exception {
        List<String> order = new ArrayList<>();
        Task slow = nanos -> {
            order.add("slow");
            return Task.Done.of(0);
        };
        BestVariant better = new BestVariant(slow, named("fast", order));
        for (int i = 0; i < BestVariant.TRIALS; i++) {
            assertThat(better.run(0).items()).isEqualTo(1_000_000);
        }
        order.clear();
        better.run(0);

        assertThat(order).containsExactly("fast");
    }

    @Test
    void aPumpKeepsSoManyInFlight() throws Exception {
        AtomicInteger begun = new AtomicInteger();
        List<Sinks.One<String>> waiting = new ArrayList<>();
        Pump pump = new Pump(3, 100, n -> {
            Sinks.One<String> sink = Sinks.one();
            waiting.add(sink);
            if (begun.incrementAndGet() == 3) {
                waiting.forEach(one -> one.tryEmitValue("done"));
            }
            return sink.asMono();
        });

        assertThat(pump.run(0).items()).isEqualTo(300);
        assertThat(begun).hasValue(3);
    }

    @Test
    void aPumpFailsWithItsRequest() {
        Publisher<Object> failed = Mono.error(new IllegalStateException("503"));

        assertThatThrownBy(() -> new Pump(2, 1, n -> failed).run(0)).hasMessageContaining("503");
    }

    @Test
    void latenciesHaveAMedian() {
        Latencies latencies = new Latencies();
        for (long micros : new long[] {9, 1, 5}) {
            latencies.add(1_000 * micros);
        }

        assertThat(latencies.done()).isEqualTo(Task.Done.of(3, 5));
    }

    @Test
    void aScanThatFindsNothingIsAnError() {
        assertThatThrownBy(() -> new Repetition(() -> 0L).run(0)).hasMessage("what is measured did nothing");
    }

    private static Task named(String name, List<String> order) {
        return nanos -> {
            order.add(name);
            return Task.Done.of(1_000_000);
        };
    }

    private static Map<Contender, Task> tasks(Task stowline, Task peer) {
        Map<Contender, Task> tasks = new EnumMap<>(Contender.class);
        tasks.put(Contender.STOWLINE, stowline);
        tasks.put(Contender.PEER, peer);
        return tasks;
    }
}
