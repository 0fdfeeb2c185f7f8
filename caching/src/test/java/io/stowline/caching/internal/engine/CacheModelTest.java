package io.stowline.caching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Freshness;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.entry.FakeShelf;
import io.stowline.caching.internal.load.CacheKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import reactor.core.Disposable;

/**
 * Random reads, writes of ours and of others, lost responses, failures and faults in virtual time. Each result must
 * have been the present state at some moment that the contract allows.
 */
class CacheModelTest {

    private static final int STEPS = 120;
    private static final List<FakeShelf.Fault> FAULTS = List.of(FakeShelf.Fault.values());
    private static final Freshness[] FRESHNESS = {
        Freshness.revalidated(),
        Freshness.fresh(Duration.ofSeconds(10)),
        Freshness.fresh(Duration.ofSeconds(60)).negative(Duration.ofSeconds(20)),
        Freshness.fresh(Duration.ofSeconds(10)).staleWhileRevalidating(Duration.ofSeconds(60)),
        Freshness.fresh(Duration.ofSeconds(5))
                .staleIfError(Duration.ofSeconds(90))
                .negative(Duration.ofSeconds(5))
    };

    @Property
    @Label("CACHE-1 CACHE-2 CACHE-3 CACHE-4 CACHE-5 CACHE-6: no read is given what the contract forbids, whatever"
            + " happens")
    void noReadIsGivenWhatTheContractForbids(@ForAll long seed) {
        new Play(seed).run();
    }

    /** One play of one seed. */
    private static final class Play {

        private final long seed;
        private final Random random;
        private final FakeShelf shelf = new FakeShelf();
        private final Bed bed;
        private final List<ModelResource> resources = new ArrayList<>();
        private final List<ModelReader> readers = new ArrayList<>();
        private final List<LateWrite> late = new ArrayList<>();
        private final long[] bound = new long[3];
        private final List<AssertionError> violations = new ArrayList<>();

        /** A write whose response was lost: it may be carried out until its horizon. */
        private record LateWrite(int resource, long horizon) {}

