package io.stowline.records.internal.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.records.internal.blob.ModelBlobs.Crash;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.SealedChunk;
import io.stowline.records.internal.format.RecordCodec;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Chunks of many processes that are killed at any step, over a service that loses requests and responses and carries out some of them much
 * later. Each chunk stands exactly once, in the order of its session.
 */
class AppendSimulationTest {

    private static final Instant START = Instant.parse("2026-11-29T23:50:00Z");
    private static final int TRIES = 400;
    private static final int MOST_PROCESSES = 2_000;

    /** The world of one seed. */
    private static final class World {

        private final Random random;
        private final ModelBlobs blobs;
        private final Deque<DiskChunk> disk = new ArrayDeque<>();
        private final List<String> accepted = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();
        private final List<String> refused = new ArrayList<>();
        private boolean deletes;
        private boolean foreigners;
        private boolean givesUp;
        private boolean otherBytes;
        private int sessions;
        private int foreign;

        World(long seed) {
            this.random = new Random(seed);
            this.blobs = new ModelBlobs(random);
        }

        /** Runs processes one after the other, each killed or at its end, and then one without faults. */
        void run(int faults, int crashes, int chunks) {
            blobs.faults = faults;
            blobs.crashes = crashes;
            int made = 0;
            while (made < chunks) {
                String session = "session" + (10 + sessions++);
                assertThat(sessions).as("processes that end without progress").isLessThan(MOST_PROCESSES);
                AppendBlobTarget target = process();
                try {
                    deliverAll(target);
                    int own = 1 + random.nextInt(12);
                    for (int i = 0; i < own; i++) {
                        Instant interval = START.plusSeconds(300L * (i / 5));
                        DiskChunk chunk = new DiskChunk(new ChunkName(interval, session, i));
                        accepted.add(chunk.text());
                        disk.add(chunk);
                        made++;
                        if (random.nextBoolean()) {
                            deliverAll(target);
                        }
                    }
                    deliverAll(target);
                    if (random.nextBoolean()) {
                        target.close().onErrorComplete().block();
                    }
                } catch (Crash crash) {
                    // The next process goes on.
                }
            }
            blobs.faults = 0;
            blobs.crashes = 0;
            deliverAll(process());
            blobs.landAll();
        }

        private AppendBlobTarget process() {
            int release = otherBytes ? random.nextInt(3) : 0;
            return new AppendBlobTarget(
                    blobs.client(), new TestCodec(release), World::blobName, 600, Schedulers.immediate());
        }

        private void deliverAll(AppendBlobTarget target) {
            while (!disk.isEmpty()) {
                if (deliver(target, disk.peekFirst())) {
                    disk.removeFirst();
                }
            }
        }

        /** Returns whether the chunk has its end. */
        private boolean deliver(AppendBlobTarget target, DiskChunk chunk) {
            for (int i = 0; i < TRIES; i++) {
                interfere();
                try {
                    String name = target.deliver(chunk).block();
                    assertThat(name).isEqualTo(chunk.seal.blob());
                    blobs.crashMaybe();
                    return true;
                } catch (ChunkRefusedException e) {
                    refused.add(chunk.text());
                    return true;
                } catch (RuntimeException e) {
                    blobs.crashMaybe();
                    if (givesUp && random.nextInt(5) == 0) {
                        failed.add(chunk.text());
                        return true;
                    }
                }
            }
            throw new AssertionError("no end of " + chunk.name() + " after " + TRIES + " tries");
        }

        private void interfere() {
            List<String> names = List.copyOf(blobs.stored.keySet());
            if (names.isEmpty() || random.nextInt(12) > 0) {
                return;
            }
            String name = names.get(random.nextInt(names.size()));
            if (deletes && random.nextBoolean()) {
                blobs.delete(name);
            } else if (foreigners) {
                blobs.foreignAppend(name, "<foreign" + foreign++ + "-".repeat(random.nextInt(200)) + ">");
            }
        }

        private static String blobName(ChunkName chunk) {
            return chunk.interval() + "-" + chunk.session() + "-" + String.format("%08d", chunk.sequence()) + ".txt";
        }

        private String live() {
            return blobs.stored.values().stream()
                    .map(blob -> blob.bytes.toString(StandardCharsets.UTF_8))
                    .collect(Collectors.joining("|"));
        }

        void check() {
            String live = live();
            String all = live + String.join("|", blobs.deleted);
            for (String chunk : accepted) {
                boolean end = failed.contains(chunk) || refused.contains(chunk);
                assertThat(count(live, chunk))
                        .as("%s in live blobs %s", chunk, live)
                        .isBetween(0, 1);
                if (!end) {
                    assertThat(count(all, chunk)).as("%s in %s", chunk, all).isPositive();
                }
                if (!deletes && !end) {
                    assertThat(count(all, chunk)).as("%s in %s", chunk, all).isEqualTo(1);
                }
                if (refused.contains(chunk)) {
                    assertThat(count(live, chunk)).isZero();
                }
            }
            checkOrder();
        }

