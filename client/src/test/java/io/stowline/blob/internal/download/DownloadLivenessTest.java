package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.caching.Freshness;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Downloads that are given up in the middle, by their caller or by their deadline, and what must be as before then: the file that was there,
 * the folder, the memory, the permits, and the next download.
 */
@Timeout(120)
class DownloadLivenessTest {

    private static final byte[] CONTENT = content();
    private static final String MD5 = StoredBlob.hashOf(CONTENT);

    private final StoredBlob stored = new StoredBlob(CONTENT, MD5);
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container();

    @TempDir
    private Path folder;

    private static byte[] content() {
        byte[] content = new byte[Download.PIECE + 1_000];
        new Random(1).nextBytes(content);
        return content;
    }

    @AfterEach
    void close() {
        released.countDown();
        blobs.close();
    }

    /** The moment of the standstill. */
    private enum Moment {
        BEFORE_THE_RESPONSE,
        IN_THE_FIRST_RANGE,
        IN_A_LATER_RANGE
    }

    /** The target and the face. */
    private enum Way {
        FILE,
        STREAM,
        CACHED_FILE,
        CACHED_STREAM
    }

    private void standStill(Moment moment) {
        blobs.respond(requested -> {
            boolean first = requested.header("x-ms-range").startsWith("bytes=0-");
            return switch (moment) {
                case BEFORE_THE_RESPONSE -> hold(requested);
                case IN_THE_FIRST_RANGE -> first ? part(requested) : stored.apply(requested);
                case IN_A_LATER_RANGE -> first ? stored.apply(requested) : part(requested);
            };
        });
    }

    private BlobStubResponse hold(StubRequest requested) {
        reached.countDown();
        await(released);
        return stored.apply(requested);
    }

    private BlobStubResponse part(StubRequest requested) {
        reached.countDown();
        return stored.apply(requested).standingStillAfter(10);
    }

    /** A download to a file that has a range keeps it, and the state. */
    private static int kept(Way way, Moment moment) {
        return way == Way.FILE && moment == Moment.IN_A_LATER_RANGE ? 2 : 0;
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Object blocking(BlobContainer from, Way way, Path target) {
        return switch (way) {
            case FILE -> from.downloadTo("a", target);
            case STREAM -> from.downloadTo("a", new ByteArrayOutputStream());
            case CACHED_FILE -> from.cached(Freshness.revalidated()).downloadTo("a", target);
            case CACHED_STREAM -> from.cached(Freshness.revalidated()).downloadTo("a", new ByteArrayOutputStream());
        };
    }

    private static Mono<?> reactive(BlobContainer from, Way way, Path target) {
        return switch (way) {
            case FILE -> from.reactive().downloadTo("a", target);
            case STREAM -> from.reactive().downloadTo("a", new ByteArrayOutputStream());
            case CACHED_FILE -> from.cached(Freshness.revalidated()).reactive().downloadTo("a", target);
            case CACHED_STREAM ->
                from.cached(Freshness.revalidated()).reactive().downloadTo("a", new ByteArrayOutputStream());
        };
    }

    private Path before() throws IOException {
        return Files.writeString(folder.resolve("a"), "before");
    }

    private void assertAllIsBack(Path target) {
        assertAllIsBack(target, 0);
    }

    /**
     * The oracles. What a cancel ends on another thread may take its time.
     *
     * @param kept how many files are there for the next download to the same target
     */
    private void assertAllIsBack(Path target, int kept) {
        Boolean clean = Mono.fromCallable(() -> {
                    String[] names = folder.toFile().list();
                    return names.length == 1 + kept && blobs.memory().now() == 0;
                })
                .filter(done -> done)
                .repeatWhenEmpty(10_000, tries -> tries.delayElements(Duration.ofMillis(5)))
                .block(Duration.ofSeconds(30));
        assertThat(clean).isTrue();
        assertThat(target).hasContent("before");
        released.countDown();
        byte[] small = Arrays.copyOf(CONTENT, 1_000);
        blobs.respond(new StoredBlob(small).etag("\"v2\""));
        List<byte[]> all = Flux.range(0, 9)
                .flatMap(i -> photos.reactive().download("a"), 9)
                .collectList()
                .block(Duration.ofSeconds(60));
        assertThat(all).hasSize(9).allMatch(bytes -> Arrays.equals(bytes, small));
        for (Way way : Way.values()) {
            assertThat(blocking(photos, way, folder.resolve("next"))).isNotNull();
        }
        assertThat(folder.resolve("next")).hasBinaryContent(small);
        photos.downloadTo("a", target);
        assertThat(target).hasBinaryContent(small);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("a", "next");
        assertThat(blobs.memory().now()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "FILE, BEFORE_THE_RESPONSE",
        "FILE, IN_THE_FIRST_RANGE",
        "FILE, IN_A_LATER_RANGE",
        "STREAM, IN_A_LATER_RANGE",
        "CACHED_FILE, BEFORE_THE_RESPONSE",
        "CACHED_FILE, IN_THE_FIRST_RANGE",
        "CACHED_FILE, IN_A_LATER_RANGE",
        "CACHED_STREAM, IN_A_LATER_RANGE"
    })
    @DisplayName("TRANSFER-2: a download whose caller is interrupted leaves no more behind than can be resumed, and the"
            + " next one works at once")
    void interrupted(Way way, Moment moment) throws Exception {
        Path target = before();
        standStill(moment);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            Throwable failure = catchThrowable(() -> blocking(photos, way, target));
            flag.complete(Thread.currentThread().isInterrupted());
            thrown.complete(failure);
        });
        caller.start();
        await(reached);
        caller.interrupt();

