package io.stowline.blob.internal.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.BlobBench;
import io.stowline.blob.internal.base.Md5;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.ConflictException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ServerErrorException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.error.ThrottledException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.Evidence;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The requests of an upload. */
@Timeout(60)
class UploadTest {

    private final StubBlobs blobs = new StubBlobs(UploadTest::usual);

    /** A service without the blob, which takes everything. */
    private static BlobStubResponse usual(StubRequest request) {
        return request.method().equals("PUT")
                ? BlobStubResponse.of(201)
                : BlobStubResponse.refusal(404, "BlobNotFound");
    }

    @AfterEach
    void close() {
        blobs.close();
    }

    private static UploadSettings.Builder tens(UploadSettings.Builder with) {
        return with.blockSize(10);
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static String md5(byte[] content) {
        return Base64.getEncoder().encodeToString(Md5.of(ByteBuffer.wrap(content)));
    }

    private static InputStream broken(byte[] before) {
        return new FilterInputStream(new ByteArrayInputStream(before)) {
            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                int read = super.read(target, offset, length);
                if (read < 0) {
                    throw new IOException("the camera is gone");
                }
                return read;
            }
        };
    }

    @Test
    @DisplayName("TRANSFER-7: callers on all of Reactor's bounded elastic threads upload content in blocks")
    void worksOnBoundedElastic() {
        BlobContainer container = blobs.container();
        int callers = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
        CyclicBarrier all = new CyclicBarrier(callers);
        List<BlobWriteResult> uploaded = Flux.range(0, callers)
                .flatMap(
                        i -> Mono.fromCallable(() -> {
                                    all.await(20, TimeUnit.SECONDS);
                                    return i % 2 == 0
                                            ? container.upload(bytes(25), "a" + i, UploadTest::tens)
                                            : container
                                                    .reactive()
                                                    .upload(bytes(25), "a" + i, UploadTest::tens)
                                                    .block(Duration.ofSeconds(30));
                                })
                                .subscribeOn(Schedulers.boundedElastic()),
                        callers)
                .collectList()
                .block(Duration.ofSeconds(50));

        assertThat(uploaded).hasSize(callers);
    }

    @Test
    @DisplayName(
            "TRANSFER-5: what fits into a block is one request that overwrites nothing, with its MD5 for the way and"
                    + " for good")
    void sendsSmallContentAtOnce() {
        byte[] content = bytes(10);
        BlobWriteResult uploaded = blobs.container().upload(content, "a b.txt", with -> with.blockSize(10)
                .contentType("text/plain")
                .cacheControl("no-cache")
                .metadata(Map.of("owner", "me")));

        assertThat(uploaded)
                .isEqualTo(BlobWriteResult.confirmed(
                        "\"e1\"", java.time.Instant.parse("2024-02-29T12:00:00Z"), 10, false));
        assertThat(blobs.requested()).hasSize(1);
        StubRequest put = blobs.requested().get(0);
        assertThat(put.path()).isEqualTo("/acct/photos/a%20b.txt");
        assertThat(put.body()).isEqualTo(content);
        assertThat(put.header("If-None-Match")).isEqualTo("*");
        assertThat(put.header("Content-MD5")).isEqualTo(md5(content));
        assertThat(put.header("x-ms-blob-content-md5")).isEqualTo(md5(content));
        assertThat(put.header("x-ms-blob-content-type")).isEqualTo("text/plain");
        assertThat(put.header("x-ms-blob-cache-control")).isEqualTo("no-cache");
        assertThat(put.header("x-ms-meta-owner")).isEqualTo("me");
        assertThat(put.header("x-ms-blob-type")).isEqualTo("BlockBlob");
        assertThat(put.header("Authorization")).startsWith("SharedKey acct:");
    }

    @Test
    @DisplayName(
            "TRANSFER-1, TRANSFER-5: longer content is asked for, sent in blocks with an MD5 each, and committed under"
                    + " the same condition")
    void sendsLongContentInBlocks() {
        byte[] content = bytes(25);
        BlobWriteResult uploaded = blobs.container().upload(content, "a", UploadTest::tens);

        assertThat(uploaded.size()).isEqualTo(25);
        assertThat(blobs.requested().get(0).method()).isEqualTo("HEAD");
        List<StubRequest> staged = blobs.requested("PUT", "block&");
        assertThat(staged).hasSize(3).allSatisfy(block -> {
            assertThat(block.header("Content-MD5")).isEqualTo(md5(block.body()));
            assertThat(block.header("If-None-Match")).isNull();
        });
        StubRequest commit = blobs.requested("PUT", "blocklist").get(0);
        assertThat(blobs.requested()).hasSize(6).last().isEqualTo(commit);
        assertThat(blobs.requested("GET", "blocklist"))
                .as("what an upload before has left")
                .hasSize(1);
        assertThat(commit.header("If-None-Match")).isEqualTo("*");
        assertThat(commit.header("x-ms-blob-content-md5")).isEqualTo(md5(content));
        assertThat(commit.header("Content-MD5")).isEqualTo(md5(commit.body()));
        assertThat(listed(commit))
                .containsExactly(id(0, content, 0, 10), id(1, content, 10, 20), id(2, content, 20, 25));
    }