        /** Names are in the order of intervals, sessions and sequences, and so is what stands in the blobs. */
        private void checkOrder() {
            Map<String, Integer> last = new HashMap<>();
            blobs.stored.forEach((name, blob) -> {
                String text = blob.bytes.toString(StandardCharsets.UTF_8);
                assertThat(count(text, "header")).as("%s: %s", name, text).isLessThan(2);
                assertThat(text.isEmpty() || text.startsWith("header") || text.startsWith("<foreign"))
                        .as("%s: %s", name, text)
                        .isTrue();
                Stream.of(text.split("[\\[\\]]"))
                        .filter(part -> part.startsWith("session"))
                        .forEach(part -> {
                            String session = part.substring(0, part.indexOf(':'));
                            int sequence = Integer.parseInt(part.substring(part.indexOf(':') + 1, part.indexOf('=')));
                            Integer before = last.put(session, sequence);
                            assertThat(before == null || before < sequence)
                                    .as("%s behind %s in %s", part, before, live())
                                    .isTrue();
                        });
            });
        }

        private static int count(String text, String part) {
            return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
        }

        /** A chunk on a disk that outlives its process. */
        private final class DiskChunk implements SealedChunk {

            private final ChunkName name;
            private @Nullable ChunkSeal seal;

            DiskChunk(ChunkName name) {
                this.name = name;
            }

            String text() {
                return "[" + name.session() + ":" + name.sequence() + "="
                        + "x".repeat(name.session().hashCode() & 63) + "]";
            }

            @Override
            public ChunkName name() {
                return name;
            }

            @Override
            public int records() {
                return 1;
            }

            @Override
            public long bytes() {
                return content().length;
            }

            @Override
            public byte[] content() {
                return text().getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public @Nullable ChunkSeal seal() {
                return seal;
            }

            @Override
            public void seal(ChunkSeal decided) {
                blobs.crashMaybe();
                seal = decided;
                blobs.crashMaybe();
            }

            @Override
            public void delivered() {}

            @Override
            public void rejected(String reason) {}
        }
    }

    /** A codec whose releases write the same records in other bytes, as compressions do. */
    private record TestCodec(int release) implements RecordCodec<String> {

        @Override
        public byte[] encode(String record) {
            return record.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public byte[] seal(byte[] records, boolean first) {
            String text = (first ? "header" : "") + "~".repeat(release) + new String(records, StandardCharsets.UTF_8);
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public RecordCursor<String> read(InputStream blob, boolean begin) {
            throw new UnsupportedOperationException();
        }

        @Override
        public String suffix() {
            return ".txt";
        }

        @Override
        public String contentType() {
            return "text/plain";
        }
    }

    private static World world(long seed, boolean quiet) {
        World world = new World(seed);
        if (!quiet) {
            world.deletes = seed % 3 == 0;
            world.foreigners = seed % 5 == 0;
            world.otherBytes = seed % 2 == 0;
            world.givesUp = seed % 7 == 0;
            world.blobs.maxAppends = seed % 4 == 0 ? 3 : Integer.MAX_VALUE;
        }
        return world;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 100, 300})
    @DisplayName(
            "RECORD-1, RECORD-2: each chunk stands exactly once in the order of its session, whatever is killed, lost or late")
    void exactlyOnce(int faults) {
        for (long seed = 0; seed < 500; seed++) {
            World world = world(seed * 31 + faults, true);
            world.otherBytes = seed % 2 == 0;
            world.run(faults, faults / 4, 40);
            world.check();
            assertThat(world.refused).as("seed %s", seed).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 50, 200})
    @DisplayName(
            "RECORD-1: nothing is doubled and nothing lost beside other clients that delete, append and take leases")
    void amongOthers(int faults) {
        for (long seed = 0; seed < 1_000; seed++) {
            World world = world(seed, false);
            world.run(faults, faults / 4, 30);
            world.check();
            if (!world.foreigners) {
                assertThat(world.refused).as("seed %s", seed).isEmpty();
            }
        }
    }

    @Property(tries = 300)
    void holdsForAnySeed(@ForAll long seed) {
        World world = world(Math.abs(seed >> 1), false);
        world.run(150, 40, 30);
        world.check();
    }

    @Test
    @DisplayName("the model lets attempts of killed processes land late, and many of them")
    void theModelIsHostile() {
        int late = 0;
        for (long seed = 0; seed < 50; seed++) {
            World world = world(seed, true);
            world.run(200, 50, 40);
            late += world.blobs.landedLate;
        }
        assertThat(late).isGreaterThan(500);
    }

    @Test
    @DisplayName("A chunk costs one append; blobs roll by size, and with interval and session")
    void costsOneAppend() {
        World world = world(1, true);
        AppendBlobTarget target = world.process();
        for (int i = 0; i < 40; i++) {
            world.disk.add(world.new DiskChunk(new ChunkName(START.plusSeconds(300L * (i / 20)), "session99", i)));
        }
        world.deliverAll(target);
        Mono.when(target.close()).block();

        assertThat(world.blobs.stored.values())
                .allSatisfy(blob -> assertThat(blob.bytes.size()).isLessThanOrEqualTo(600))
                .allSatisfy(blob -> assertThat(blob.lease).isNull());
        assertThat(world.blobs.stored.keySet()).anyMatch(name -> name.contains("00000000"));
        assertThat(world.blobs.stored.keySet()).anyMatch(name -> name.contains("00000020"));
    }
}
