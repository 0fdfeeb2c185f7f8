package io.stowline.ring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** The blobs of a ring that changes, over accounts in memory. */
class RingContainerMoveTest {

    private static final int BLOBS = 24;
    private static final Duration CHECK = Duration.ofNanos(1);

    private final List<MemoryStorage> accounts =
            IntStream.range(0, 3).mapToObj(i -> MemoryStorage.create()).toList();
    private final List<StowlineRing> rings = new ArrayList<>();
    private final StowlineRing before = ring(r -> account(account(r, 0), 1));
    private final StowlineRing changing =
            ring(r -> account(account(r, 0), 1).joining("a2", RingBench.client(accounts.get(2), http -> http), a -> a));
    private final StowlineRing after = ring(r -> account(account(account(r, 0), 1), 2));
    private final RingContainer old = before.container("pictures");
    private final RingContainer pictures = changing.container("pictures");
    private final RingContainer moved = after.container("pictures");

    private StowlineRing.Builder account(StowlineRing.Builder ring, int i) {
        return ring.account("a" + i, RingBench.client(accounts.get(i), http -> http), a -> a);
    }

    private StowlineRing ring(UnaryOperator<StowlineRing.Builder> settings) {
        StowlineRing ring = StowlineRing.of(r -> settings.apply(r.checkEvery(CHECK)));
        rings.add(ring);
        return ring;
    }

    @BeforeEach
    void fill() {
        old.createIfMissing();
        for (int i = 0; i < BLOBS; i++) {
            old.upload(("first" + i).getBytes(UTF_8), name(i), with -> with.contentType("text/plain")
                    .metadata(Map.of("owner", "x")));
        }
    }

    @AfterEach
    void close() {
        rings.forEach(StowlineRing::close);
    }

    private static String name(int i) {
        return String.format(Locale.ROOT, "2026/%03d.jpg", i);
    }

    private RingMove move() {
        return changing.move().container("pictures").parallelism(1).longestCall(Duration.ofMillis(30));
    }

    /** Returns a name whose account changes. */
    private String travelling() {
        return IntStream.range(0, BLOBS)
                .mapToObj(RingContainerMoveTest::name)
                .filter(name -> changing.accountOf(name).equals("a2"))
                .findFirst()
                .orElseThrow();
    }

    private BlobContainer at(String account) {
        return changing.client(account).container("pictures");
    }

    private BlobContainer oldHome(String name) {
        return at(before.accountOf(name));
    }

    private static TreeMap<String, String> contents(RingContainer container) {
        return container.stream()
                .collect(Collectors.toMap(
                        BlobInfo::name,
                        blob -> new String(container.download(blob.name()), UTF_8),
                        (a, b) -> a + b,
                        TreeMap::new));
    }

    private static TreeMap<String, String> expected() {
        TreeMap<String, String> all = new TreeMap<>();
        IntStream.range(0, BLOBS).forEach(i -> all.put(name(i), "first" + i));
        return all;
    }

    private long stored() {
        return Stream.of("a0", "a1", "a2")
                .mapToLong(
                        account -> at(account).exists() ? at(account).stream().count() : 0)
                .sum();
    }

    /** Brings the change to the phase in which blobs move, and stops before the first one. */
    private void stopWithin(String phase) {
        stopWithin(phase, 0, RingMove::run);
    }

    private void stopWithin(String phase, int skipped, Consumer<RingMove> work) {
        AtomicReference<StowlineRing> mover = new AtomicReference<>();
        Thread thread = Thread.currentThread();
        HttpClientStop stop = new HttpClientStop(thread, phase, skipped);
        mover.set(ring(r -> r.account("a0", RingBench.client(accounts.get(0), stop::on), a -> a)
                .account("a1", RingBench.client(accounts.get(1), stop::on), a -> a)
                .joining("a2", RingBench.client(accounts.get(2), stop::on), a -> a)));
        try {
            work.accept(mover.get().move().container("pictures").parallelism(1).longestCall(Duration.ofMillis(30)));
        } catch (RuntimeException e) {
            Thread.interrupted();
        }
        assertThat(stop.stopped).as(phase).isTrue();
    }

    /** Interrupts the mover at its first change of a blob: a mark in the old home, or the placeholder, copy or mark behind it. */
    private static final class HttpClientStop {
        private final Thread mover;
        private final String part;
        private final AtomicLong left;
        private volatile boolean stopped;