    private static String id(int index, byte[] content, int from, int to) {
        UploadBlock block = new UploadBlock(index, List.of(ByteBuffer.wrap(content, from, to - from)), 0);
        return block.id(block.md5());
    }

    private static List<String> listed(StubRequest commit) {
        return java.util.regex.Pattern.compile("<Latest>([^<]+)</Latest>")
                .matcher(new String(commit.body(), StandardCharsets.UTF_8))
                .results()
                .map(match -> match.group(1))
                .toList();
    }

    @Test
    @DisplayName("T1: the same content gives the same blocks in another run, whatever the source")
    void repeatsItsBlocks(@TempDir Path folder) throws IOException {
        byte[] content = bytes(35);
        Path file = Files.write(folder.resolve("a"), content);
        blobs.container().upload(content, "a", UploadTest::tens);
        blobs.container().upload(file, "a", UploadTest::tens);
        blobs.container().upload(new ByteArrayInputStream(content), "a", UploadTest::tens);

        List<StubRequest> commits = blobs.requested("PUT", "blocklist");
        assertThat(commits).hasSize(3);
        assertThat(commits.stream().map(UploadTest::listed).distinct()).hasSize(1);
    }

    @Test
    @DisplayName("TRANSFER-3: a stream that ends within the first block is one request")
    void sendsShortStreamsAtOnce() {
        blobs.container().upload(new ByteArrayInputStream(bytes(10)), "a", UploadTest::tens);
        blobs.container().upload(new ByteArrayInputStream(new byte[0]), "b", UploadTest::tens);

        assertThat(blobs.requested()).hasSize(2).allSatisfy(put -> assertThat(put.is("PUT", ""))
                .isTrue());
        assertThat(blobs.requested().get(1).body()).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-5: a blob that is there is found before a block is sent")
    void checksBeforeItSends() {
        blobs.respond(request -> request.method().equals("HEAD") ? BlobStubResponse.of(200) : usual(request));

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> blobs.container().upload(bytes(25), "a", UploadTest::tens))
                .satisfies(e -> assertThat(e.failure().status())
                        .as("that of the response")
                        .isEqualTo(200))
                .satisfies(e -> assertThat(e.failure().errorCode()).isNull())
                .withMessageContaining("the blob is there already")
                .satisfies(e -> assertThat(e.failure().resource()).isEqualTo("photos/a"))
                .satisfies(e -> assertThat(e.failure().clientRequestId())
                        .isEqualTo(blobs.requested().get(0).header("x-ms-client-request-id")))
                .satisfies(e -> assertThat(e.failure().requestId()).isEqualTo("r-1"));
        assertThat(blobs.requested()).hasSize(1);
    }

