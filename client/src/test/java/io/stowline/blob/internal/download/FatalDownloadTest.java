package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.operations.BlobOperations;
import io.stowline.blob.internal.range.BlobPiece;
import io.stowline.blob.internal.range.PinnedVersion;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.FatalErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** Errors that Reactor throws in place of a signal, on the threads that bring responses; and the memory of results. */
@Timeout(60)
class FatalDownloadTest {

    private static final int MIB = 1 << 20;

    private final StoredBlob stored = new StoredBlob(new byte[1_000]);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    static Stream<Error> errors() {
        return Stream.of(
                new OutOfMemoryError("test"), new StackOverflowError("test"), new NoClassDefFoundError("test"));
    }

    private static <T> T failing(Error error) {
        throw error;
    }

    private void endsWith(Error error, Mono<?> call) {
        BlobContext context = blobs.scope();
        assertThatIllegalStateException()
                .isThrownBy(() -> BlockingAwait.on(call))
                .withMessageContaining("test")
                .withCause(error);
        assertThatIllegalStateException()
                .isThrownBy(() -> context.delivered(call).block())
                .withMessageContaining("test")
                .withCause(error);
    }

    @ParameterizedTest
    @MethodSource("errors")
    @DisplayName(
            "an error that Reactor throws out of the chain ends the operation of a direct request, and what follows it")
    void endsDirectRequests(Error error) {
        RangeSource reader = new RangeSource(blobs.scope(), "a", "download");
        Mono<BlobPiece> read = Mono.using(
                () -> blobs.memory().share(), share -> reader.first(0, 100, share, null), share -> share.close());
        endsWith(error, read.map(piece -> failing(error)));
        endsWith(error, read.flatMap(piece -> failing(error)));
        endsWith(error, read.flatMap(piece -> read).flatMap(piece -> failing(error)));
        endsWith(error, reader.read(0, 100, pinned(), (version, size) -> failing(error)));
        assertThat(blobs.memory().now()).isZero();
        assertThat(photos.download("a")).hasSize(1_000);
    }

    private PinnedVersion pinned() {
        return new PinnedVersion(photos.info("a"), null);
    }

    @ParameterizedTest
    @MethodSource("errors")
    @DisplayName("an error that Reactor throws out of the chain ends an operation of the SDK's, and what follows it")
    void endsCallsOfTheSdk(Error error) {
        BlobOperations operations = new BlobOperations(blobs.scope());
        endsWith(error, operations.head("find", "a", null, response -> failing(error)));
        endsWith(error, operations.find("a").flatMap(info -> failing(error)));
        endsWith(
                error,
                blobs.scope()
                        .asOperation(
                                blobs.scope().read("find", "a"),
                                operations
                                        .find("a")
                                        .flatMap(info -> operations.find("a").flatMap(again -> failing(error)))));
        assertThat(photos.exists("a")).isTrue();
    }

    @ParameterizedTest
    @MethodSource("errors")
    @DisplayName(
            "an error that Reactor throws on a thread that grants memory or runs blocking work ends the call that it"
                    + " is for")
    void endsWhatThreadsOfTheLibraryBring(Error error) {
        endsWith(
                error,
                FatalErrors.handingOver(Mono.create(sink -> CompletableFuture.runAsync(() -> sink.success(1))))
                        .flatMap(one -> failing(error)));
        endsWith(error, BlockingTask.call(() -> 1).flatMap(one -> failing(error)));
        endsWith(
                error,
                Mono.using(
                        () -> blobs.memory().share(),
                        share -> share.take(10).flatMap(one -> failing(error)),
                        share -> share.close()));
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-3: a result that the heap has no room for is an error that says so")
    void namesAHeapThatIsTooSmall() {
        blobs.respond(request -> stored.apply(request).with("Content-Range", "bytes 0-999/" + Integer.MAX_VALUE));

        assertThatIllegalStateException()
                .isThrownBy(() -> photos.download("a", Integer.MAX_VALUE))
                .withMessageContaining("has no room for " + Integer.MAX_VALUE + " bytes")
                .withCauseInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(
                        () -> photos.reactive().download("a", Integer.MAX_VALUE).block())
                .hasMessageContaining("has no room for");
        assertThat(blobs.memory().now()).isZero();
        assertThat(blobs.requested()).hasSize(2);
    }

    @Test
    @DisplayName("TRANSFER-3: result arrays count as memory, so that downloads that do not fit beside each other follow"
            + " each other")
    void countsResults() throws Exception {
        long capacity = blobs.memory().capacity();
        int length = Math.toIntExact(Math.min(40L * MIB, capacity * 2 / 3));
        byte[] content = new byte[length];
        content[length - 1] = 1;
        StoredBlob large = new StoredBlob(content, null);
        AtomicLong max = new AtomicLong();
        blobs.respond(request -> {
            max.accumulateAndGet(blobs.memory().now(), Math::max);
            return large.apply(request);
        });

        List<CompletableFuture<byte[]>> all = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            all.add(photos.reactive().download("a", length).toFuture());
        }
        for (CompletableFuture<byte[]> one : all) {
            assertThat(one.get(50, TimeUnit.SECONDS)).isEqualTo(content);
        }

        assertThat(blobs.memory().max()).isBetween((long) length, capacity);
        assertThat(max).hasValueGreaterThanOrEqualTo(length);
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-3: a result of more than the transfers' memory is read once nothing else is held")
    void readsMoreThanTheMemory() {
        int length = Math.toIntExact(blobs.memory().capacity() + MIB);
        byte[] content = new byte[length];
        content[length - 1] = 1;
        blobs.respond(new StoredBlob(content, null));

        assertThat(photos.download("a", length)).isEqualTo(content);
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("a blob beyond the limit is refused before its content is read")
    void refusesBeforeTheContent() {
        blobs.respond(request -> stored.apply(request)
                .with("Content-Range", "bytes 0-999/1000000")
                .standingStillAfter(0));

        assertThatIllegalStateException()
                .isThrownBy(() -> photos.download("a", 999_999))
                .withMessageContaining("has 1000000 bytes, more than the limit of 999999");
    }
}
