package io.stowline.blob.internal.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.UploadSettings;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.blob.internal.transfer.ProgressMeter;
import io.stowline.blob.internal.transfer.TransferMemory;
import io.stowline.blob.internal.transfer.TransferMemory.Share;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ThrottledException;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

/** The handling of bytes that come at their owner's pace. */
@Timeout(60)
class BlockWriterTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final int SLICE = BlockWriter.SLICE;
    private static final int MIB = 1 << 20;

    private final AtomicLong allocated = new AtomicLong();
    private final Map<String, byte[]> staged = new ConcurrentHashMap<>();
    private final Map<String, byte[]> made = new ConcurrentHashMap<>();
    private final StubBlobs blobs = new StubBlobs(this::store);
    private final TransferMemory memory = new TransferMemory(4 * MIB);

    /** A service that keeps what it gets. */
    private BlobStubResponse store(StubRequest request) {
        if (!request.method().equals("PUT")) {
            return BlobStubResponse.refusal(404, "BlobNotFound");
        }
        if (request.is("PUT", "block&")) {
            staged.put(
                    java.net.URLDecoder.decode(
                            request.query().replaceAll(".*blockid=([^&]*).*", "$1"), StandardCharsets.UTF_8),
                    request.body());
        } else if (request.is("PUT", "blocklist")) {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            Pattern.compile("<Latest>([^<]+)</Latest>")
                    .matcher(new String(request.body(), StandardCharsets.UTF_8))
                    .results()
                    .forEach(id -> all.writeBytes(staged.get(id.group(1))));
            made.put(request.path(), all.toByteArray());
        } else {
            made.put(request.path(), request.body());
        }
        return BlobStubResponse.of(201);
    }

    @AfterEach
    void close() {
        blobs.close();
    }

    private BlockWriter writer(String name, int blockSize) {
        return writer(name, blockSize, Context.empty());
    }

    private BlockWriter writer(String name, int blockSize, Context context) {
        UploadSettings settings = UploadSettings.builder().overwrite().build();
        return new BlockWriter(
                new BlockOperations(blobs.scope(), name, settings), memory, this::allocate, blockSize, 3, context);
    }

    private ByteBuffer allocate(int length) {
        allocated.addAndGet(length);
        return ByteBuffer.allocate(length);
    }

    private static byte[] bytes(int length, int seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void append(BlockWriter writer, byte[] bytes) {
        writer.append(ByteBuffer.wrap(bytes)).block(LONG);
    }

    @RepeatedTest(20)
    @DisplayName("TRANSFER-3: content of any length, however it comes, is the blob, in blocks of the size that was set")
    void makesTheBlob(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        int blockSize = 1 + random.nextInt(3 * SLICE);
        byte[] content = bytes(random.nextInt(6 * blockSize), run.getCurrentRepetition());
        BlobWriteResult result;
        try (BlockWriter writer = writer("a", blockSize)) {
            for (int from = 0; from < content.length; ) {
                int length = Math.min(content.length - from, 1 + random.nextInt(2 * blockSize));
                writer.append(ByteBuffer.wrap(content, from, length)).block(LONG);
                from += length;
            }
            result = writer.commit().block(LONG);
        }
        assertThat(result.size()).isEqualTo(content.length);
        assertThat(made.get("/acct/photos/a")).isEqualTo(content);
        assertThat(staged.values()).allSatisfy(block -> assertThat(block).hasSizeLessThanOrEqualTo(blockSize));
        assertThat(staged).hasSize(content.length <= blockSize ? 0 : (content.length + blockSize - 1) / blockSize);
        assertThat(memory.now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-3: blocks grow with their number")
    void grows() {
        assertThat(BlockWriter.sizeAt(0, 8 * MIB, 64 * MIB)).isEqualTo(8 * MIB);
        assertThat(BlockWriter.sizeAt(4_999, 8 * MIB, 64 * MIB)).isEqualTo(8 * MIB);
        assertThat(BlockWriter.sizeAt(5_000, 8 * MIB, 64 * MIB)).isEqualTo(16 * MIB);
        assertThat(BlockWriter.sizeAt(49_999, 8 * MIB, 64 * MIB)).isEqualTo(64 * MIB);
        assertThat(BlockWriter.sizeAt(49_999, 8 * MIB, Long.MAX_VALUE)).isEqualTo((8L * MIB) << 9);
    }

    @Test
    @DisplayName(
            "TRANSFER-3: content that is longer than all blocks is refused by its blob and the block size that was set")
    void tooManyBlocks() {
        UploadSettings settings = UploadSettings.builder().blockSize(16).build();
        BlockOperations requests = new BlockOperations(blobs.scope(), "a", settings);
        try (BlockStager stager = new BlockStager(requests, memory.share(), block -> {}, 1, Context.empty())) {
            stager.add(new UploadBlock(UploadBlock.MAX, List.of(ByteBuffer.allocate(1)), 0));

            assertThat(stager.failure())
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageStartingWith("upload photos/a: ")
                    .hasMessageContaining("50000 blocks")
                    .hasMessageEndingWith("a larger blockSize than 16 bytes");
        }
        assertThat(made).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-5: without a commit nothing is made")
    void makesNothingWithoutACommit() {
        try (BlockWriter writer = writer("a", SLICE)) {
            append(writer, bytes(5 * SLICE, 1));
        }
        assertThat(made).isEmpty();
        assertThat(memory.now()).isZero();
        BlockWriter closed = writer("b", SLICE);
        closed.close();
        assertThatThrownBy(() -> append(closed, bytes(1, 1))).hasMessageContaining("closed");
        assertThatThrownBy(() -> closed.commit().block(LONG)).hasMessageContaining("closed");
    }

    @Test
    @DisplayName("TRANSFER-3: a writer whose owner pauses gives up its memory while another transfer waits for it")
    void yieldsWhileItsOwnerPauses() {
        byte[] content = bytes(3 * MIB, 1);
        try (BlockWriter paused = writer("a", 8 * MIB);
                Share other = memory.share()) {
            append(paused, content);
            assertThat(memory.now()).isGreaterThan(2 * MIB);

            assertThat(other.take(4 * MIB).block(LONG)).isTrue();

            assertThat(staged).hasSize(1);
            other.free(4 * MIB);
            append(paused, content);
            paused.commit().block(LONG);
        }
        byte[] twice = new byte[6 * MIB];
        System.arraycopy(content, 0, twice, 0, 3 * MIB);
        System.arraycopy(content, 0, twice, 3 * MIB, 3 * MIB);
        assertThat(made.get("/acct/photos/a")).isEqualTo(twice);
        assertThat(memory.now()).isZero();
    }

    @Test
    @DisplayName(
            "TRANSFER-3: a writer that is asked for memory while it takes bytes gives it up when it has taken them")
    void yieldsAfterAnAppend() throws InterruptedException {
        CountDownLatch three = new CountDownLatch(3);
        CountDownLatch collected = new CountDownLatch(1);
        List<CountDownLatch> responses = List.of(new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1));
        AtomicInteger blocks = new AtomicInteger();
        blobs.respond(request -> {
            int number = request.is("PUT", "block&") ? blocks.getAndIncrement() : responses.size();
            if (number < responses.size()) {
                three.countDown();
                await(responses.get(number));
            } else if (request.is("PUT", "block&")) {
                collected.countDown();
            }
            return store(request);
        });
        Share other = memory.share();
        AtomicBoolean requested = new AtomicBoolean();
        CompletableFuture<Boolean> granted = new CompletableFuture<>();
        Runnable requesting = () -> other.take(4 * MIB).subscribe(granted::complete);
        ProgressMeter meter =
                new ProgressMeter(null, () -> once(responses.get(0), requested, requesting), Runnable::run);
        try (BlockWriter writer = writer("a", MIB, meter.new BlobMeter(0).in(Context.empty()))) {
            CompletableFuture<Void> append = writer.append(ByteBuffer.wrap(bytes(3 * MIB + 2 * SLICE, 1)))
                    .then(Mono.<Void>empty())
                    .toFuture();
            assertThat(three.await(20, TimeUnit.SECONDS)).isTrue();
            responses.get(0).countDown();

            assertThat(collected.await(20, TimeUnit.SECONDS)).isTrue();

            responses.forEach(CountDownLatch::countDown);
            assertThat(append).succeedsWithin(LONG);
            assertThat(granted).succeedsWithin(LONG).isEqualTo(true);

            other.close();
            writer.commit().block(LONG);
        }
        assertThat(made.get("/acct/photos/a")).isEqualTo(bytes(3 * MIB + 2 * SLICE, 1));
        assertThat(memory.now()).isZero();
    }

    /** The clock of a meter that is read when a block has arrived: another transfer asks for all memory at the first of these moments. */
    private static long once(CountDownLatch responded, AtomicBoolean requested, Runnable requesting) {
        if (responded.getCount() == 0 && requested.compareAndSet(false, true)) {
            requesting.run();
        }
        return 0;
    }

    @Test
    @DisplayName(
            "TRANSFER-3: what is reserved and not used is free once the writer is committed, before its blocks have"
                    + " arrived")
    void freesWhatIsReservedWithTheCommit() throws InterruptedException {
        CountDownLatch last = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        blobs.respond(request -> {
            if (staged.size() == 2 && request.is("PUT", "block&")) {
                last.countDown();
                await(held);
            }
            return store(request);
        });
        AtomicBoolean begun = new AtomicBoolean();
        CountDownLatch arrived = new CountDownLatch(2);
        ProgressMeter meter = new ProgressMeter(null, () -> counting(begun, arrived), Runnable::run);
        begun.set(true);
        try (BlockWriter writer = writer("a", MIB, meter.new BlobMeter(0).in(Context.empty()))) {
            append(writer, bytes(2 * MIB + 1, 1));
            assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(memory.now()).isGreaterThan(MIB);
            CompletableFuture<BlobWriteResult> commit = writer.commit().toFuture();
            assertThat(last.await(20, TimeUnit.SECONDS)).isTrue();

            assertThat(memory.now()).isZero();
            assertThat(commit).isNotDone();

            held.countDown();
            assertThat(commit).succeedsWithin(LONG);
        }
        assertThat(made.get("/acct/photos/a")).isEqualTo(bytes(2 * MIB + 1, 1));
    }

    /** The clock of a meter, which is read whenever a block has arrived. */
    private static long counting(AtomicBoolean begun, CountDownLatch arrived) {
        if (begun.get()) {
            arrived.countDown();
        }
        return 0;
    }

    @RepeatedTest(10)
    @DisplayName("TRANSFER-3: a writer that waits for the memory of its own blocks gets it")
    void finishesWithLittleMemory(RepetitionInfo run) {
        byte[] content =
                bytes((Integer.getInteger("stowline.explore", 1) > 1 ? 30 : 12) * MIB, run.getCurrentRepetition());
        try (BlockWriter writer = writer("a", 2 * MIB - run.getCurrentRepetition())) {
            append(writer, content);
            writer.commit().block(LONG);
        }
        assertThat(made.get("/acct/photos/a")).isEqualTo(content);
        assertThat(memory.max()).isLessThanOrEqualTo(4 * MIB);
        assertThat(memory.now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-3: a writer that gave up its block takes no byte until one of those in flight has arrived")
    void keepsItsBoundWhenItGivesUp() {
        CountDownLatch held = new CountDownLatch(1);
        blobs.respond(request -> {
            if (request.is("PUT", "block&")) {
                await(held);
            }
            return store(request);
        });
        byte[] content = bytes(10 * SLICE, 1);
        try (BlockWriter writer = writer("a", 4 * SLICE);
                Share other = memory.share()) {
            append(writer, content);
            CompletableFuture<Boolean> granted = other.take(4 * MIB).toFuture();
            long before = allocated.get();

            CompletableFuture<Void> append =
                    writer.append(ByteBuffer.wrap(content, 0, 1)).toFuture();

            assertThat(append).isNotDone();
            assertThat(allocated).hasValue(before);

            held.countDown();
            assertThat(granted).succeedsWithin(LONG).isEqualTo(true);
            assertThat(append).succeedsWithin(LONG);
            other.free(4 * MIB);
            writer.commit().block(LONG);
        }
        assertThat(made.get("/acct/photos/a")).startsWith(content).hasSize(content.length + 1);
        assertThat(memory.now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-3: a writer allocates no more than the blocks in flight and the next one take")
    void allocatesOnlyWhatIsInFlight() {
        byte[] content = bytes(40 * SLICE, 1);
        try (BlockWriter writer = writer("a", 2 * SLICE)) {
            append(writer, content);
            writer.commit().block(LONG);
        }
        assertThat(allocated.get()).isLessThanOrEqualTo((3 + 1) * 2 * SLICE);
        assertThat(made.get("/acct/photos/a")).isEqualTo(content);
    }

    @RepeatedTest(10)
    @DisplayName("TRANSFER-3: memory that serves again changes no block, also if each is sent again")
    void usesItsMemoryAgain(RepetitionInfo run) {
        Random random = new Random(run.getCurrentRepetition());
        Set<String> refused = ConcurrentHashMap.newKeySet();
        blobs.respond(request -> request.is("PUT", "block&") && refused.add(request.query())
                ? BlobStubResponse.refusal(500, "InternalError")
                : store(request));
        byte[] content = bytes(40 * SLICE + random.nextInt(SLICE), run.getCurrentRepetition());
        try (BlockWriter writer = writer("a", 2 * SLICE + random.nextInt(2) * SLICE / 2)) {
            for (int from = 0; from < content.length; ) {
                int length = Math.min(content.length - from, 1 + random.nextInt(3 * SLICE));
                writer.append(ByteBuffer.wrap(content, from, length)).block(LONG);
                from += length;
            }
            writer.commit().block(LONG);
        }
        assertThat(made.get("/acct/photos/a")).isEqualTo(content);
        assertThat(memory.now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-3: more writers than there is memory for all finish, also while some pause")
    void allFinish() {
        List<BlockWriter> writers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            writers.add(writer("a" + i, 8 * MIB));
        }
        byte[] content = bytes(MIB, 1);
        for (int round = 0; round < 3; round++) {
            writers.forEach(writer -> append(writer, content));
            assertThat(memory.now()).isLessThanOrEqualTo(4 * MIB);
        }
        writers.forEach(writer -> writer.commit().block(LONG));
        writers.forEach(BlockWriter::close);
        assertThat(made).hasSize(12).allSatisfy((name, blob) -> assertThat(blob).hasSize(3 * MIB));
        assertThat(memory.now()).isZero();
        assertThat(memory.max()).isLessThanOrEqualTo(4 * MIB);
    }

    @Test
    @DisplayName("TRANSFER-5: the failure of a block ends the writer with that failure, and frees its memory")
    void endsWithTheFailureOfABlock() {
        blobs.respond(
                request -> request.is("PUT", "block&") ? BlobStubResponse.refusal(503, "ServerBusy") : store(request));
        try (BlockWriter writer = writer("a", SLICE)) {
            assertThatExceptionOfType(ThrottledException.class).isThrownBy(() -> {
                for (int i = 0; i < 1_000; i++) {
                    append(writer, bytes(SLICE, i));
                }
            });
            assertThatExceptionOfType(ThrottledException.class)
                    .isThrownBy(() -> writer.commit().block(LONG));
        }
        assertThat(made).isEmpty();
        assertThat(memory.now()).isZero();
    }

    @RepeatedTest(5)
    @DisplayName("TRANSFER-3: writers that fail at once while all wait for memory end, and the next one works")
    void allEnd() {
        AtomicInteger blocks = new AtomicInteger();
        blobs.respond(request -> request.is("PUT", "block&") && blocks.incrementAndGet() > 20
                ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                : store(request));
        byte[] content = bytes(MIB, 1);
        Flux<Boolean> ends = Flux.range(0, 16)
                .flatMap(i -> Mono.fromCallable(() -> fails(i, content)).subscribeOn(Schedulers.boundedElastic()), 16);
        assertThat(ends.collectList().block(LONG)).hasSize(16).containsOnly(true);
        assertThat(memory.now()).isZero();

        blobs.respond(this::store);
        try (BlockWriter next = writer("next", SLICE)) {
            append(next, content);
            next.commit().block(LONG);
        }
        assertThat(made.get("/acct/photos/next")).isEqualTo(content);
    }

    private boolean fails(int number, byte[] content) {
        try (BlockWriter writer = writer("a" + number, 8 * MIB)) {
            for (int i = 0; i < 100; i++) {
                append(writer, content);
            }
            return false;
        } catch (AuthenticationException refused) {
            return true;
        }
    }

    @Test
    @DisplayName("TRANSFER-3: no more blocks are in flight than the settings allow")
    void boundsWhatIsInFlight() throws InterruptedException {
        CountDownLatch three = new CountDownLatch(3);
        CountDownLatch end = new CountDownLatch(1);
        blobs.respond(request -> {
            if (request.is("PUT", "block&")) {
                three.countDown();
                await(end);
            }
            return store(request);
        });
        try (BlockWriter writer = writer("a", 10)) {
            CompletableFuture<Void> all = writer.append(ByteBuffer.wrap(bytes(100, 1)))
                    .then(Mono.<Void>empty())
                    .toFuture();
            assertThat(three.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(all).isNotDone();
            assertThat(blobs.requested("PUT", "block&")).hasSize(3);
            end.countDown();
            assertThat(all).succeedsWithin(LONG);
            writer.commit().block(LONG);
        }
        assertThat(made.get("/acct/photos/a")).isEqualTo(bytes(100, 1));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
