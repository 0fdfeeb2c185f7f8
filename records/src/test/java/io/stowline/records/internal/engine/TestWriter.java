package io.stowline.records.internal.engine;

import io.stowline.records.internal.blob.ChunkTarget;
import io.stowline.records.internal.chunk.ChunkStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import reactor.core.Disposable;

/** An engine in virtual time, whose records are lines. */
final class TestWriter {

    private static final Instant BEGIN = Instant.parse("2026-11-29T10:05:00Z");

    private final ManualScheduler time = new ManualScheduler();
    private final RecordEngine engine;
    private Duration clockAhead = Duration.ZERO;

    TestWriter(ChunkTarget target, ChunkStore store) {
        this(target, store, 1000);
    }

    TestWriter(ChunkTarget target, ChunkStore store, long records) {
        WriterBounds bounds = new WriterBounds(
                "ads/activities/",
                40,
                Duration.ofMinutes(1),
                Duration.ofMinutes(1),
                records,
                Duration.ofSeconds(60),
                store.durable() ? null : Duration.ofMinutes(2),
                Duration.ofMinutes(2),
                null);
        WriterThreads threads = new WriterThreads(clock(), time::nanos, new Random(7), time, time, time);
        engine = new RecordEngine(bounds, threads, store, target, name -> name.session() + "-" + name.sequence());
    }

    private Clock clock() {
        InstantSource source = () -> BEGIN.plusNanos(time.nanos()).plus(clockAhead);
        return new Clock() {
            @Override
            public ZoneOffset getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return source.instant();
            }
        };
    }

    RecordEngine engine() {
        return engine;
    }

    void jump(Duration ahead) {
        clockAhead = clockAhead.plus(ahead);
    }

    void write(String record) {
        engine.write((record + "\n").getBytes(StandardCharsets.UTF_8), false);
    }

    /** Returns the records that are accepted, as soon as they are. */
    List<String> writeLater(String record) {
        List<String> accepted = new ArrayList<>();
        Disposable unused = engine.writeLater((record + "\n").getBytes(StandardCharsets.UTF_8))
                .subscribe(nothing -> {}, e -> accepted.add(e.toString()), () -> accepted.add(record));
        return accepted;
    }

    void runAll() {
        time.advance(Duration.ZERO);
    }

    void advance(Duration duration) {
        time.advance(duration);
    }
}
