package io.stowline.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.examples.shared.JobFailedException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CityLoaderTest {

    /** Notes what it is told, and ends writes when it is drained. */
    private static class Recording implements CitySink {

        final List<String> calls = Collections.synchronizedList(new ArrayList<>());
        final List<Consumer<Throwable>> open = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void write(City city, Consumer<Throwable> done) {
            calls.add(city.name());
            open.add(done);
        }

        @Override
        public void sendRest() {
            calls.add("rest");
        }

        @Override
        public void drain() {
            calls.add("drain");
            endAll(null);
        }

        void endAll(Throwable error) {
            List<Consumer<Throwable>> ended = new ArrayList<>(open);
            open.clear();
            ended.forEach(done -> done.accept(error));
        }
    }

    @Test
    void handsOverRunByRunAndSendsTheRestOfACountryAtOnce() throws InterruptedException {
        Recording sink = new Recording();
        CityLoader loader = new CityLoader(sink);

        loader.load(List.of(run(0, 2, false), run(2, 3, true), run(5, 1, false)).iterator());

        assertThat(sink.calls)
                .containsExactly("City 0", "City 1", "City 2", "City 3", "City 4", "rest", "City 5", "drain");
        assertThat(loader.written()).isEqualTo(6);
    }

    @Test
    void beginsNoRunBeforeThereIsRoomForAllOfIt() throws InterruptedException {
        CountDownLatch full = new CountDownLatch(1);
        Recording sink = new Recording() {
            @Override
            public void write(City city, Consumer<Throwable> done) {
                super.write(city, done);
                if (open.size() == CityLoader.WINDOW - 1) {
                    full.countDown();
                }
            }
        };
        CityLoader loader = new CityLoader(sink);
        Thread feeder = feeder(loader, List.of(run(0, CityLoader.WINDOW - 1, false), run(CityLoader.WINDOW, 2, false)));
        full.await();
        awaitParked(feeder);
        assertThat(sink.calls).hasSize(CityLoader.WINDOW - 1);

        sink.open.remove(0).accept(null);
        feeder.join();

        assertThat(sink.calls).hasSize(CityLoader.WINDOW + 2);
        assertThat(loader.written()).isEqualTo(CityLoader.WINDOW + 1);
    }

    @Test
    void waitsForResultsThatComeAfterTheDrain() throws InterruptedException {
        CountDownLatch drained = new CountDownLatch(1);
        Recording sink = new Recording() {
            @Override
            public void drain() {
                drained.countDown();
            }
        };
        CityLoader loader = new CityLoader(sink);
        Thread feeder = feeder(loader, List.of(run(0, 3, true)));
        drained.await();
        awaitParked(feeder);
        assertThat(loader.written()).isZero();

        sink.endAll(null);
        feeder.join();

        assertThat(loader.written()).isEqualTo(3);
    }

    @Test
    void stopsAfterAFailureAndTellsTheFirst() {
        Recording sink = new Recording() {
            @Override
            public void write(City city, Consumer<Throwable> done) {
                super.write(city, ignored -> {});
                done.accept(city.name().equals("City 1") ? new IllegalStateException("no room for it") : null);
            }
        };
        CityLoader loader = new CityLoader(sink);

        assertThatExceptionOfType(JobFailedException.class)
                .isThrownBy(() ->
                        loader.load(List.of(run(0, 3, false), run(3, 3, false)).iterator()))
                .withMessageStartingWith("1 cities were not written")
                .withMessageContaining("no room for it")
                .withCauseInstanceOf(IllegalStateException.class);
        assertThat(sink.calls).containsExactly("City 0", "City 1", "City 2", "drain");
        assertThat(loader.written()).isEqualTo(2);
    }

    private static Run run(int first, int size, boolean last) {
        return new Run(
                IntStream.range(first, first + size)
                        .mapToObj(number -> Cities.number("XX", number))
                        .toList(),
                last);
    }

    private static Thread feeder(CityLoader loader, List<Run> runs) {
        Thread feeder = new Thread(() -> {
            try {
                loader.load(runs.iterator());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        feeder.start();
        return feeder;
    }

    private static void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }
}
