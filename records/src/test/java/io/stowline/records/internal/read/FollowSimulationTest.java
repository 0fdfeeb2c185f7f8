package io.stowline.records.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.storage.blob.models.BlobType;
import io.stowline.error.AuthenticationException;
import io.stowline.error.FailureDetails;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.error.WaitInterruptedException;
import io.stowline.records.RecordReadSettings;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.format.FramedCodec;
import io.stowline.records.internal.name.BlobNames;
import io.stowline.records.internal.name.Intervals;
import io.stowline.records.internal.name.Sessions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A reader that follows writers while they write, and is replaced by another one at its position now and then (RECORD-3). */
final class FollowSimulationTest {

    private static final Instant BEGIN = Instant.parse("2026-11-29T23:40:00Z");
    private static final FramedCodec<String> LINES = FramedCodec.lines(Function.identity(), Function.identity());
    private static final List<FramedCodec<String>> CODECS = List.of(LINES, LINES.withHeader("h"), LINES.gzip());

    /** Writers whose chunks are delivered while the reader rests, or lists. */
    private static final class World {

        private final Random random;
        private final FramedCodec<String> codec;
        private final BlobNames names;
        private final FakeContainer container = new FakeContainer();
        private final List<Deque<Runnable>> scripts = new ArrayList<>();
        private final List<String> written = new ArrayList<>();
        private final List<String> read = new ArrayList<>();
        private final List<Duration> rests = new ArrayList<>();
        private int outages;
        private StorageException outage = new UnreachableException(failure(0), null);

        World(long seed) {
            this.random = new Random(seed);
            this.codec = CODECS.get(random.nextInt(CODECS.size()));
            this.names = new BlobNames("a/", 1 + random.nextInt(3), codec.suffix());
            container.beforePage(() -> {
                if (random.nextInt(100) < outages) {
                    throw outage;
                }
                if (random.nextInt(6) == 0) {
                    deliver();
                }
            });
        }

        void writer(boolean appends, int chunks) {
            Intervals intervals = new Intervals(Duration.ofSeconds(300));
            String session = Sessions.next(random, intervals);
            Deque<Runnable> script = new ArrayDeque<>();
            Instant now = BEGIN;
            String blob = "";
            Instant interval = Instant.MIN;
            for (int i = 0; i < chunks; i++) {
                now = now.plusSeconds(random.nextInt(120));
                ChunkName name = new ChunkName(intervals.floor(now), session, i);
                boolean begins = !appends || !name.interval().equals(interval) || random.nextInt(9) == 0;
                blob = begins ? names.of(name) : blob;
                interval = name.interval();
                String to = blob;
                List<String> records = List.of(session + "," + i + ".0", session + "," + i + ".1");
                script.add(() -> put(to, appends, begins, records));
            }
            scripts.add(script);
        }

        private void put(String blob, boolean appends, boolean begins, List<String> records) {
            byte[] bytes = (String.join("\n", records) + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8);
            byte[] sealed = codec.seal(bytes, begins);
            if (appends) {
                container.append(blob, sealed);
            } else {
                container.put(blob, sealed, BlobType.BLOCK_BLOB);
            }
            written.addAll(records);
        }

        private void deliver() {
            Runnable next = scripts.isEmpty()
                    ? null
                    : scripts.get(random.nextInt(scripts.size())).poll();
            if (next != null) {
                next.run();
            }
        }

        private boolean isDelivered() {
            return scripts.stream().allMatch(Deque::isEmpty);
        }

        FollowingReader<String> reader(ReadVector begin, FollowingReader.PollPause rest) {
            Clock clock = Clock.fixed(BEGIN.plus(Duration.ofHours(3)), ZoneOffset.UTC);
            RecordReadSettings<String> settings = RecordReadSettings.<String>builder()
                    .lateness(Duration.ofHours(6))
                    .build();
            return new FollowingReader<>(
                    (vector, each) ->
                            new RecordPass<>(container.container(), "a/", codec, each, RecordSpan.after(vector), clock),
                    settings,
                    begin,
                    rest);
        }

        /** Follows with a new reader for each few records, up to the end of all writers. */
        void run() {
            ReadVector position = ReadVector.at(BEGIN);
            while (!isDelivered() || read.size() < written.size()) {
                AtomicReference<FollowingReader<String>> reader = new AtomicReference<>();
                FollowingReader<String> present = reader(position, (time, closing) -> {
                    rests.add(time);
                    for (int i = random.nextInt(4); i > 0; i--) {
                        deliver();
                    }
                    if (isDelivered() && read.size() == written.size() || random.nextInt(10) == 0) {
                        reader.get().close();
                    }
                });
                reader.set(present);
                int most = 1 + random.nextInt(30);
                for (int i = 0; i < most && present.next(); i++) {
                    read.add(present.record());
                }
                boolean before = random.nextInt(4) == 0 && present.next();
                position = PositionText.parse(PositionText.of(present.position(before)));
                present.close();
                assertThat(present.next()).isFalse();
            }
        }
    }

