package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.range.RangeSource;
import io.stowline.blob.internal.transfer.TransferMemory;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Readers at their own pace, and what they hold when others need memory. */
@Timeout(120)
class ReadAheadTest {

    private static final int RANGE = 1 << 20;
    private static final int SMALL_RANGE = 64 << 10;

    private static final byte[] CONTENT = bytes(6 * RANGE + 11);
    private static final String MD5 = StoredBlob.hashOf(CONTENT);

    private final StoredBlob stored = new StoredBlob(CONTENT, MD5);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container();
    private final TransferMemory memory = blobs.memory();

    @AfterEach
    void close() {
        blobs.close();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private InputStream open() {
        return photos.open("a", with -> with.rangeSize(RANGE));
    }

    @Test
    @DisplayName("TRANSFER-3: what is read ahead is dropped when others wait for memory, and is read again later")
    void givesUp() throws Exception {
        try (InputStream in = open();
                TransferMemory.Share other = memory.share()) {
            assertThat(in.readNBytes(RANGE + 5)).hasSize(RANGE + 5);
            assertThat(memory.now()).isGreaterThan(RANGE);

            CompletableFuture<Boolean> taken =
                    other.take(memory.capacity() - RANGE).toFuture();
            assertThat(taken.get(20, TimeUnit.SECONDS)).isTrue();
            assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(CONTENT, RANGE + 5, CONTENT.length));
        }
        assertThat(memory.now()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10})
    @DisplayName(
            "TRANSFER-3: any number of streams that pause keep a bounded number of bytes, and go on where they were")
    void manyPaused(int read) throws Exception {
        stored.md5(null);
        List<InputStream> readers = new ArrayList<>();
        try (TransferMemory.Share other = memory.share()) {
            assertThat(other.tryTake(memory.capacity())).isTrue();
            long max = memory.maxKept() / RangeSource.UNCOUNTED;
            for (int i = 0; i < max + 20; i++) {
                InputStream in = open();
                readers.add(in);
                assertThat(in.readNBytes(read)).hasSize(read);
                assertThat(memory.kept()).isBetween(1L, memory.maxKept());
            }
            for (InputStream in : readers.subList(0, 2)) {
                assertThat(in.available()).as("what has been dropped").isZero();
                assertThat(in.readAllBytes()).isEqualTo(Arrays.copyOfRange(CONTENT, read, CONTENT.length));
            }
        } finally {
            for (InputStream in : readers) {
                in.close();
            }
        }
        assertThat(memory.kept()).isZero();
        assertThat(memory.now()).isZero();
    }

    @SuppressWarnings({"MustBeClosedChecker", "resource"}) // the stream is made to be lost
    private void loseStream() throws IOException {
        InputStream lost = open();
        try {
            assertThat(lost.read()).isNotNegative();
            assertThat(memory.now()).isPositive();
        } finally {
            Reference.reachabilityFence(lost);
        }
    }

    @Test
    @DisplayName("TRANSFER-3: a stream that its caller loses frees what it holds")
    void lostStream() throws IOException {
        loseStream();
        while (memory.now() > 0) {
            System.gc();
        }
        assertThat(memory.now()).isZero();
    }

    /** The way in which a caller reads and pauses. */
    private enum Reader {
        STREAM,
        STREAM_IN_A_LATER_RANGE,
        CHANNEL,
        FLUX_WITHOUT_DEMAND,
        FLUX_IN_A_LATER_RANGE,
        SLOW_TARGET
    }

    @ParameterizedTest
    @EnumSource(Reader.class)
    @DisplayName("TRANSFER-3: more readers that pause than the memory has ranges keep neither the next reader nor a"
            + " download waiting")
    void paused(Reader kind) throws Exception {
        long ranges = memory.capacity() / Download.PIECE;
        byte[] large = bytes(2 * Download.PIECE + RANGE);
        stored.changeTo(large, "\"v2\"");
        stored.md5(null);
        CountDownLatch released = new CountDownLatch(1);
        List<AutoCloseable> readers = new ArrayList<>();
        try {
            for (int i = 0; i < ranges + 8; i++) {
                readers.add(pausedReader(kind, released));
            }
            assertThat(downloaded()).hasSize(large.length);
            try (InputStream in = photos.open("a")) {
                assertThat(in.readAllBytes()).isEqualTo(large);
            }
        } finally {
            released.countDown();
            for (AutoCloseable reader : readers) {
                reader.close();
            }
        }
        assertThat(memory.now()).isZero();
    }

    private byte[] downloaded() throws Exception {
        return photos.reactive().download("a").toFuture().get(60, TimeUnit.SECONDS);
    }