    @Test
    @DisplayName("TRANSFER-5: a credential that may write but not read learns of a conflict at the commit")
    void uploadsWithoutTheRightToRead() {
        blobs.respond(request -> request.method().equals("HEAD")
                ? BlobStubResponse.refusal(403, "AuthorizationPermissionMismatch")
                : usual(request));
        blobs.container().upload(bytes(25), "a", UploadTest::tens);
        assertThat(blobs.requested("PUT", "blocklist")).hasSize(1);

        blobs.respond(request -> request.method().equals("HEAD")
                ? BlobStubResponse.refusal(403, "AuthorizationPermissionMismatch")
                : request.is("PUT", "blocklist") ? BlobStubResponse.refusal(409, "BlobAlreadyExists") : usual(request));
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> blobs.container().upload(bytes(25), "a", UploadTest::tens))
                .satisfies(e -> assertThat(e.failure().attempts()).isEqualTo(1));
    }

    /** An upload of which the blocks wait for their responses until the latch. */
    private Thread uploading(CountDownLatch requested, CountDownLatch end, CompletableFuture<Throwable> failure) {
        blobs.respond(request -> {
            if (request.is("PUT", "block")) {
                requested.countDown();
                await(end);
            }
            return usual(request);
        });
        Thread caller = new Thread(() ->
                failure.complete(catchThrowable(() -> blobs.container().upload(bytes(40), "a", UploadTest::tens))));
        caller.start();
        return caller;
    }

    @Test
    @DisplayName("an upload that close() cuts before its commit is certain to have changed nothing")
    void cutBeforeTheCommit() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread caller = uploading(requested, end, failure);
        await(requested);

        blobs.abandon();

        assertThat(failure.get(30, TimeUnit.SECONDS)).isInstanceOfSatisfying(UnreachableException.class, e -> {
            assertThat(e.failure().unansweredAttempts()).isZero();
            assertThat(e).hasMessageContaining("not carried out: nothing was committed");
        });
        end.countDown();
        caller.join();
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
    }

    @Test
    @DisplayName("RETRY-8: an interrupt before the commit of an upload shows that nothing was applied")
    void interruptedBeforeTheCommit() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread caller = uploading(requested, end, failure);
        await(requested);

        caller.interrupt();

        assertThat(failure.get(30, TimeUnit.SECONDS))
                .isInstanceOf(StorageInterruptedException.class)
                .hasMessageContaining("no request had gone out that may have been applied")
                .hasMessageContaining("nothing was committed");
        end.countDown();
        caller.join();
    }

    @Test
    @DisplayName("RETRY-8: an interrupt ends an upload at once, and nothing is committed")
    void endsWhenInterrupted() throws Exception {
        CountDownLatch requested = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        blobs.respond(request -> {
            requested.countDown();
            await(end);
            return usual(request);
        });
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread writer = new Thread(() -> {
            try {
                blobs.container().upload(bytes(200), "a", with -> tens(with).overwrite());
            } catch (StorageInterruptedException e) {
                flag.complete(Thread.currentThread().isInterrupted());
            } finally {
                flag.complete(false);
            }
        });
        writer.start();
        await(requested);
        writer.interrupt();

        assertThat(flag.get(20, TimeUnit.SECONDS)).isTrue();
        end.countDown();
        assertThat(blobs.requested()).hasSizeLessThanOrEqualTo(4).noneMatch(request -> request.is("PUT", "blocklist"));
    }

    @Test
    void overwritesWithoutRequesting() {
        blobs.container().upload(bytes(25), "a", with -> with.blockSize(10).overwrite());

        assertThat(blobs.requested("HEAD", "")).isEmpty();
        assertThat(blobs.requested("PUT", "blocklist").get(0).header("If-None-Match"))
                .isNull();
    }

    @Test
    void replacesOneVersionOnly() {
        blobs.respond(request ->
                request.method().equals("HEAD") ? BlobStubResponse.of(200).with("ETag", "\"e0\"") : usual(request));
        blobs.container().upload(bytes(5), "a", with -> with.blockSize(10).ifMatch("\"e0\""));
        blobs.container()
                .upload(bytes(25), "a", with -> with.blockSize(10).overwrite().ifMatch("e0"));

        assertThat(blobs.requested("HEAD", "").get(0).header("If-Match")).isEqualTo("\"e0\"");
        assertThat(blobs.requested("PUT", "").get(0).header("If-Match")).isEqualTo("\"e0\"");
        assertThat(blobs.requested("PUT", "blocklist").get(0).header("If-Match"))
                .isEqualTo("\"e0\"");
    }

    @Test
    @DisplayName("TRANSFER-5: a version that is gone is found before a block is sent")
    void requestsTheVersionBeforeItSends() {
        for (BlobStubResponse reported : List.of(
                BlobStubResponse.refusal(412, "ConditionNotMet"), BlobStubResponse.refusal(404, "BlobNotFound"))) {
            blobs.respond(request -> reported);
            assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> blobs.container()
                    .upload(bytes(25), "a", with -> tens(with).ifMatch("\"e0\"")));
        }
        assertThat(blobs.requested()).hasSize(2);
    }

    @Test
    @DisplayName("TRANSFER-5: a source that fails commits nothing")
    void neverCommitsHalf() {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> blobs.container().upload(broken(bytes(35)), "a", UploadTest::tens))
                .withMessageContaining("photos/a")
                .withMessageContaining("the camera is gone");
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> blobs.container().upload(broken(bytes(5)), "a", UploadTest::tens));

        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.requested("PUT", "")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("T1: only the block that failed is sent again, with the same bytes")
    void retriesOneBlock() {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        byte[] content = bytes(35);
        String third = id(2, content, 20, 30);
        blobs.respond(request -> request.query().contains(java.net.URLEncoder.encode(third, StandardCharsets.UTF_8))
                        && refused.add(third)
                ? BlobStubResponse.refusal(503, "ServerBusy")
                : usual(request));
        blobs.container().upload(content, "a", UploadTest::tens);

        List<StubRequest> staged = blobs.requested("PUT", "block&");
        assertThat(staged).hasSize(5);
        Map<String, Long> bodies =
                staged.stream().collect(Collectors.groupingBy(block -> md5(block.body()), Collectors.counting()));
        assertThat(bodies).hasSize(4).containsEntry(md5(Arrays.copyOfRange(content, 20, 30)), 2L);
        assertThat(listed(blobs.requested("PUT", "blocklist").get(0))).contains(third);
    }

    @Test
    void commitsNothingWhenABlockIsRefused() {
        blobs.respond(
                request -> request.is("PUT", "block&") ? BlobStubResponse.refusal(503, "ServerBusy") : usual(request));

        assertThatExceptionOfType(ThrottledException.class)
                .isThrownBy(() -> blobs.container().upload(bytes(200), "a", UploadTest::tens));
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-0: blocks whose responses were lost change nothing before the commit, so that the upload has"
            + " failed for certain")
    void isNotInUnresolvedBeforeTheCommit() {
        blobs.respond(request ->
                request.is("PUT", "block&") ? BlobStubResponse.refusal(500, "InternalError") : usual(request));

        assertThatExceptionOfType(ServerErrorException.class)
                .isThrownBy(() -> blobs.container().upload(bytes(25), "a", UploadTest::tens))
                .withMessageContaining("not carried out: nothing was committed")
                .satisfies(e -> assertThat(e.failure().unansweredAttempts()).isZero());
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
    }

    @Test
    @DisplayName("OUTCOME-5: a commit is known again by its mark")
    void recoversTheCommit() {
        byte[] content = bytes(25);
        AtomicReference<String> mark = new AtomicReference<>();
        blobs.respond(request -> {
            if (request.is("PUT", "blocklist")) {
                return mark.getAndSet(request.header(BlobBench.MARK)) == null
                        ? BlobStubResponse.refusal(500, "InternalError")
                        : BlobStubResponse.refusal(409, "BlobAlreadyExists");
            }
            return request.method().equals("HEAD") && mark.get() != null
                    ? committed(content, mark.get())
                    : usual(request);
        });
        BlobWriteResult uploaded = blobs.container().upload(content, "a", UploadTest::tens);

        assertThat(uploaded)
                .isEqualTo(BlobWriteResult.recovered(
                        "\"e1\"", java.time.Instant.parse("2024-02-29T12:00:00Z"), 25, Evidence.MARKER, false));
        assertThat(blobs.requested("PUT", "blocklist"))
                .hasSize(2)
                .allSatisfy(commit -> assertThat(commit.header(BlobBench.MARK)).isEqualTo(mark.get()));
    }

    private static BlobStubResponse committed(byte[] content, String marker) {
        return BlobStubResponse.of(200)
                .with("x-ms-blob-type", "BlockBlob")
                .with("Content-Length", Integer.toString(content.length))
                .with("Content-MD5", md5(content))
                .with(BlobBench.MARK, marker);
    }

    @Test
    @DisplayName("TRANSFER-3: no more than one block beside those in flight is held, whatever the length")
    void holdsABoundedNumberOfBytes() {
        AtomicInteger inFlight = new AtomicInteger();
        AtomicInteger max = new AtomicInteger();
        CountDownLatch three = new CountDownLatch(3);
        blobs.respond(request -> {
            if (request.is("PUT", "block&")) {
                max.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
                three.countDown();
                await(three);
                inFlight.decrementAndGet();
            }
            return usual(request);
        });
        int block = 1_000_000;
        blobs.container().upload(new ByteArrayInputStream(bytes(50 * block)), "a", with -> with.blockSize(block)
                .parallelism(3));

        assertThat(blobs.requested("PUT", "block&")).hasSize(50);
        assertThat(max).hasValue(3);
        assertThat(blobs.memory().max()).isBetween(3L * (block - BlockWriter.SLICE), 4L * block);
        assertThat(blobs.memory().now()).isZero();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("the error of a file that may not be read names the blob, the reason and the file")
    void namesTheReason() {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> Upload.fileLater(
                                blobs.scope(),
                                "a",
                                Path.of("b"),
                                new Upload.FileOpening() {
                                    @Override
                                    public FileChannel open(Path file) {
                                        throw new AssertionError("it was looked at first");
                                    }

                                    @Override
                                    public BasicFileAttributes attributes(Path file) throws IOException {
                                        throw new AccessDeniedException(file.toString());
                                    }
                                },
                                modified -> UploadSettings.defaults())
                        .block())
                .withMessage("upload photos/a: java.nio.file.AccessDeniedException: b");
    }

    /** A block that the client has given up may still be at the service when the upload has failed. */
    @ParameterizedTest
    @ValueSource(ints = {55, 300})
    void refusesAFileThatChangesDuringItsUpload(int length, @TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("a"), bytes(100));
        blobs.respond(request -> {
            if (request.is("PUT", "block&")) {
                resize(file, length);
            }
            return usual(request);
        });
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() ->
                        blobs.container().upload(file, "a", with -> tens(with).parallelism(1)))
                .withMessageContaining(file.toString())
                .withMessageContaining("bytes when its upload began");
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
    }

    private static void resize(Path file, int length) {
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
            open.setLength(length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @DisplayName("TRANSFER-3: blocks are as large as 50,000 of them need, and no larger than the settings else")
    void sizesBlocksByTheLength() {
        int mib = 1 << 20;
        assertThat(Upload.blockSize(50_000L * 8L * mib, 8 * mib)).isEqualTo(8L * mib);
        assertThat(Upload.blockSize(50_000L * 8L * mib + 1, 8 * mib)).isEqualTo(9L * mib);
        assertThat(Upload.blockSize(50_000L * UploadSettings.MAX_BLOCK, 8 * mib))
                .isEqualTo(UploadSettings.MAX_BLOCK);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Upload.blockSize(50_000L * UploadSettings.MAX_BLOCK + 1, 8 * mib))
                .withMessageContaining("104857600000001 bytes")
                .withMessageContaining("50000 blocks of 2097152000 bytes");
    }

    /** Responds with a list of uncommitted blocks. */
    private static BlobStubResponse leftovers(Map<String, Integer> blocks) {
        String xml = blocks.entrySet().stream()
                .map(block -> "<Block><Name>" + block.getKey() + "</Name><Size>" + block.getValue() + "</Size></Block>")
                .collect(Collectors.joining("", "<BlockList><UncommittedBlocks>", "</UncommittedBlocks></BlockList>"));
        return BlobStubResponse.of(200).body(xml.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("TRANSFER-1: blocks that an upload before this one left are not sent again")
    void resumes(@TempDir Path folder) throws IOException {
        byte[] content = bytes(35);
        Map<String, Integer> there = Map.of(id(0, content, 0, 10), 10, id(2, content, 20, 30), 10);
        blobs.respond(request -> request.is("GET", "blocklist") ? leftovers(there) : usual(request));
        Path file = Files.write(folder.resolve("a"), content);
        blobs.container().upload(file, "a", UploadTest::tens);
        blobs.container().upload(content, "a", UploadTest::tens);
        blobs.container().upload(new ByteArrayInputStream(content), "a", UploadTest::tens);

        assertThat(blobs.requested("PUT", "block&").stream().map(StubRequest::body))
                .hasSize(6)
                .allMatch(body -> Arrays.equals(body, Arrays.copyOfRange(content, 10, 20))
                        || Arrays.equals(body, Arrays.copyOfRange(content, 30, 35)));
        assertThat(blobs.requested("PUT", "blocklist")).hasSize(3).allSatisfy(commit -> assertThat(listed(commit))
                .hasSize(4));
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-1: a block of the same place with other content or another size is sent")
    void sendsWhatOnlyLooksTheSame() {
        byte[] content = bytes(20);
        blobs.respond(request -> request.is("GET", "blocklist")
                ? leftovers(Map.of(id(0, bytes(10), 0, 10), 10, id(1, content, 10, 20), 9))
                : usual(request));
        blobs.container().upload(content, "a", UploadTest::tens);

        assertThat(blobs.requested("PUT", "block&")).hasSize(2);
    }

    @Test
    @DisplayName("TRANSFER-5: an upload whose blocks another upload has removed by its commit says so")
    void explainsWhatAnotherCommitRemoved() {
        blobs.respond(request ->
                request.is("PUT", "blocklist") ? BlobStubResponse.refusal(400, "InvalidBlockList") : usual(request));
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> blobs.container()
                        .upload(bytes(25), "a", with -> tens(with).overwrite()))
                .withMessageContaining("another upload of this blob was committed")
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("InvalidBlockList"));
    }

    @Test
    @DisplayName("TRANSFER-1: blocks of others that make an upload impossible are explained before anything is sent")
    void explainsForeignBlocks() {
        blobs.respond(request -> request.is("GET", "blocklist") ? leftovers(Map.of("AAAAAAAA", 10)) : usual(request));

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> blobs.container().upload(bytes(20), "a", UploadTest::tens))
                .withMessageContaining("another client left uncommitted blocks whose ids have 6 bytes")
                .satisfies(e -> {
                    assertThat(e.failure().status()).isEqualTo(200);
                    assertThat(e.failure().errorCode()).isNull();
                    assertThat(e.failure().requestId()).isEqualTo("r-1");
                    assertThat(e.failure().clientRequestId())
                            .isEqualTo(
                                    blobs.requested("GET", "blocklist").get(0).header("x-ms-client-request-id"));
                });
        assertThat(blobs.requested("PUT", "")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-1: a file that was modified or replaced is not committed, whatever its length")
    void refusesAnotherFile(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("a"), bytes(30));
        blobs.respond(request -> {
            if (request.is("PUT", "block&")) {
                touch(file);
            }
            return usual(request);
        });
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> blobs.container().upload(file, "a", UploadTest::tens))
                .withMessageContaining("was modified at");
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-7: an upload shows its progress, the last time when all of it is there")
    void showsItsProgress(@TempDir Path folder) throws IOException {
        byte[] content = bytes(35);
        Path file = Files.write(folder.resolve("a"), content);
        List<TransferProgress> seen = new CopyOnWriteArrayList<>();
        blobs.container().upload(file, "a", with -> tens(with).progress(seen::add));
        blobs.container().upload(new ByteArrayInputStream(content), "b", with -> tens(with)
                .progress(seen::add));
        blobs.container().upload(bytes(5), "c", with -> tens(with).progress(seen::add));
        blobs.container()
                .reactive()
                .upload(new ByteArrayInputStream(bytes(5)), "d", with -> tens(with)
                        .progress(seen::add))
                .block(Duration.ofSeconds(20));

        List<TransferProgress> ends =
                seen.stream().filter(state -> state.blobsDone() == 1).toList();
        assertThat(ends).extracting(TransferProgress::bytesDone).contains(35L, 5L);
        assertThat(ends).hasSizeGreaterThanOrEqualTo(4);
        assertThat(ends.get(0).bytesTotal()).hasValue(35);
    }

    private static void touch(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.fromMillis(86_400_000));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @DisplayName("TRANSFER-7: a request with much content has the service's longest time, one with little the ordinary")
    void givesTimeForContent() {
        blobs.container().upload(new byte[3 * 1024 * 1024], "a");
        blobs.container().upload(new byte[256 * 1024], "b");

        assertThat(blobs.requested().get(0).query()).isEqualTo("timeout=1800");
        assertThat(blobs.requested().get(1).query()).isEqualTo("timeout=30");
    }

    /** A publisher that gives one buffer and no end. */
    private static Publisher<ByteBuffer> giving(@Nullable ByteBuffer buffer, Runnable cancelled) {
        return subscriber -> subscriber.onSubscribe(new Subscription() {
            private boolean given;

            @Override
            public void request(long more) {
                if (!given) {
                    given = true;
                    subscriber.onNext(buffer);
                }
            }

            @Override
            public void cancel() {
                cancelled.run();
            }
        });
    }

    @Test
    @DisplayName("a publisher that gives null is named by the error")
    void namesANullBuffer() {
        Publisher<ByteBuffer> wrong = giving(null, () -> {});

        assertThatNullPointerException()
                .isThrownBy(
                        () -> blobs.container().reactive().upload(wrong, "a").block(Duration.ofSeconds(30)))
                .withMessage("a buffer of the publisher");
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
    }

    @Test
    @DisplayName("a publisher whose cancel() throws does not keep the memory of a cancelled upload")
    void containsACancelThatThrows() {
        Publisher<ByteBuffer> wrong = giving(ByteBuffer.allocate(200_000), () -> {
            throw new IllegalStateException("no");
        });
        Disposable upload = blobs.container()
                .reactive()
                .upload(wrong, "a", with -> with.blockSize(1 << 20))
                .subscribe();
        assertThat(blobs.memory().now()).isPositive();

        upload.dispose();

        assertThat(blobs.memory().now()).isZero();
    }
}