    private static FailureDetails failure(int status) {
        return new FailureDetails("list", "ads", status, null, "", 1, 0, Duration.ZERO, null, "", null, "");
    }

    @Property(tries = 300)
    @Label(
            "RECORD-3: everything is read once and in the order of its writer, while it is written, through outages and restarts")
    void everythingOnceAndInOrder(@ForAll long seed) {
        World world = new World(seed);
        world.outages = world.random.nextInt(3) * 5;
        int writers = 1 + world.random.nextInt(4);
        for (int i = 0; i < writers; i++) {
            world.writer(world.random.nextInt(3) > 0, world.random.nextInt(30));
        }

        world.run();

        assertThat(world.read).containsExactlyInAnyOrderElementsOf(world.written);
        for (String session : world.read.stream()
                .map(record -> record.substring(0, record.indexOf(',')))
                .distinct()
                .toList()) {
            assertThat(world.read.stream().filter(record -> record.startsWith(session)))
                    .containsExactlyElementsOf(world.written.stream()
                            .filter(record -> record.startsWith(session))
                            .toList());
        }
    }

    @Test
    @DisplayName("waits grow from 1 s to 5 s while there is nothing, and an idle reader downloads nothing")
    void waitsLonger() {
        World world = new World(1);
        world.writer(true, 3);
        while (!world.isDelivered()) {
            world.deliver();
        }
        AtomicReference<FollowingReader<String>> reader = new AtomicReference<>();
        reader.set(world.reader(ReadVector.at(BEGIN), (time, closing) -> {
            world.rests.add(time);
            if (world.rests.size() == 6) {
                reader.get().close();
            }
        }));
        int records = 0;
        while (reader.get().next()) {
            records++;
        }
        int opened = world.container.opened();

        assertThat(records).isEqualTo(6);
        assertThat(world.rests).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 5L, 5L, 5L);
        assertThat(opened).isEqualTo(world.container.names().size());
        assertThat(reader.get().blobs()).hasSize(opened);
    }

    @Test
    @DisplayName("a refusal ends the stream, whose position is behind the last record; an outage does not")
    void aRefusalEndsIt() {
        World world = new World(2);
        world.writer(true, 2);
        while (!world.isDelivered()) {
            world.deliver();
        }
        FollowingReader<String> reader = world.reader(ReadVector.at(BEGIN), (time, closing) -> {
            world.outages = 100;
            if (world.rests.size() == 3) {
                world.outage = new AuthenticationException(failure(403), null);
            }
            world.rests.add(time);
        });
        for (int i = 0; i < 4; i++) {
            assertThat(reader.next()).isTrue();
        }

        assertThatExceptionOfType(AuthenticationException.class).isThrownBy(reader::next);
        assertThat(world.rests).hasSize(4);
        assertThatIllegalStateException().isThrownBy(reader::next).withMessageContaining("follow(format, position())");
        world.outages = 0;
        FollowingReader<String> later = world.reader(reader.position(false), (time, closing) -> {
            throw new AssertionError("nothing to wait for");
        });
        world.writer(true, 1);
        world.deliver();
        while (!world.isDelivered()) {
            world.deliver();
        }
        assertThat(later.next()).isTrue();
        assertThat(later.record()).isEqualTo(world.written.get(4));
    }

    @Test
    @Timeout(30)
    @DisplayName("a close by another thread ends the wait at once, and an interrupt ends it with its exception")
    void endsByAnotherThread() throws InterruptedException {
        World world = new World(3);
        CountDownLatch resting = new CountDownLatch(1);
        FollowingReader<String> reader = world.reader(ReadVector.at(BEGIN), (time, closing) -> {
            resting.countDown();
            closing.await();
        });
        AtomicReference<Boolean> more = new AtomicReference<>();
        Thread thread = new Thread(() -> more.set(reader.next()));
        thread.start();
        resting.await();
        reader.close();
        thread.join();
        assertThat(more.get()).isFalse();

        FollowingReader<String> other = world.reader(ReadVector.at(BEGIN), (time, closing) -> closing.await());
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(WaitInterruptedException.class).isThrownBy(other::next);
        assertThat(Thread.interrupted()).isTrue();
    }
}
