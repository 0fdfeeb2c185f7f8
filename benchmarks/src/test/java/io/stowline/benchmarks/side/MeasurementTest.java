package io.stowline.benchmarks.side;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.benchmarks.side.report.Contender;
import io.stowline.benchmarks.side.report.Figures;
import io.stowline.benchmarks.side.report.Series;
import io.stowline.benchmarks.side.work.BestVariant;
import io.stowline.benchmarks.side.work.Latencies;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Scans;
import io.stowline.benchmarks.side.work.Task;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class MeasurementTest {

    @Test
    void contendersTakeTurnsAndWarmUpsDoNotCount() throws Exception {
        List<String> order = new ArrayList<>();
        Map<Contender, Series> series =
                new Measurement(new Pace(2, 1, 0.01)).of(tasks(named("s", order), named("p", order)));

        assertThat(String.join("", order)).isEqualTo("spspsp");
        assertThat(series.get(Contender.STOWLINE).rounds()).hasSize(2);
        assertThat(series.get(Contender.PEER).rounds()).hasSize(2);
    }

    @Test
    void aFailureEndsIt() {
        assertThatThrownBy(() -> new Measurement(new Pace(1, 0, 0.01))
                        .of(tasks(
                                nanos -> {
                                    throw new IllegalStateException("refused");
                                },
                                nanos -> Task.Done.of(1))))
                .hasMessage("refused");
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
        assertThatThrownBy(() -> new Scans(() -> 0).run(0)).hasMessage("a scan found nothing");
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