        HttpClientStop(Thread mover, String part, long skipped) {
            this.left = new AtomicLong(skipped);
            this.mover = mover;
            this.part = part;
        }

        HttpClient on(HttpClient inner) {
            return request -> {
                String line = request.getHttpMethod() + " " + request.getUrl() + " "
                        + request.getHeaders().getValue(HttpHeaderName.fromString("x-ms-meta-stowlinering")) + " copy="
                        + request.getHeaders().getValue(HttpHeaderName.fromString("x-ms-copy-source"));
                if (stopped
                        || (request.getHttpMethod() != HttpMethod.GET
                                && line.contains(part)
                                && left.getAndDecrement() == 0)) {
                    stopped = true;
                    return Mono.<HttpResponse>never().doOnSubscribe(any -> mover.interrupt());
                }
                return inner.send(request);
            };
        }
    }

    @Test
    @DisplayName("RING-9: an account that joins gets its share with all facts of the blobs")
    void anAccountThatJoinsGetsItsShareWithAllFacts() {
        assertThat(contents(pictures)).isEqualTo(expected());
        AtomicLong visited = new AtomicLong();

        move().progress(done -> visited.set(done.moved())).run();

        assertThat(visited.get()).isPositive();
        assertThat(move().verify().isComplete()).isTrue();
        assertThat(contents(pictures)).isEqualTo(expected());
        assertThat(contents(moved)).isEqualTo(expected());
        String blob = travelling();
        BlobInfo info = moved.find(blob).orElseThrow();
        assertThat(info.metadata()).isEqualTo(Map.of("owner", "x"));
        assertThat(info.headers().contentType()).isEqualTo("text/plain");
        moved.upload("second".getBytes(UTF_8), blob, with -> with.overwrite());
        assertThat(pictures.download(blob)).asString().isEqualTo("second");
        moved.delete(blob);
        assertThat(pictures.find(blob)).isEmpty();

        move().finish();

        assertThat(stored()).isEqualTo(BLOBS - 1);
        assertThat(contents(moved)).hasSize(BLOBS - 1);
        assertThatExceptionOfType(RingMismatchException.class).isThrownBy(() -> pictures.find(blob));
        assertThatExceptionOfType(RingMismatchException.class).isThrownBy(() -> old.find(blob));
    }

