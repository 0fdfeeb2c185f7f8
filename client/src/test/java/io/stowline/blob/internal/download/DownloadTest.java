package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.storage.blob.models.BlobType;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.NotFoundException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.UnreachableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The requests of a download, and its handling of responses that break off or do not fit. */
@Timeout(60)
class DownloadTest {

    private static final int PIECE = Download.PIECE;

    private final byte[] content = bytes(1_000);
    private final StoredBlob stored = new StoredBlob(content);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** The usual responses, but for the first ones. */
    private Function<StubRequest, BlobStubResponse> cutting(int times, int after) {
        AtomicInteger cuts = new AtomicInteger();
        return request ->
                cuts.getAndIncrement() < times ? stored.apply(request).cutAfter(after) : stored.apply(request);
    }

    @Test
    void readsASmallBlobInOneRequest() {
        assertThat(photos.download("a b")).isEqualTo(content);

        assertThat(blobs.requested()).hasSize(1);
        StubRequest get = blobs.requested().get(0);
        assertThat(get.path()).isEqualTo("/acct/photos/a%20b");
        assertThat(get.header("x-ms-range")).isEqualTo("bytes=0-" + (PIECE - 1));
        assertThat(get.header("If-Match")).isNull();
        assertThat(get.query()).isEqualTo("timeout=960");
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-2: a body that breaks off is resumed where it did, in the same version")
    void resumes() {
        blobs.respond(cutting(2, 300));
        assertThat(photos.download("a")).isEqualTo(content);

        assertThat(blobs.requested())
                .extracting(get -> get.header("x-ms-range"))
                .containsExactly("bytes=0-" + (PIECE - 1), "bytes=300-999", "bytes=600-999");
        assertThat(blobs.requested())
                .extracting(get -> get.header("If-Match"))
                .containsExactly(null, "\"v1\"", "\"v1\"");
    }

    @Test
    @DisplayName(
            "TRANSFER-2: a response that brings less than was asked for skips no byte, wherever in the blob it comes")
    void shortResponses() throws IOException {
        byte[] large = bytes(2 * PIECE + 1_000);
        StoredBlob whole = new StoredBlob(large);
        AtomicInteger requested = new AtomicInteger();
        blobs.respond(request -> {
            BlobStubResponse reported = whole.apply(request);
            if (requested.getAndIncrement() % 2 == 1) {
                return reported;
            }
            int less = reported.body().length - 100;
            String range = reported.headers().get("Content-Range");
            int from = Integer.parseInt(range.substring(6, range.indexOf('-')));
            return reported.with("Content-Range", "bytes " + from + "-" + (from + less - 1) + "/" + large.length)
                    .body(Arrays.copyOf(reported.body(), less));
        });

        try (InputStream stream = photos.open("a")) {
            assertThat(stream.readAllBytes()).isEqualTo(large);
        }
        assertThat(photos.download("a", large.length)).isEqualTo(large);
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-2: a blob that changes between two parts is an error at once, never a mixture")
    void neverMixesVersions() throws IOException {
        Path target = Files.writeString(folder.resolve("a"), "before");
        blobs.respond(request -> {
            BlobStubResponse reported = stored.apply(request).cutAfter(300);
            stored.changeTo(bytes(999), "\"v2\"");
            return reported;
        });

        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> photos.downloadTo("a", target))
                .satisfies(e -> assertThat(e.failure().status()).isEqualTo(412))
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo("photos/a"));
        assertThat(blobs.requested()).hasSize(2);
        assertThat(target).hasContent("before");
        assertThat(folder).isDirectoryNotContaining(file -> !file.equals(target));
    }