        Play(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.bed = new Bed(random.nextBoolean() ? 20_000 : 2_000, 1_500, random.nextBoolean() ? shelf : null);
            for (int n = 0; n < bound.length; n++) {
                resources.add(new ModelResource("account/" + (n == 0 ? "a" : "b") + "/" + n, 2_000));
            }
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                bed.pass(Duration.ofMillis(1));
                step(random.nextInt(resources.size()));
            }
            shelf.fault = null;
            while (resources.stream().anyMatch(each -> deliver(each, null))) {
                bed.pass(Duration.ofMillis(1));
            }
            assertThat(violations).isEmpty();
            readers.forEach(ModelReader::assertOver);
            assertThat(shelf.open).as("open files, seed %d", seed).hasValue(0);
            assertThat(shelf.writing).as("temporary files, seed %d", seed).hasValue(0);
            assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY)).isZero();
            bed.engine.close();
            assertThat(bed.engine.count(CacheCounter.MEMORY_BYTES))
                    .as("seed %d", seed)
                    .isZero();
        }

        private void step(int index) {
            ModelResource resource = resources.get(index);
            switch (random.nextInt(14)) {
                case 0, 1, 2, 3 -> read(index);
                case 4 -> resource.underWay.forEach(request -> request.serve(random.nextInt(4) == 0));
                case 5, 6 -> deliver(resource, null);
                case 7 ->
                    deliver(
                            resource,
                            random.nextBoolean() ? new UncheckedIOException(new IOException()) : new Refused());
                case 8 -> resource.write(now());
                case 9 -> writeOurselves(index);
                case 10 -> loseOurWrite(index);
                case 11 -> writeTable(random.nextBoolean() ? "a" : "b");
                case 12 -> pass(random.nextInt(40_000));
                default -> disturb();
            }
        }

        private void disturb() {
            shelf.fault = random.nextBoolean() ? null : FAULTS.get(random.nextInt(FAULTS.size()));
            readers.forEach(reader -> reader.cancel(random.nextInt(5) == 0));
        }

        private void read(int index) {
            ModelResource resource = resources.get(index);
            String scope = random.nextInt(5) == 0 ? "other" : "own";
            ModelReader reader =
                    new ModelReader(resource, scope, FRESHNESS[random.nextInt(FRESHNESS.length)], bound[index]);
            readers.add(reader);
            reader.begin();
        }

        private boolean deliver(ModelResource resource, RuntimeException failure) {
            resource.underWay.removeIf(request -> request.over);
            if (!resource.underWay.isEmpty()) {
                resource.underWay.get(random.nextInt(resource.underWay.size())).deliver(failure);
            }
            return !resource.underWay.isEmpty();
        }

        private void writeOurselves(int index) {
            if (random.nextBoolean()) {
                resources.get(index).write(now());
            }
            ended(index, 0);
        }

        private void ended(int index, int seconds) {
            bed.engine.invalidate(resources.get(index).name, Duration.ofSeconds(seconds));
            bound[index] = now();
        }

        private void loseOurWrite(int index) {
            ended(index, 30);
            late.add(new LateWrite(index, now() + 30_000));
        }

        private void writeTable(String table) {
            for (int n = 0; n < bound.length; n++) {
                if (resources.get(n).name.startsWith("account/" + table)) {
                    resources.get(n).write(now());
                    bound[n] = now();
                }
            }
            bed.engine.invalidateAll("account/" + table + "/", Duration.ZERO);
        }

        /** Writes with a lost response are carried out now, later or not at all; after the horizon that is settled. */
        private void pass(long millis) {
            late.removeIf(write -> {
                if (random.nextInt(3) == 0) {
                    resources.get(write.resource).write(now());
                }
                return false;
            });
            bed.pass(Duration.ofMillis(millis));
            late.removeIf(write -> {
                boolean over = now() >= write.horizon;
                if (over) {
                    bound[write.resource] = Math.max(bound[write.resource], write.horizon);
                }
                return over;
            });
        }

        private long now() {
            return bed.time.now(TimeUnit.MILLISECONDS);
        }

        /** A reader, and what it may be given. */
        private final class ModelReader {

            private final ModelResource resource;
            private final String scope;
            private final Freshness freshness;
            private final long bound;
            private final long begun = now();
            private Disposable reading;
            private boolean cancelled;
            private int ends;

            ModelReader(ModelResource resource, String scope, Freshness freshness, long bound) {
                this.resource = resource;
                this.scope = scope;
                this.freshness = freshness;
                this.bound = bound;
            }

            void begin() {
                reading = bed.read(
                                new CacheKey(scope, resource.name, ""),
                                freshness,
                                conditions -> resource.load(now(), scope, conditions))
                        .subscribe(this::given, failure -> ends++);
            }

            void cancel(boolean really) {
                if (really && ends == 0) {
                    cancelled = true;
                    reading.dispose();
                }
            }

            private void given(CachedResponse response) {
                ends++;
                try {
                    check(response);
                } catch (AssertionError e) {
                    violations.add(e);
                }
            }

            private void check(CachedResponse response) {
                String text = new String(Objects.requireNonNull(response.bytes().block()), StandardCharsets.UTF_8);
                String[] parts = text.split(" ", -1);
                String what = "seed " + seed + ", " + response.outcome() + " of "
                        + text.substring(0, Math.min(20, text.length())) + " to " + freshness + " begun at " + begun
                        + " at " + now() + " bound " + bound;
                long end = resource.end(Integer.parseInt(parts[1]));
                assertThat(parts[0]).as(what + ": another's").isEqualTo(scope);
                assertThat(end).as(what + ": older than our own write").isGreaterThan(bound);
                assertThat(end)
                        .as(what + ": older than it says")
                        .isGreaterThan(now() - response.age().toMillis());
                assertThat(response.age()).as(what).isLessThan(oldest(response));
            }

            /** A load may take as long as it likes. */
            private Duration oldest(CachedResponse response) {
                Duration window = response.absent() ? freshness.negative() : freshness.window();
                if (response.outcome() == CacheOutcome.STALE) {
                    Duration more = freshness.staleIfError().plus(freshness.staleWhileRevalidating());
                    return freshness.window().plus(more);
                }
                return response.outcome() == CacheOutcome.HIT ? window : Duration.ofDays(1);
            }

            void assertOver() {
                assertThat(ends)
                        .as("seed %d, ends of a reader begun at %d", seed, begun)
                        .isEqualTo(cancelled ? 0 : 1);
            }
        }
    }

    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