    @SuppressWarnings("MustBeClosedChecker") // the test closes them
    private AutoCloseable pausedReader(Reader kind, CountDownLatch released) throws Exception {
        return switch (kind) {
            case STREAM -> {
                InputStream in = photos.open("a");
                assertThat(in.read()).isNotNegative();
                yield in;
            }
            case STREAM_IN_A_LATER_RANGE -> {
                InputStream in = photos.open("a", with -> with.parallelism(1));
                in.skipNBytes(Download.PIECE + 1);
                yield in;
            }
            case CHANNEL -> {
                SeekableByteChannel in = photos.channel("a");
                ByteBuffer part = ByteBuffer.allocate(1 << 20);
                assertThat(in.read(part)).isPositive();
                yield in;
            }
            case FLUX_WITHOUT_DEMAND -> pausedFlux(0);
            case FLUX_IN_A_LATER_RANGE -> pausedFlux(40);
            case SLOW_TARGET -> slowTarget(released);
        };
    }

    private AutoCloseable pausedFlux(int buffers) throws Exception {
        CountDownLatch read = new CountDownLatch(buffers);
        BaseSubscriber<ByteBuffer> subscriber = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                if (buffers > 0) {
                    subscription.request(buffers);
                }
            }

            @Override
            protected void hookOnNext(ByteBuffer part) {
                read.countDown();
            }
        };
        photos.reactive().open("a").subscribe(subscriber);
        assertThat(read.await(20, TimeUnit.SECONDS)).isTrue();
        return subscriber::dispose;
    }

    private AutoCloseable slowTarget(CountDownLatch released) throws Exception {
        CountDownLatch written = new CountDownLatch(1);
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                photos.downloadTo("a", new OutputStream() {
                    @Override
                    public void write(int b) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public void write(byte[] bytes, int offset, int length) throws IOException {
                        written.countDown();
                        try {
                            released.await();
                        } catch (InterruptedException e) {
                            throw new InterruptedIOException();
                        }
                    }
                });
                ended.complete(null);
            } catch (RuntimeException e) {
                ended.completeExceptionally(e);
            }
        });
        thread.start();
        assertThat(written.await(20, TimeUnit.SECONDS)).isTrue();
        return () -> ended.get(60, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("TRANSFER-3: readers go on by small pieces while others hold all memory")
    void readsWithoutMemory() throws IOException {
        try (TransferMemory.Share other = memory.share()) {
            assertThat(other.tryTake(memory.capacity())).isTrue();
            List<InputStream> readers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                readers.add(photos.open("a", with -> with.rangeSize(SMALL_RANGE)));
            }
            for (InputStream in : readers) {
                assertThat(in.readAllBytes()).isEqualTo(CONTENT);
                in.close();
            }
        }
        assertThat(memory.now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-3: uploads of streams that are downloads never wait for each other")
    void pairsNeverWaitForEachOther() {
        blobs.respond(requested -> requested.is("GET", "blocklist")
                ? BlobStubResponse.refusal(404, "BlobNotFound")
                : requested.method().equals("PUT") ? BlobStubResponse.of(201) : stored.apply(requested));
        int pairs = Integer.getInteger("stowline.explore", 1) > 1 ? 40 : 16;
        Flux<Long> all = Flux.range(0, pairs)
                .flatMap(i -> Mono.fromCallable(() -> piped(i)).subscribeOn(Schedulers.boundedElastic()), pairs);

        try (TransferMemory.Share other = memory.share()) {
            assertThat(other.tryTake(memory.capacity() - 8 * RANGE)).isTrue();
            assertThat(all.collectList().block()).hasSize(pairs).containsOnly((long) CONTENT.length);
        }
        assertThat(memory.now()).isZero();
    }

    private long piped(int pair) throws IOException {
        try (InputStream in = open()) {
            return photos.upload(in, "copy" + pair, with -> with.overwrite().blockSize(RANGE))
                    .size();
        }
    }

    @Test
    @DisplayName("TRANSFER-7: 64 blocking downloads on the bounded elastic scheduler end")
    void onBoundedElastic() {
        byte[] content = bytes(6 * SMALL_RANGE + 11);
        stored.changeTo(content, "\"v2\"");
        stored.md5(StoredBlob.hashOf(content));
        List<Integer> all = Flux.range(0, 64)
                .flatMap(
                        i -> Mono.fromCallable(() -> photos.download("a", with -> with.rangeSize(SMALL_RANGE)).length)
                                .subscribeOn(Schedulers.boundedElastic()),
                        64)
                .collectList()
                .block();

        assertThat(all).hasSize(64).containsOnly(content.length);
        assertThat(memory.now()).isZero();
    }
}