        assertThat(thrown.get(20, TimeUnit.SECONDS)).isInstanceOf(StorageInterruptedException.class);
        assertThat(flag).isCompletedWithValue(true);
        assertAllIsBack(target, kept(way, moment));
    }

    @ParameterizedTest
    @CsvSource({
        "FILE, BEFORE_THE_RESPONSE",
        "FILE, IN_THE_FIRST_RANGE",
        "FILE, IN_A_LATER_RANGE",
        "STREAM, IN_A_LATER_RANGE",
        "CACHED_FILE, BEFORE_THE_RESPONSE",
        "CACHED_FILE, IN_THE_FIRST_RANGE",
        "CACHED_FILE, IN_A_LATER_RANGE",
        "CACHED_STREAM, IN_A_LATER_RANGE"
    })
    @DisplayName("TRANSFER-2: a download that is cancelled leaves no more behind than can be resumed, and the next one"
            + " works at once")
    void cancelled(Way way, Moment moment) throws Exception {
        Path target = before();
        standStill(moment);
        CompletableFuture<?> running = reactive(photos, way, target).toFuture();
        await(reached);
        running.cancel(true);

        assertAllIsBack(target, kept(way, moment));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @DisplayName(
            "TRANSFER-2: a download that comes to its deadline leaves no more behind than can be resumed, and the next"
                    + " one works at once")
    void timedOut(Way way) throws Exception {
        Path target = before();
        standStill(Moment.IN_THE_FIRST_RANGE);
        BlobContainer hasty = photos.withRetry(with -> with.deadline(Duration.ofMillis(400)));

        assertThatExceptionOfType(StorageException.class).isThrownBy(() -> blocking(hasty, way, target));
        assertAllIsBack(target);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("RETRY-8: an interrupt that the target notices is an interrupt, and the flag is set")
    void interruptedInTheTarget(boolean cached) throws Exception {
        Path target = before();
        try (FileChannel channel = FileChannel.open(target, StandardOpenOption.APPEND);
                OutputStream file = Channels.newOutputStream(channel)) {
            OutputStream stream = new OutputStream() {
                @Override
                public void write(int b) throws IOException {
                    Thread.currentThread().interrupt();
                    file.write(b);
                }
            };
            assertThatExceptionOfType(StorageInterruptedException.class).isThrownBy(() -> {
                if (cached) {
                    photos.cached(Freshness.revalidated()).downloadTo("a", stream);
                } else {
                    photos.downloadTo("a", stream);
                }
            });
            assertThat(Thread.interrupted()).isTrue();
        }
        assertAllIsBack(target);
    }

    @Test
    @DisplayName("RETRY-8: an interrupt that the source of an upload notices is an interrupt, and the flag is set")
    void interruptedInTheSource() {
        blobs.respond(requested -> requested.method().equals("HEAD")
                ? BlobStubResponse.refusal(404, "BlobNotFound")
                : BlobStubResponse.of(201));
        assertThatExceptionOfType(StorageInterruptedException.class)
                .isThrownBy(() -> photos.upload(
                        new InputStream() {
                            @Override
                            public int read() throws IOException {
                                throw new InterruptedIOException("while the pipe was empty");
                            }

                            @Override
                            public int read(byte[] target, int offset, int length) throws IOException {
                                throw new InterruptedIOException("while the pipe was empty");
                            }
                        },
                        "a"));
        assertThat(Thread.interrupted()).isTrue();
        assertThat(blobs.requested()).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("TRANSFER-2: a download whose target fails leaves no more behind than can be resumed, and the next one"
            + " works at once")
    void failedInTheTarget(boolean cached) throws Exception {
        Path target = before();
        OutputStream full = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> {
                    if (cached) {
                        photos.cached(Freshness.revalidated()).downloadTo("a", full);
                    } else {
                        photos.downloadTo("a", full);
                    }
                })
                .withMessageContaining("No space left");
        assertAllIsBack(target);
    }
}
