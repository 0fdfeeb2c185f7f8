package io.stowline.caching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.caching.Freshness;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.entry.FakeShelf;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Readers that leave, time out and are interrupted, loads and bodies that fail or stop, errors, faults of the disk, closing and opening again.
 * After each step no reader waits for a load that is gone, no load goes on without a reader, and in the end everything is given back.
 */
class CacheLivenessTest {

    private static final int STEPS = 80;
    private static final int KEYS = 3;
    private static final Duration ENDLESS = SharedLoad.Terms.ENDLESS;
    private static final List<FakeShelf.Fault> FAULTS = List.of(FakeShelf.Fault.values());
    private static final Freshness[] FRESHNESS = {
        Freshness.revalidated(),
        Freshness.fresh(Duration.ofSeconds(10)),
        Freshness.fresh(Duration.ofSeconds(5)).staleIfError(Duration.ofSeconds(90)),
        Freshness.fresh(Duration.ofSeconds(5)).negative(Duration.ofSeconds(5))
    };
    private static final int[] LENGTHS = {50, 5_000, 200_000, -1};

    @Property
    @Label("CACHE-2 CACHE-5: no reader waits for a load that is gone, no load is left alone, and all is given back")
    void nothingIsLeft(@ForAll long seed) {
        new Play(seed).run();
    }

    private static final class Play {

        private final long seed;
        private final Random random;
        private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
        private final List<Bed> closed = new ArrayList<>();
        private final List<FakeShelf> shelves = new ArrayList<>();
        private final List<Request> requests = new ArrayList<>();
        private final List<Reader> readers = new ArrayList<>();
        private final boolean onDisk;
        private FakeShelf shelf = new FakeShelf();
        private Bed bed;
        private int version;

        Play(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.onDisk = random.nextInt(4) != 0;
            this.bed = open();
        }

        private Bed open() {
            shelf = shelves.isEmpty() ? shelf : shelf.reopened();
            shelves.add(shelf);
            return new Bed(20_000, 1_500, onDisk ? shelf : null, time);
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                String did = step();
                look("step " + step + " (" + did + ")");
            }
            shelf.fault = null;
            for (int n = 0; n < KEYS; n++) {
                probe(n);
            }
            readers.stream().filter(reader -> random.nextBoolean()).forEach(Reader::cancel);
            look("cancelled");
            while (!requests.isEmpty()) {
                requests.get(0).end();
                look("ended");
            }
            bed.engine.close();
            closed.add(bed);
            assertGivenBack();
        }

        /** A key can be loaded whatever has become of its loads before. */
        private void probe(int key) {
            readers.stream().filter(reader -> reader.key == key).forEach(Reader::cancel);
            Reader reader = new Reader(key, Freshness.revalidated(), ENDLESS, false);
            reader.begin();
            look("probe of " + key);
            requests.stream().filter(request -> request.key == key).toList().forEach(Request::end);
            assertThat(reader.over).as("seed %d, probe of %d", seed, key).isTrue();
            assertThat(reader.failure).as("seed %d, probe of %d", seed, key).isNull();
        }

        private void assertGivenBack() {
            assertThat(readers).as("seed %d", seed).allMatch(reader -> reader.over);
            for (FakeShelf each : shelves) {
                assertThat(each.open).as("open files, seed %d", seed).hasValue(0);
                assertThat(each.writing).as("temporary files, seed %d", seed).hasValue(0);
            }
            for (Bed each : closed) {
                assertThat(each.engine.count(CacheCounter.LOADS_UNDER_WAY))
                        .as("seed %d", seed)
                        .isZero();
                assertThat(each.engine.count(CacheCounter.MEMORY_BYTES))
                        .as("seed %d", seed)
                        .isZero();
                assertThat(each.engine.count(CacheCounter.ENTRIES))
                        .as("seed %d", seed)
                        .isZero();
            }
        }