    @Test
    @DisplayName("RING-9: a rollback brings all back with the writes since")
    void aRollbackBringsAllBackWithTheWritesSince() {
        move().run();
        String blob = travelling();
        moved.upload("second".getBytes(UTF_8), blob, with -> with.overwrite());
        String gone = name(1);
        moved.delete(gone);
        moved.upload("third".getBytes(UTF_8), "born");

        move().rollback();

        TreeMap<String, String> expected = expected();
        expected.put(blob, "second");
        expected.put("born", "third");
        expected.remove(gone);
        assertThat(contents(old)).isEqualTo(expected);
        assertThat(at("a2").stream()).isEmpty();
        assertThat(stored()).isEqualTo(BLOBS);
        assertThat(old.find(blob).orElseThrow().metadata()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"FROZEN", "COPYING", "copy=http", "MOVED"})
    @DisplayName("RING-9: each verb finds a blob whose move has stopped, and writes go where it is")
    void eachVerbFindsABlobWhoseMoveHasStopped(String step, @TempDir Path folder) throws IOException {
        stopWithin(step);

        assertThat(contents(pictures)).isEqualTo(expected());
        String blob = travelling();
        boolean frozen = oldHome(blob).find(blob).orElseThrow().metadata().containsKey("stowlinering");
        if (frozen) {
            move().run();
        }
        assertThat(pictures.find(blob).orElseThrow().metadata()).isEqualTo(Map.of("owner", "x"));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> pictures.upload(new byte[1], blob));
        pictures.upload("second".getBytes(UTF_8), blob, with -> with.overwrite());
        Path file = Files.writeString(folder.resolve("file"), "third");
        pictures.upload(file, blob, with -> with.overwrite());
        pictures.downloadTo(blob, folder.resolve("copy"));
        assertThat(folder.resolve("copy")).hasContent("third");
        pictures.upload(new ByteArrayInputStream("fourth".getBytes(UTF_8)), blob, with -> with.overwrite());
        try (InputStream content = pictures.open(blob)) {
            assertThat(content).hasContent("fourth");
        }
        pictures.delete(blob);
        assertThat(pictures.find(blob)).isEmpty();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> pictures.delete(blob));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> pictures.download(blob));
        assertThat(pictures.deleteIfExists(blob)).isFalse();
        pictures.upload("fifth".getBytes(UTF_8), blob);
        assertThat(pictures.download(blob)).asString().isEqualTo("fifth");
        assertThat(pictures.deleteIfExists(blob)).isTrue();
        pictures.upload("sixth".getBytes(UTF_8), "born" + blob);

        move().run();
        move().finish();

        TreeMap<String, String> expected = expected();
        expected.remove(blob);
        expected.put("born" + blob, "sixth");
        assertThat(contents(moved)).isEqualTo(expected);
        assertThat(stored()).isEqualTo(BLOBS);
    }

    @Test
    @DisplayName("RING-9: a blob that was deleted after its way back is in no list")
    void aBlobThatWasDeletedAfterItsWayBackIsInNoList() {
        move().run();
        stopWithin("FROZEN", 1, RingMove::rollback);
        String blob = travelling();
        assertThat(oldHome(blob).find(blob).orElseThrow().metadata()).isEqualTo(Map.of("owner", "x"));
        pictures.delete(blob);

        TreeMap<String, String> expected = expected();
        expected.remove(blob);
        assertThat(pictures.find(blob)).isEmpty();
        assertThat(contents(pictures)).isEqualTo(expected);
        move().run();
        assertThat(contents(pictures)).isEqualTo(expected);
        assertThat(contents(moved)).isEqualTo(expected);
    }

    private StowlineRing mover(AtomicLong left, boolean applied) {
        return ring(r -> {
            for (int i = 0; i < 3; i++) {
                UnaryOperator<Stowline.Builder> client = RingBench.killed(accounts.get(i), left, applied);
                if (i < 2) {
                    r.account("a" + i, client, a -> a);
                } else {
                    r.joining("a2", client, a -> a);
                }
            }
            return r;
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RING-9: a mover that is killed at each request goes on, forth and back")
    void aMoverThatIsKilledAtEachRequestGoesOn(boolean applied) {
        boolean back = true;
        boolean ended = false;
        for (int requests = 1; !ended; requests += requests < 40 ? 1 : 13) {
            back = !back;
            AtomicLong left = new AtomicLong(requests);
            StowlineRing mover = mover(left, applied);
            RingMove move = mover.move().container("pictures").longestCall(Duration.ZERO);
            try {
                if (back) {
                    move.rollback();
                } else {
                    move.run();
                }
                ended = left.get() > 0;
            } catch (RuntimeException e) {
                assertThat(left.get()).as("a failure without a kill: %s", e).isNotPositive();
            }
            Thread.interrupted();
            mover.close();
            if (requests % 5 == 0) {
                assertThat(contents(pictures)).isEqualTo(expected());
            }
        }
        move().run();
        assertThat(contents(pictures)).isEqualTo(expected());
        move().finish();
        assertThat(contents(moved)).isEqualTo(expected());
        assertThat(stored()).isEqualTo(BLOBS);
    }

    @Test
    @DisplayName("RING-9: an upload of a stream that meets the move has an unknown outcome")
    void anUploadOfAStreamThatMeetsTheMoveHasAnUnknownOutcome() {
        stopWithin("FROZEN");
        String blob = travelling();
        InputStream content = new InputStream() {
            private boolean done;

            @Override
            public int read() {
                if (!done) {
                    done = true;
                    move().run();
                    return 'x';
                }
                return -1;
            }
        };

        assertThatExceptionOfType(OutcomeUnknownException.class)
                .isThrownBy(() -> pictures.upload(content, blob, with -> with.overwrite()));
        assertThat(pictures.download(blob)).asString().startsWith("first");
    }

    @Test
    @DisplayName("RING-9: a container that is forgotten refuses the move, and its blobs have no other verbs")
    void aContainerThatIsForgottenRefusesTheMove() {
        assertThatIllegalStateException()
                .isThrownBy(() -> changing.move().run())
                .withMessageContaining("containers [pictures]");
        assertThatIllegalStateException().isThrownBy(() -> pictures.containerOf("a"));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        pictures.upload(new byte[1], "a", with -> with.metadata(Map.of("StowlineRing", "FROZEN.1"))))
                .withMessageContaining("stowlinering");
        changing.move().without("pictures").longestCall(Duration.ZERO).run();
    }
}
