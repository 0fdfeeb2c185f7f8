package io.stowline.caching.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.Freshness;
import io.stowline.caching.internal.disk.DiskFormat.DiskHead;
import io.stowline.caching.internal.engine.Bed;
import io.stowline.caching.internal.engine.CacheEngine;
import io.stowline.caching.internal.engine.CachedResponse;
import io.stowline.caching.internal.entry.CacheCounts.CacheCounter;
import io.stowline.caching.internal.load.CacheKey;
import io.stowline.caching.internal.load.Loader;
import io.stowline.caching.internal.load.Loader.Conditions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * A cache on a bad disk, in one thread and virtual time. Seeds are numbers from 1 on, as many as the system property {@code simulation.seeds}
 * says; {@code simulation.first} begins elsewhere. In each play operations fail before, in and after what they do, the disk is full or
 * read-only, the folder vanishes, others change and delete files, and the cache is closed in the middle and opened again.
 *
 * <p>No read may fail, have bytes that its ETag does not name, or be older than it says. When the faults have ended, the next read works, and
 * the one after it is served from the disk; when all is quiet, what is counted is what is on the disk, and nothing is open or pinned.
 */
class DiskSimulationTest {

    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final long SEEDS = Long.getLong("simulation.seeds", 100);
    private static final int STEPS = 150;
    private static final int KEYS = 4;
    private static final long CAPACITY = 400_000;
    private static final int[] LENGTHS = {2_000, 10_000, 70_000, 150_000};
    private static final Freshness[] FRESHNESS = {
        Freshness.revalidated(), Freshness.revalidated(), Freshness.fresh(Duration.ofSeconds(10))
    };

    private static final Map<String, byte[]> BODIES = new ConcurrentHashMap<>();

    @TempDir
    Path folder;

    static LongStream seeds() {
        return LongStream.range(FIRST, FIRST + Math.max(1, (SEEDS + 9) / 10)).map(n -> FIRST + (n - FIRST) * 10);
    }

    @ParameterizedTest(name = "ten seeds from {0} on")
    @MethodSource("seeds")
    @DisplayName(
            "CACHE-5: whatever the disk does, no read fails or has wrong bytes, and nothing is lost count of or left"
                    + " open")
    void noFaultFailsARead(long first) throws IOException {
        for (long seed = first; seed < Math.min(first + 10, FIRST + SEEDS); seed++) {
            new Play(seed, folder.resolve("seed" + seed)).run();
        }
    }

    private static byte[] body(int key, int version) {
        return BODIES.computeIfAbsent(etag(key, version), same -> made(key, version));
    }

    private static byte[] made(int key, int version) {
        byte[] body = new byte[LENGTHS[(key + version) % LENGTHS.length]];
        new Random(key * 1_000L + version).nextBytes(body);
        return body;
    }

    private static String etag(int key, int version) {
        return "\"" + key + "-" + version + "\"";
    }

    private static final class Play {

        private final long seed;
        private final Path folder;
        private final Random random;
        private final FaultyDisk disk;
        private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
        private final int[] versions = new int[KEYS];
        private final int[] requests = new int[KEYS];
        private final List<Reader> readers = new ArrayList<>();
        private final List<Transfer> transfers = new ArrayList<>();
        private @Nullable DiskTier tier;
        private Bed bed;
        private final List<String> violations = new ArrayList<>();
        private String when = "at the start";

        Play(long seed, Path folder) throws IOException {
            this.seed = seed;
            this.folder = folder;
            this.random = new Random(seed);
            this.disk = new FaultyDisk(random);
            this.bed = open();
        }

        /** A folder that cannot be used costs the tier, as {@link CacheEngine#open} has it. */
        private Bed open() {
            try {
                tier = DiskTier.open(folder, CAPACITY, disk);
            } catch (IOException | RuntimeException e) {
                assertThat(disk.faulty > 0 || disk.state != FaultyDisk.State.WELL)
                        .as(what("the folder cannot be used: " + e))
                        .isTrue();
                tier = null;
            }
            DiskStore shelf = tier == null ? null : new DiskStore(tier, CAPACITY, Schedulers.immediate());
            return new Bed(20_000, 1_500, shelf, time);
        }

        /** Asserted inside of a subscriber, where an assertion would reach no test. */
        private void hold(boolean holds, String what) {
            if (!holds) {
                violations.add(what(what));
            }
        }

        private String what(String what) {
            return "seed " + seed + ", " + when + ": " + what;
        }

        void run() throws IOException {
            for (int step = 0; step < STEPS; step++) {
                int action = random.nextInt(20);
                when = "step " + step + " (action " + action + ")";
                act(action);
                assertThat(violations).isEmpty();
                readers.removeIf(reader -> reader.over);
            }
            when = "at the end";
            assertQuiet();
        }