        /** The oracles. */
        private void look(String when) {
            requests.removeIf(request -> request.over);
            for (Reader reader : readers) {
                assertThat(reader.over || isServed(reader))
                        .as("seed %d, %s: a reader of %d waits for nothing", seed, when, reader.key)
                        .isTrue();
            }
            for (Request request : requests) {
                assertThat(readers)
                        .as("seed %d, %s: a load of %d is alone", seed, when, request.key)
                        .anyMatch(reader -> !reader.over && reader.key == request.key && reader.of == request.of);
            }
            long waiting = readers.stream().filter(reader -> !reader.over).count();
            assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY))
                    .as("seed %d, %s", seed, when)
                    .isLessThanOrEqualTo(waiting);
        }

        private boolean isServed(Reader reader) {
            return requests.stream().anyMatch(request -> request.key == reader.key && request.of == reader.of);
        }

        private String step() {
            int what = random.nextInt(20);
            switch (what) {
                case 0, 1, 2, 3, 4, 5 -> read();
                case 6, 7, 8, 9, 10, 11, 12 -> serve();
                case 13, 14 -> any(readers, reader -> !reader.over, Reader::cancel);
                case 15 -> time.advanceTimeBy(Duration.ofMillis(random.nextInt(20_000)));
                case 16 -> bed.engine.invalidate("r" + random.nextInt(KEYS), Duration.ZERO);
                case 17 -> shelf.fault = FAULTS.get(random.nextInt(FAULTS.size()));
                case 18 -> shelf.fault = null;
                default -> closeOrNot();
            }
            return "action " + what;
        }

        private void closeOrNot() {
            if (random.nextInt(4) == 0) {
                bed.engine.close();
                closed.add(bed);
                if (random.nextInt(3) == 0) {
                    read();
                }
                bed = open();
            }
        }

        private void read() {
            Duration patience = random.nextBoolean() ? ENDLESS : Duration.ofSeconds(1 + random.nextInt(30));
            new Reader(random.nextInt(KEYS), FRESHNESS[random.nextInt(FRESHNESS.length)], patience, true).begin();
        }

        private void serve() {
            any(requests, request -> !request.over, Request::go);
        }

        private <T> void any(List<T> all, Predicate<T> which, Consumer<T> action) {
            List<T> some = all.stream().filter(which).toList();
            if (!some.isEmpty()) {
                action.accept(some.get(random.nextInt(some.size())));
            }
        }

        /** A request with a response step by step, well or not. */
        private final class Request {

            private final int key;
            private final Bed of;
            private final Conditions conditions;
            private final Sinks.One<Loader.LoadResult> head = Sinks.one();
            private final Sinks.Many<ByteBuffer> body = Sinks.many().unicast().onBackpressureBuffer();
            private final int length = LENGTHS[random.nextInt(LENGTHS.length)];
            private boolean responded;
            private boolean over;

            Request(int key, Bed of, Conditions conditions) {
                this.key = key;
                this.of = of;
                this.conditions = conditions;
                requests.add(this);
            }

            Mono<Loader.LoadResult> load() {
                return head.asMono().doOnCancel(() -> over = true);
            }

            void go() {
                int what = random.nextInt(9);
                if (responded) {
                    goOn(what);
                } else if (what < 4) {
                    respond();
                } else if (what == 4 && conditions.any()) {
                    finish(Loader.LoadResult.notModified(Map.of()));
                } else if (what == 5) {
                    finish(Loader.LoadResult.absent(404, Map.of(), new byte[0]));
                } else {
                    over = true;
                    head.tryEmitError(failure());
                }
            }

            private void goOn(int what) {
                if (what < 5) {
                    body.tryEmitNext(ByteBuffer.wrap(new byte[length == 5_000 ? 2_500 : 25]));
                } else {
                    over = true;
                    if (what < 7) {
                        body.tryEmitComplete();
                    } else {
                        body.tryEmitError(failure());
                    }
                }
            }

            private void respond() {
                responded = true;
                Flux<ByteBuffer> flux = body.asFlux().doOnCancel(() -> over = true);
                head.tryEmitValue(Loader.LoadResult.found(Map.of("ETag", "\"" + ++version + "\""), length, flux));
            }

            private void finish(Loader.LoadResult loaded) {
                over = true;
                head.tryEmitValue(loaded);
            }

            void end() {
                if (responded) {
                    over = true;
                    body.tryEmitError(new UncheckedIOException(new IOException("cut")));
                } else {
                    byte[] bytes = new byte[50];
                    finish(Loader.LoadResult.found(
                            Map.of("ETag", "\"" + ++version + "\""), 50, Flux.just(ByteBuffer.wrap(bytes))));
                }
                requests.remove(this);
            }
        }

        private Throwable failure() {
            return switch (random.nextInt(4)) {
                case 0 -> new UncheckedIOException(new IOException("reset"));
                case 1 -> new IllegalStateException("403");
                case 2 -> new IllegalStateException(new InterruptedException());
                default -> new NoClassDefFoundError("broken");
            };
        }

        /** A reader that takes what it is given, or not. */
        private final class Reader implements Loader {

            private final int key;
            private final Bed of = bed;
            private final Freshness freshness;
            private final Duration patience;
            private final boolean careless;
            private final BaseSubscriber<CachedResponse> reading = new Reading();
            private @Nullable BaseSubscriber<ByteBuffer> taking;
            private @Nullable Throwable failure;
            private boolean over;

            Reader(int key, Freshness freshness, Duration patience, boolean careless) {
                this.key = key;
                this.freshness = freshness;
                this.patience = patience;
                this.careless = careless;
                readers.add(this);
            }

            void begin() {
                bed.read(new CacheKey("s", "r" + key, ""), freshness, this).subscribe(reading);
            }

            @Override
            public Mono<Loader.LoadResult> load(Conditions conditions) {
                return start(request -> request.load(), conditions);
            }

            private Mono<Loader.LoadResult> start(
                    Function<Request, Mono<Loader.LoadResult>> load, Conditions conditions) {
                int what = careless ? random.nextInt(20) : 2;
                if (what == 0) {
                    throw new NoClassDefFoundError("in the loader");
                }
                return what == 1
                        ? Mono.fromCallable(() -> {
                            throw new NoClassDefFoundError("in the load");
                        })
                        : load.apply(new Request(key, of, conditions));
            }

            @Override
            public Duration patience() {
                return patience;
            }

            @Override
            public Duration maxWait() {
                return patience;
            }

            void cancel() {
                if (!over) {
                    over = true;
                    reading.cancel();
                    if (taking != null) {
                        taking.cancel();
                    }
                }
            }

            private void take(CachedResponse response) {
                if (careless && random.nextInt(4) == 0) {
                    response.close();
                    over = true;
                    return;
                }
                taking = new Taking();
                response.body().subscribe(taking);
            }

            private void failed(Throwable e) {
                failure = e;
                over = true;
            }

            private final class Reading extends BaseSubscriber<CachedResponse> {

                @Override
                protected void hookOnNext(CachedResponse response) {
                    take(response);
                }

                @Override
                protected void hookOnError(Throwable e) {
                    failed(e);
                }
            }

            private final class Taking extends BaseSubscriber<ByteBuffer> {

                @Override
                protected void hookOnComplete() {
                    over = true;
                }

                @Override
                protected void hookOnError(Throwable e) {
                    failed(e);
                }
            }
        }
    }
}