    @Test
    @DisplayName(
            "TRANSFER-2: bodies that break off again and again are given up after the retries of the settings, with"
                    + " the facts")
    void givesUp() {
        blobs.respond(
                request -> stored.apply(request).cutAfter("bytes=3-999".equals(request.header("x-ms-range")) ? 0 : 3));

        assertThatExceptionOfType(UnreachableException.class)
                .isThrownBy(() -> photos.withRetry(r -> r.retries(2)).download("a"))
                .satisfies(e -> assertThat(e.failure().attempts()).isEqualTo(3))
                .satisfies(e -> assertThat(e.failure().operation()).isEqualTo("download"))
                .satisfies(e -> assertThat(e.failure().requestId()).isEqualTo("r-1"))
                .satisfies(e -> assertThat(e.failure().clientRequestId()).hasSize(36))
                .withMessageContaining("broke off after 3 of 1000 bytes")
                .withMessageContaining("2 retries used up");
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-2: an error after a short response names once where the body broke off")
    void givesUpAfterShortResponse() {
        AtomicInteger requested = new AtomicInteger();
        blobs.respond(request -> {
            BlobStubResponse reported = stored.apply(request);
            return requested.getAndIncrement() > 0
                    ? reported.cutAfter(0)
                    : reported.with("Content-Range", "bytes 0-299/1000").body(Arrays.copyOf(reported.body(), 300));
        });

        assertThatExceptionOfType(UnreachableException.class)
                .isThrownBy(() -> photos.withRetry(r -> r.retries(1)).download("a"))
                .satisfies(e -> assertThat(e.getMessage().split("broke off after", -1))
                        .as(e.getMessage())
                        .hasSize(2))
                .withMessageContaining("broke off after 300 of 1000 bytes");
    }

    @Test
    @DisplayName("TRANSFER-7: retries are counted from the last one that has brought bytes")
    void goesOnWhileBytesCome() {
        blobs.respond(request -> stored.apply(request).cutAfter(10));

        assertThat(photos.withRetry(r -> r.retries(1)).download("a")).isEqualTo(content);
        assertThat(blobs.requested()).hasSize(100);
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("RETRY-5: a body that stands still does not outlive the deadline")
    void endsAtTheDeadline() {
        blobs.respond(request -> stored.apply(request).standingStillAfter(10));

        assertThatExceptionOfType(UnreachableException.class)
                .isThrownBy(() -> photos.withRetry(
                                r -> r.deadline(Duration.ofMillis(1_200)).retries(1))
                        .download("a"))
                .withMessageContaining("deadline of PT1.2S");
        assertThat(blobs.requested()).hasSize(1);
    }

    @Test
    @DisplayName(
            "TRANSFER-2, TRANSFER-3: a long blob is read in ranges of one version, checked, and gets its name when it"
                    + " is whole")
    void readsALongBlobInRanges() throws IOException {
        byte[] large = bytes(3 * PIECE + 17);
        blobs.respond(new StoredBlob(large));
        Path target = folder.resolve("a");
        BlobInfo info = photos.downloadTo("a", target);

        assertThat(Files.readAllBytes(target)).isEqualTo(large);
        assertThat(folder).isDirectoryContaining(target::equals).isDirectoryNotContaining(file -> !file.equals(target));
        assertThat(info.size()).isEqualTo(large.length);
        assertThat(info.metadata()).isEqualTo(Map.of("owner", "me"));
        assertThat(blobs.requested()).hasSize(4);
        assertThat(blobs.requested().subList(1, 4))
                .extracting(get -> get.header("If-Match"))
                .containsOnly("\"v1\"");
        assertThat(blobs.requested())
                .extracting(get -> get.header("x-ms-range"))
                .containsExactlyInAnyOrder(
                        "bytes=0-" + (PIECE - 1),
                        "bytes=" + PIECE + "-" + (2 * PIECE - 1),
                        "bytes=" + 2 * PIECE + "-" + (3 * PIECE - 1),
                        "bytes=" + 3 * PIECE + "-" + (3 * PIECE + 16));
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-2: content with another MD5 than the stored one replaces nothing")
    void checksTheWhole() throws IOException {
        stored.md5("AAAAAAAAAAAAAAAAAAAAAA==");
        Path target = Files.writeString(folder.resolve("a"), "before");

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.downloadTo("a", target))
                .withMessageContaining("photos/a")
                .withMessageContaining("AAAAAAAAAAAAAAAAAAAAAA==")
                .satisfies(e -> assertThat(e.failure().requestId()).isEqualTo("r-1"));
        assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> photos.download("a"));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.downloadTo("a", OutputStream.nullOutputStream()));
        assertThat(target).hasContent("before");
        assertThat(folder).isDirectoryNotContaining(file -> !file.equals(target));
    }

