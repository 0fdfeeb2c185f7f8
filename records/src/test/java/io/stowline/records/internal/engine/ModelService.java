package io.stowline.records.internal.engine;

import io.stowline.error.AuthenticationException;
import io.stowline.error.FailureDetails;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.records.internal.blob.ChunkRefusedException;
import io.stowline.records.internal.blob.ChunkTarget;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.SealedChunk;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** A service of a simulation that creates blobs, late and with lost responses; what is sent takes effect although its sender is killed. */
final class ModelService {

    enum State {
        WELL,
        FLAKY,
        DOWN,
        REFUSING
    }

    private static final String FOREIGN = "foreign";

    private final Random random;
    private final ManualScheduler time;
    private final Map<String, String> blobs = new HashMap<>();
    private final Map<String, Integer> seen = new HashMap<>();
    private final Map<String, TreeMap<Long, String>> sessions = new HashMap<>();
    final List<String> sessionOrder = new ArrayList<>();
    final List<String> faults = new ArrayList<>();
    State state = State.WELL;
    boolean foreignBlobs;

    ModelService(Random random, ManualScheduler time) {
        this.random = random;
        this.time = time;
    }

    int timesOf(String record) {
        return seen.getOrDefault(record, 0);
    }

    /** Returns the records of a session in the order of its blobs. */
    List<String> recordsOf(String session) {
        List<String> all = new ArrayList<>();
        sessions.getOrDefault(session, new TreeMap<>()).values().forEach(blob -> all.addAll(split(blob)));
        return all;
    }

    private static List<String> split(String blob) {
        return blob.isEmpty() ? List.of() : Arrays.asList(blob.split("(?<=\n)"));
    }

    ChunkTarget target(@Nullable ModelDisk disk) {
        return new ChunkTarget() {
            @Override
            public Mono<String> deliver(SealedChunk chunk) {
                return Mono.<String>create(sink -> send(chunk, disk, sink));
            }

            @Override
            public Mono<Void> close() {
                return random.nextInt(10) == 0 ? Mono.never() : Mono.empty();
            }
        };
    }

    private void send(SealedChunk chunk, @Nullable ModelDisk disk, MonoSink<String> sink) {
        String content = new String(chunk.content(), StandardCharsets.US_ASCII);
        String name = chunk.name().session() + "/" + chunk.name().sequence();
        ChunkSeal seal = new ChunkSeal(name, 0, content.length(), Integer.toHexString(content.hashCode()));
        ChunkSeal before = chunk.seal();
        if (before == null) {
            chunk.seal(seal);
        } else if (!before.equals(seal)) {
            faults.add(name + " was cut differently: " + before + " and " + seal);
        }
        if (disk != null && !disk.isSealed(chunk.name(), seal)) {
            faults.add(name + " is sent before its seal is on disk");
        }
        if (disk != null && !disk.isOldest(chunk.name())) {
            faults.add(name + " is sent before an older chunk has ended");
        }
        if (foreignBlobs && random.nextInt(40) == 0) {
            blobs.putIfAbsent(name, FOREIGN);
        }
        Attempt attempt = new Attempt(chunk.name(), name, content, sink);
        switch (state) {
            case WELL -> attempt.succeed(millis(200));
            case FLAKY -> flaky(attempt);
            case DOWN -> attempt.fail(millis(30_000), new UnreachableException(details(0, null), null));
            case REFUSING ->
                attempt.fail(millis(100), new AuthenticationException(details(403, "AuthorizationFailure"), null));
        }
    }

    private void flaky(Attempt attempt) {
        switch (random.nextInt(8)) {
            case 0, 1 -> attempt.succeed(millis(200));
            case 2 -> attempt.succeed(Duration.ofMinutes(random.nextInt(6)));
            case 3 -> attempt.fail(millis(500), new ThrottledException(details(503, "ServerBusy"), null));
            case 4 -> attempt.fail(millis(500), new IllegalStateException("an error that is none of the service"));
            default -> {
                // The response is lost; the effect comes before or long after the error.
                attempt.take(millis(random.nextBoolean() ? 500 : 60_000));
                attempt.fail(millis(5000), new UnreachableException(details(0, null), null));
            }
        }
    }

    private Duration millis(int max) {
        return Duration.ofMillis(random.nextInt(max) + 1);
    }

    private static FailureDetails details(int status, @Nullable String code) {
        return new FailureDetails(
                "upload", "blob", status, code, "model", 1, 0, Duration.ZERO, null, "client", "request", "model");
    }

    private final class Attempt {

        private final ChunkName chunk;
        private final String name;
        private final String content;
        private final MonoSink<String> sink;

        Attempt(ChunkName chunk, String name, String content, MonoSink<String> sink) {
            this.chunk = chunk;
            this.name = name;
            this.content = content;
            this.sink = sink;
        }

        private void later(Duration delay, Runnable work) {
            var unused = time.schedule(work, delay.toNanos(), TimeUnit.NANOSECONDS);
        }

        void succeed(Duration delay) {
            later(delay, () -> {
                take();
                if (content.equals(blobs.get(name))) {
                    sink.success(name);
                } else {
                    sink.error(new ChunkRefusedException("other content", new IllegalStateException()));
                }
            });
        }

        void fail(Duration delay, Throwable error) {
            later(delay, () -> sink.error(error));
        }

        void take(Duration delay) {
            later(delay, this::take);
        }

        private void take() {
            if (blobs.putIfAbsent(name, content) == null) {
                split(content).forEach(record -> {
                    if (seen.merge(record, 1, Integer::sum) > 1) {
                        faults.add("doubled: " + record);
                    }
                });
                sessions.computeIfAbsent(chunk.session(), session -> new TreeMap<>())
                        .put(chunk.sequence(), content);
                if (!sessionOrder.contains(chunk.session())) {
                    sessionOrder.add(chunk.session());
                }
            }
        }
    }
}