        private void act(int action) {
            switch (action) {
                case 0, 1, 2, 3, 4, 5 -> new Reader(random.nextInt(KEYS), random.nextInt(3) != 0).begin();
                case 6, 7, 8 -> any(readers, Reader::goOn);
                case 9 -> any(readers, Reader::stop);
                case 10, 11 -> any(transfers, Transfer::goOn);
                case 12 -> write(random.nextInt(KEYS));
                case 13 -> time.advanceTimeBy(Duration.ofSeconds(random.nextInt(20)));
                case 14, 15 -> spoil();
                case 16 -> disk.disturb();
                case 17, 18 -> heal();
                default -> restart();
            }
        }

        private <T> void any(List<T> all, Consumer<T> action) {
            if (!all.isEmpty()) {
                action.accept(all.get(random.nextInt(all.size())));
            }
        }

        private void write(int key) {
            versions[key]++;
            bed.engine.invalidate("r" + key, Duration.ZERO);
        }

        private void spoil() {
            switch (random.nextInt(6)) {
                case 0 -> disk.state = FaultyDisk.State.READ_ONLY;
                case 1 -> disk.room = random.nextInt(100_000);
                case 2 -> disk.vanish();
                case 3 -> disk.faulty = 1;
                default -> disk.faulty = random.nextBoolean() ? 0.05 : 0.3;
            }
        }

        /** The next read works at once, and the one after it needs no transfer. */
        private void heal() {
            boolean gone = disk.state == FaultyDisk.State.GONE;
            disk.heal();
            int key = random.nextInt(KEYS);
            Reader next = new Reader(key, false);
            next.begin();
            next.takeAll();
            if (tier == null || gone || transfers.stream().anyMatch(transfer -> transfer.key == key)) {
                return;
            }
            Reader after = new Reader(key, false);
            after.begin();
            after.takeAll();
            if (readers.isEmpty() && transfers.isEmpty()) {
                assertThat(after.outcome)
                        .as(what("after the faults"))
                        .isNotIn(CacheOutcome.MISS, CacheOutcome.REFRESHED);
            }
        }

        private void restart() {
            if (random.nextInt(3) == 0) {
                bed.engine.close();
                if (random.nextInt(3) == 0) {
                    new Reader(random.nextInt(KEYS), false).begin();
                }
                bed = open();
            }
        }

        private void assertQuiet() {
            disk.heal();
            List.copyOf(readers).forEach(random.nextBoolean() ? Reader::stop : Reader::takeAll);
            List.copyOf(transfers).forEach(Transfer::end);
            List.copyOf(readers).forEach(Reader::stop);
            assertThat(bed.engine.count(CacheCounter.LOADS_UNDER_WAY))
                    .as(what("loads"))
                    .isZero();
            assertThat(disk.open).as(what("open files")).isZero();
            if (tier == null) {
                bed.engine.close();
                bed = open();
            }
            for (int round = 0; round < 2; round++) {
                for (int key = 0; key < KEYS; key++) {
                    write(key);
                    Reader reader = new Reader(key, false);
                    reader.begin();
                    reader.takeAll();
                }
            }
            assertThat(violations).isEmpty();
            DiskTier there = Objects.requireNonNull(tier);
            assertThat(there.bytes()).as(what("counted of " + disk.names())).isEqualTo(disk.size());
            assertThat(there.bytes()).as(what("at most the bound")).isLessThanOrEqualTo(CAPACITY);
            assertRoomForAll(there);
            bed.engine.close();
            assertThat(disk.open).as(what("open files when closed")).isZero();
            assertThat(disk.names()).as(what("unfinished files")).noneMatch(name -> name.endsWith(".tmp"));
        }

        /** Every entry gives way to others in time. */
        private void assertRoomForAll(DiskTier there) {
            try {
                DiskWriter large = there.begin("large", new DiskHead(200, Map.of("ETag", "\"l\""), 1));
                large.write(ByteBuffer.allocate((int) CAPACITY - 1_000));
                large.commit().close();
            } catch (IOException e) {
                fail(what("something is pinned: " + e));
            }
            there.remove("large");
            assertThat(there.bytes()).as(what("all given back")).isEqualTo(disk.size());
        }

        /** A body that comes in parts, when the test says so. */
        private final class Transfer {

            private final int key;
            private final byte[] content;
            private final Sinks.Many<ByteBuffer> parts = Sinks.many().unicast().onBackpressureBuffer();
            private int given;

            Transfer(int key, byte[] content) {
                this.key = key;
                this.content = content;
                transfers.add(this);
            }

            Flux<ByteBuffer> flux() {
                return parts.asFlux().doOnCancel(() -> transfers.remove(this));
            }

