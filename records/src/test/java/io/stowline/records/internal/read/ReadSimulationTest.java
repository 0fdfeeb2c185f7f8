package io.stowline.records.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.blob.models.BlobType;
import io.stowline.records.RecordReadSettings;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.format.FramedCodec;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.records.internal.name.Intervals;
import io.stowline.records.internal.name.Sessions;
import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;

/**
 * Writers that deliver while a reader lists and reads, in steps that its position joins: every record is read once, in the order of its writer
 * (RECORD-3).
 */
final class ReadSimulationTest {

    private static final Instant BEGIN = Instant.parse("2026-12-31T21:40:00Z");
    private static final FramedCodec<String> LINES = FramedCodec.lines(Function.identity(), Function.identity());
    private static final List<FramedCodec<String>> CODECS =
            List.of(LINES, LINES.gzip(), LINES.withHeader("session,number,time").gzip(), LINES.withHeader("h"));

    @Property(tries = 400)
    @Label("RECORD-3: between any positions everything is read once and in order, late and growing blobs too")
    void everythingOnceAndInOrder(@ForAll long seed) {
        World world = new World(new Random(seed));

        world.run();

        assertThat(world.read).containsExactlyInAnyOrderElementsOf(world.written);
        for (Session session : world.sessions) {
            assertThat(world.read.stream().filter(session::has).toList())
                    .isEqualTo(world.written.stream().filter(session::has).toList());
        }
    }

    /** A writer that delivers the chunks of its script, one after the other. */
    private static final class Session {

        private final String name;
        private final boolean appends;
        private final Deque<Chunk> script = new ArrayDeque<>();
        private String blob = "";
        private Instant interval = Instant.MIN;

        Session(String name, boolean appends) {
            this.name = name;
            this.appends = appends;
        }

        boolean has(String record) {
            return record.startsWith(name + ",");
        }
    }

    private record Chunk(ChunkName name, List<String> records) {}

    private static final class World {

        private final Random random;
        private final FramedCodec<String> codec;
        private final BlobNames names;
        private final FakeContainer container = new FakeContainer();
        private final List<Session> sessions = new ArrayList<>();
        private final List<String> written = new ArrayList<>();
        private final List<String> read = new ArrayList<>();
        private final boolean merged;
        private final int busy;
        private final int window;

        World(Random random) {
            this.random = random;
            this.codec = CODECS.get(random.nextInt(CODECS.size()));
            this.names = new BlobNames("a/", 1 + random.nextInt(4), codec.suffix());
            this.merged = random.nextBoolean();
            this.busy = 1 + random.nextInt(5);
            this.window = 1 + random.nextInt(20);
            int count = 1 + random.nextInt(5);
            for (int i = 0; i < count; i++) {
                sessions.add(session());
            }
            container.put("a/0b/readme.txt", new byte[3], BlobType.BLOCK_BLOB);
            container.put("a/zz/2026/12/31/22/0000-s-00000000" + codec.suffix(), new byte[3], BlobType.BLOCK_BLOB);
        }

        private Session session() {
            Intervals intervals =
                    new Intervals(Duration.ofSeconds(List.of(1, 60, 300, 3_600).get(random.nextInt(4))));
            Session session = new Session(Sessions.next(random, intervals), random.nextBoolean());
            Instant now = BEGIN.plusSeconds(random.nextInt(9_000));
            long sequence = random.nextInt(3) == 0 ? random.nextInt(50) : 0;
            for (int i = random.nextInt(25); i > 0; i--, sequence++) {
                now = now.plusMillis(random.nextInt(3) == 0 ? random.nextInt(4_000_000) : random.nextInt(1_000));
                List<String> records = new ArrayList<>();
                for (int n = 0; n <= random.nextInt(5); n++) {
                    records.add(session.name + "," + sequence + "." + n + "," + now);
                }
                session.script.add(new Chunk(new ChunkName(intervals.floor(now), session.name, sequence), records));
                // A failed chunk leaves a gap.
                sequence += random.nextInt(6) == 0 ? 1 + random.nextInt(3) : 0;
            }
            return session;
        }

        private void deliver() {
            Session session = sessions.get(random.nextInt(sessions.size()));
            Chunk chunk = session.script.poll();
            if (chunk == null) {
                return;
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            chunk.records.forEach(record -> bytes.writeBytes(codec.encode(record)));
            written.addAll(chunk.records);
            if (!session.appends) {
                container.put(names.of(chunk.name), codec.seal(bytes.toByteArray(), true), BlobType.BLOCK_BLOB);
                return;
            }
            boolean roll = !session.interval.equals(chunk.name.interval()) || random.nextInt(4) == 0;
            if (roll) {
                session.blob = names.of(chunk.name);
                session.interval = chunk.name.interval();
                container.append(session.blob, new byte[0]);
            }
            container.append(session.blob, codec.seal(bytes.toByteArray(), roll));
        }

        private boolean delivered() {
            return sessions.stream().allMatch(session -> session.script.isEmpty());
        }

        void run() {
            container.beforePage(() -> sometimes(busy));
            ReadVector position = ReadVector.at(BEGIN);
            boolean last = false;
            while (!last) {
                last = delivered();
                sometimes(2);
                position = step(position, last);
                position = PositionText.parse(PositionText.of(position));
            }
        }

        private void sometimes(int most) {
            if (random.nextInt(4) == 0) {
                for (int i = random.nextInt(most); i > 0; i--) {
                    deliver();
                }
            }
        }

        private ReadVector step(ReadVector position, boolean toTheEnd) {
            RecordReadSettings.Builder<String> settings = RecordReadSettings.builder();
            settings.parallelism(1 + random.nextInt(3)).lateness(Duration.ofHours(20));
            if (merged) {
                settings.mergedBy(record -> Instant.parse(record.substring(record.lastIndexOf(',') + 1)));
            }
            Clock clock = Clock.fixed(BEGIN.plus(Duration.ofHours(random.nextInt(30))), ZoneOffset.UTC);
            try (RecordPass<String> pass = new RecordPass<>(
                    container.container(), "a/", codec, settings.build(), RecordSpan.after(position), clock, window)) {
                boolean ended = false;
                for (int i = toTheEnd ? Integer.MAX_VALUE : random.nextInt(20); i > 0 && !ended; i--) {
                    ended = !pass.next();
                    if (!ended) {
                        read.add(pass.record());
                    }
                    if (random.nextInt(5) == 0) {
                        sometimes(2);
                    }
                }
                boolean before = !ended && random.nextInt(3) == 0 && pass.next();
                return pass.position(before);
            }
        }
    }
}