    @Test
    @DisplayName(
            "TRANSFER-2: the MD5 of a response with the whole blob stands in another header, and is checked like the"
                    + " other one")
    void checksAWholeResponse() {
        AtomicReference<String> md5 = new AtomicReference<>(StoredBlob.hashOf(content));
        blobs.respond(request -> BlobStubResponse.of(200)
                .with("ETag", "\"v1\"")
                .with("x-ms-blob-type", "BlockBlob")
                .with("Content-MD5", md5.get())
                .body(content));

        assertThat(photos.downloadTo("a", OutputStream.nullOutputStream()).contentMd5())
                .isEqualTo(md5.get());
        assertThat(photos.download("a")).isEqualTo(content);
        md5.set("AAAAAAAAAAAAAAAAAAAAAA==");
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.download("a"))
                .withMessageContaining("AAAAAAAAAAAAAAAAAAAAAA==");
    }

    @Test
    @DisplayName("the MD5 of a range is not that of the blob")
    void takesNoMd5OfARange() {
        blobs.respond(request -> stored.md5(null).apply(request).with("Content-MD5", "AAAAAAAAAAAAAAAAAAAAAA=="));

        assertThat(photos.download("a")).isEqualTo(content);
        assertThat(photos.downloadTo("a", OutputStream.nullOutputStream()).contentMd5())
                .isNull();
    }

    @Test
    void doesNotTrustTheMd5OfWhatIsAppendedTo() {
        stored.md5("AAAAAAAAAAAAAAAAAAAAAA==").type("AppendBlob");

        assertThat(photos.download("a")).isEqualTo(content);
        assertThat(photos.downloadTo("a", OutputStream.nullOutputStream()).type())
                .isEqualTo(BlobType.APPEND_BLOB);
    }

    @Test
    void namesSizeAndLimitOfABlobThatIsTooLarge() {
        assertThat(photos.download("a", 1_000)).isEqualTo(content);
        assertThatIllegalStateException()
                .isThrownBy(() -> photos.download("a", 999))
                .withMessageContaining("photos/a has 1000 bytes")
                .withMessageContaining("limit of 999");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> photos.download("a", -1))
                .withMessageContaining("-1");
    }

    @Test
    @DisplayName("TRANSFER-2: an empty blob, which has no range, is an empty file")
    void readsAnEmptyBlob() throws IOException {
        blobs.respond(new StoredBlob(new byte[0]));
        Path target = Files.writeString(folder.resolve("a"), "before");

        assertThat(photos.downloadTo("a", target).size()).isZero();
        assertThat(target).isEmptyFile();
        assertThat(photos.download("a")).isEmpty();
        try (InputStream in = photos.open("a")) {
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void refusesAnotherRangeThanItRequested() {
        blobs.respond(request -> stored.apply(request).with("Content-Range", "bytes 5-1004/2000"));

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.download("a"))
                .withMessageContaining("bytes 5-1004/2000");
        assertThat(blobs.requested()).hasSize(1);
        blobs.respond(request -> stored.apply(request).without("ETag"));
        assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> photos.download("a"));
    }

    @Test
    @DisplayName("TRANSFER-2: a part of a blob that does not say which part it is never counts as the whole")
    void refusesAPartThatNamesNoRange() throws IOException {
        Path target = Files.writeString(folder.resolve("a"), "before");
        blobs.respond(request -> stored.apply(request).without("Content-Range"));

        assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> photos.download("a"));
        assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> photos.downloadTo("a", target));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.downloadTo("a", new ByteArrayOutputStream()));
        assertThat(target).hasContent("before");
    }

    @ParameterizedTest
    @ValueSource(strings = {"another version", "a larger blob", "a smaller blob"})
    @DisplayName("TRANSFER-2: a later part of another version or length than the condition says is a protocol error")
    void refusesAPartOfAnotherBlob(String part) throws IOException {
        byte[] large = bytes(2 * PIECE + 1_000);
        StoredBlob whole = new StoredBlob(large);
        Path target = Files.writeString(folder.resolve("a"), "before");
        blobs.respond(request -> {
            BlobStubResponse reported = whole.apply(request);
            String range = String.valueOf(reported.headers().get("Content-Range"));
            if (request.header("If-Match") == null || !range.contains("/")) {
                return reported;
            }
            return switch (part) {
                case "another version" -> reported.with("ETag", "\"v2\"");
                case "a larger blob" ->
                    reported.with("Content-Range", range.replaceAll("/.*", "/" + (large.length + 1)));
                default -> reported.with("Content-Range", range.replaceAll("/.*", "/" + (PIECE + 1)));
            };
        });

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.download("a", large.length))
                .withMessageContaining("while the condition was the version \"v1\"");
        assertThatExceptionOfType(ProtocolException.class).isThrownBy(() -> photos.downloadTo("a", target));
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> photos.downloadTo("a", new ByteArrayOutputStream()));
        try (InputStream stream = photos.open("a")) {
            assertThatThrownBy(stream::readAllBytes).isInstanceOf(ProtocolException.class);
        }
        assertThat(target).hasContent("before");
        assertThat(folder).isDirectoryNotContaining(file -> !file.equals(target));
    }

    @Test
    @DisplayName("TRANSFER-2: a download that finds nothing leaves the target as it was")
    void leavesTheTargetWhenThereIsNoBlob() throws IOException {
        blobs.respond(request -> BlobStubResponse.refusal(404, "BlobNotFound"));
        Path target = Files.writeString(folder.resolve("a"), "before");

        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.downloadTo("a", target));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.open("a"));
        assertThat(target).hasContent("before");
        assertThat(folder).isDirectoryNotContaining(file -> !file.equals(target));
    }

    @Test
    void writesThroughALinkAndRefusesFolders() throws IOException {
        Path target = Files.writeString(folder.resolve("a"), "before");
        Path link = Files.createSymbolicLink(folder.resolve("link"), target);
        photos.downloadTo("a", link);

        assertThat(link).isSymbolicLink();
        assertThat(Files.readAllBytes(target)).isEqualTo(content);
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> photos.downloadTo("a", folder))
                .withMessageContaining("is a folder");
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> photos.downloadTo("a", folder.resolve("none").resolve("a")))
                .withMessageContaining("none");
    }

    @Test
    void endsWithTheStreamThatItWrites() {
        blobs.respond(new StoredBlob(bytes(12 * PIECE)));

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> photos.downloadTo("a", new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("the disk is full");
                    }
                }))
                .withMessageContaining("the disk is full");
        assertThat(blobs.requested()).hasSizeLessThan(12);
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName(
            "TRANSFER-3: a stream reads ahead of its reader by a bounded number of bytes, and stops when it is closed")
    void readsAheadWithinBounds() throws IOException {
        byte[] large = bytes(12 * PIECE);
        blobs.respond(new StoredBlob(large));
        try (InputStream in = photos.open("a")) {
            assertThat(in.readNBytes(100)).isEqualTo(Arrays.copyOf(large, 100));
        }
        assertThat(blobs.requested()).hasSizeLessThanOrEqualTo(7);
        assertThat(blobs.memory().max()).isLessThanOrEqualTo(6L * PIECE);
        assertThat(blobs.memory().now()).isZero();

        try (InputStream in = photos.open("a")) {
            assertThat(in.readAllBytes()).isEqualTo(large);
            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(blobs.memory().max()).isLessThanOrEqualTo(6L * PIECE);
    }

    @Test
    void closedStreamsAreClosed() throws IOException {
        InputStream in = photos.open("a");
        assertThat(in.read()).isEqualTo(content[0] & 0xFF);
        assertThat(in.available()).isEqualTo(999);
        in.close();
        in.close();

        assertThatExceptionOfType(IOException.class).isThrownBy(in::read).withMessageContaining("closed");
    }

    @Test
    @DisplayName("RETRY-8: an interrupt ends a download at once, sets the flag again and leaves nothing behind")
    void endsWhenInterrupted() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        blobs.respond(request -> {
            requested.countDown();
            waitFor(end);
            return stored.apply(request);
        });
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            try {
                photos.downloadTo("a", folder.resolve("a"));
            } catch (StorageInterruptedException e) {
                flag.complete(Thread.currentThread().isInterrupted());
            } finally {
                flag.complete(false);
            }
        });
        reader.start();
        waitFor(requested);
        reader.interrupt();

        assertThat(flag.get(20, TimeUnit.SECONDS)).isTrue();
        reader.join();
        assertThat(folder).isEmptyDirectory();
        assertThat(blobs.memory().now()).isZero();
        end.countDown();
    }

    @Test
    @DisplayName("RETRY-8: a stream whose reader was interrupted never looks as if it had come to its end")
    void neverPretendsToHaveEnded() throws Exception {
        byte[] large = bytes(3 * PIECE);
        CountDownLatch end = new CountDownLatch(1);
        StoredBlob blob = new StoredBlob(large);
        blobs.respond(request -> {
            if (!request.header("x-ms-range").startsWith("bytes=0-")) {
                waitFor(end);
            }
            return blob.apply(request);
        });
        try (InputStream in = photos.open("a")) {
            assertThat(in.readNBytes(PIECE)).hasSize(PIECE);
            Thread reader = Thread.currentThread();
            Thread interrupter = new Thread(() -> {
                while (reader.getState() != Thread.State.WAITING) {
                    LockSupport.parkNanos(100_000);
                }
                reader.interrupt();
            });
            interrupter.start();
            assertThatExceptionOfType(StorageInterruptedException.class).isThrownBy(in::read);
            assertThat(Thread.interrupted()).isTrue();
            assertThatIllegalStateException().isThrownBy(in::read).withMessageContaining("closed");
        } finally {
            end.countDown();
        }
    }

    @Test
    void cancellingTheReactiveFaceEndsTheWork() {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        blobs.respond(request -> {
            requested.countDown();
            waitFor(end);
            return stored.apply(request);
        });
        CompletableFuture<BlobInfo> facts =
                photos.reactive().downloadTo("a", folder.resolve("a")).toFuture();
        waitFor(requested);
        facts.cancel(true);

        assertThat(Mono.fromCallable(() -> folder.toFile().list().length == 0)
                        .filter(empty -> empty)
                        .repeatWhenEmpty(tries -> tries.delayElements(Duration.ofMillis(20)))
                        .block(Duration.ofSeconds(20)))
                .isTrue();
        end.countDown();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void refusesToBlockAnEventLoop() {
        for (Runnable call : new Runnable[] {
            () -> photos.download("a"),
            () -> photos.downloadTo("a", folder.resolve("a")),
            () -> photos.downloadTo("a", new ByteArrayOutputStream()),
            () -> photos.open("a"),
            () -> photos.stream().forEach(blob -> {}),
            () -> photos.upload(InputStream.nullInputStream(), "a")
        }) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> Mono.fromRunnable(call)
                            .subscribeOn(Schedulers.parallel())
                            .block())
                    .withMessageContaining("must not block");
        }
        assertThat(blobs.requested()).isEmpty();
    }

    @Test
    void reactiveReadersGetTheContentOnCallbackThreads() {
        byte[] large = bytes(2 * PIECE + 5);
        blobs.respond(new StoredBlob(large));
        ByteBuffer whole = ByteBuffer.allocate(large.length);
        Flux<String> threads = photos.reactive().open("a").map(part -> {
            whole.put(part);
            return Thread.currentThread().getName();
        });

        assertThat(threads.collectList().block(Duration.ofSeconds(20)))
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(thread -> thread.matches("stowline-.+-callback-\\d+"));
        assertThat(whole.array()).isEqualTo(large);
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("what is opened shows its progress, to the end of the content or to the close")
    void opensWithProgress() throws IOException {
        BlockingQueue<TransferProgress> seen = new LinkedBlockingQueue<>();

        try (InputStream stream = photos.open("a", with -> with.progress(seen::add))) {
            assertThat(stream.readNBytes(400)).hasSize(400);
            assertThat(stream.readAllBytes()).hasSize(600);
            assertThat(stream.read()).isEqualTo(-1);
        }
        assertAtEnd(seen, content.length);
        try (InputStream stream = photos.open("a", with -> with.range(100, 500).progress(seen::add))) {
            assertThat(stream.readNBytes(400)).hasSize(400);
        }
        TransferProgress closed = last(seen);
        assertThat(closed.bytesDone()).isEqualTo(400);
        assertThat(closed.bytesTotal()).hasValue(500);

        photos.reactive().open("a", with -> with.progress(seen::add)).blockLast();
        assertAtEnd(seen, content.length);
    }

    private static void assertAtEnd(BlockingQueue<TransferProgress> seen, long bytes) {
        TransferProgress last = last(seen);
        assertThat(last.bytesDone()).isEqualTo(bytes);
        assertThat(last.bytesTotal()).hasValue(bytes);
        assertThat(last.blobsDone()).isOne();
        assertThat(last.timeLeft()).contains(Duration.ZERO);
    }

    /** The call at the end, which comes on another thread. */
    private static TransferProgress last(BlockingQueue<TransferProgress> seen) {
        try {
            TransferProgress next = seen.poll(30, TimeUnit.SECONDS);
            while (next != null && next.blobsDone() == 0) {
                next = seen.poll(30, TimeUnit.SECONDS);
            }
            assertThat(next).as("the call at the end").isNotNull();
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