            void goOn() {
                int some = Math.min(content.length - given, 1 + random.nextInt(60_000));
                parts.tryEmitNext(ByteBuffer.wrap(content, given, some));
                given += some;
                if (given == content.length) {
                    transfers.remove(this);
                    parts.tryEmitComplete();
                }
            }

            void end() {
                while (transfers.contains(this)) {
                    goOn();
                }
            }
        }

        /** A reader that takes what it is given at once, in parts or not at all. */
        private final class Reader implements Loader {

            private final int key;
            private final boolean slow;
            private final Freshness freshness = FRESHNESS[random.nextInt(FRESHNESS.length)];
            private final boolean lengthKnown = random.nextInt(4) != 0;
            private final Reading reading = new Reading();
            private int max;
            private @Nullable CacheOutcome outcome;
            private @Nullable CachedResponse response;
            private @Nullable Taking taking;
            private byte[] expected = new byte[0];
            private int responded;
            private boolean over;

            Reader(int key, boolean slow) {
                this.key = key;
                this.slow = slow;
            }

            void begin() {
                max = versions[key];
                readers.add(this);
                bed.read(new CacheKey("s", "r" + key, ""), slow ? freshness : Freshness.revalidated(), this)
                        .subscribe(reading);
                assertThat(over || response != null || !transfers.isEmpty())
                        .as(what("a reader of " + key + " waits for nothing"))
                        .isTrue();
            }

            @Override
            public Mono<Loader.LoadResult> load(Conditions conditions) {
                int version = versions[key];
                requests[key]++;
                if (etag(key, version).equals(conditions.etag())) {
                    return Mono.just(Loader.LoadResult.notModified(Map.of()));
                }
                byte[] content = body(key, version);
                Flux<ByteBuffer> body = slow && random.nextBoolean()
                        ? new Transfer(key, content).flux()
                        : Flux.just(
                                ByteBuffer.wrap(content, 0, content.length / 2),
                                ByteBuffer.wrap(content, content.length / 2, content.length - content.length / 2));
                return Mono.just(Loader.LoadResult.found(
                        Map.of("ETag", etag(key, version)), lengthKnown ? content.length : -1, body));
            }

            private void given(CachedResponse found) {
                outcome = found.outcome();
                response = found;
                responded = versions[key];
                String etag = Objects.requireNonNull(found.headers().get("ETag"));
                int version = Integer.parseInt(etag.substring(etag.indexOf('-') + 1, etag.length() - 1));
                expected = body(key, version);
                hold(etag.equals(etag(key, version)), "another's ETag: " + etag);
                hold(version >= max, "older than our own write");
                hold(found.length() == expected.length || found.length() == -1, "its length is " + found.length());
                if (!slow) {
                    takeAll();
                }
            }

            void goOn() {
                if (response == null) {
                    return;
                }
                if (taking == null) {
                    taking = new Taking();
                    response.body().subscribe(taking);
                }
                taking.request(1);
            }

            void takeAll() {
                for (int n = 0; n < 50 && !over; n++) {
                    transfers.stream().filter(each -> each.key == key).toList().forEach(Transfer::end);
                    goOn();
                }
                hold(over, "a reader of " + key + " does not come to its end");
            }

            void stop() {
                over = true;
                reading.cancel();
                if (taking != null) {
                    taking.cancel();
                } else if (response != null) {
                    response.close();
                }
                readers.remove(this);
            }

            private final class Reading extends BaseSubscriber<CachedResponse> {

                @Override
                protected void hookOnNext(CachedResponse found) {
                    given(found);
                }

                @Override
                protected void hookOnError(Throwable e) {
                    over = true;
                    hold(false, "a read of " + key + " fails with " + e);
                }
            }

            private final class Taking extends BaseSubscriber<ByteBuffer> {

                private int taken;

                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    // Each part is requested by itself.
                }

                @Override
                protected void hookOnNext(ByteBuffer part) {
                    byte[] bytes = new byte[part.remaining()];
                    part.get(bytes);
                    hold(
                            Arrays.equals(bytes, Arrays.copyOfRange(expected, taken, taken + bytes.length)),
                            "wrong bytes of " + key + " from " + taken + " on");
                    taken += bytes.length;
                }

                @Override
                protected void hookOnComplete() {
                    over = true;
                    hold(taken == expected.length, taken + " bytes of " + key + ", not " + expected.length);
                }

                /** A replaced version cannot be had again when its file is lost. */
                @Override
                protected void hookOnError(Throwable e) {
                    over = true;
                    hold(versions[key] != responded, "the body of " + key + " fails after " + taken + " with " + e);
                }
            }
        }
    }
}
