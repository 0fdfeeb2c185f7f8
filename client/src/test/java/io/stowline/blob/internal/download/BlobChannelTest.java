package io.stowline.blob.internal.download;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
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
import org.junit.jupiter.params.provider.ValueSource;

/** A blob that is read at any position. */
@Timeout(60)
class BlobChannelTest {

    private static final int KIB = 1 << 10;

    private final byte[] content = bytes(3 << 20);
    private final StoredBlob stored = new StoredBlob(content);
    private final StubBlobs blobs = new StubBlobs(stored);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));

    @AfterEach
    void close() {
        blobs.close();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private static byte[] read(SeekableByteChannel channel, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            assertThat(buffer.position()).isPositive();
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }

    private List<StubRequest> gets() {
        return blobs.requested().stream()
                .filter(requested -> requested.method().equals("GET"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 65_536, 100_000, 4 << 20})
    void readsInOrder(int step) throws IOException {
        try (SeekableByteChannel channel = photos.channel("a")) {
            ByteBuffer whole = ByteBuffer.allocate(content.length);
            for (byte[] some = read(channel, step); some.length > 0; some = read(channel, step)) {
                whole.put(some);
            }
            assertThat(whole.array()).isEqualTo(content);
            assertThat(channel.position()).isEqualTo(content.length).isEqualTo(channel.size());
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
        assertThat(gets()).hasSizeLessThan(12).allMatch(requested -> "\"v1\"".equals(requested.header("If-Match")));
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("a channel that is read here and there requests what is read, and reads nothing ahead")
    void readsHereAndThere() throws IOException {
        Random random = new Random(7);
        try (SeekableByteChannel channel = photos.channel("a")) {
            for (int i = 0; i < 50; i++) {
                int at = random.nextInt(content.length);
                int count = 1 + random.nextInt(3 * KIB);
                assertThat(read(channel.position(at), count))
                        .isEqualTo(Arrays.copyOfRange(content, at, Math.min(content.length, at + count)));
            }
            assertThat(read(channel.position(content.length + 5L), 1)).isEmpty();
        }
        assertThat(gets()).hasSizeLessThanOrEqualTo(60).allMatch(requested -> length(requested) <= 128 * KIB);
        assertThat(blobs.memory().now()).isZero();
    }

    private static long length(StubRequest requested) {
        String range = requested.header("x-ms-range").substring("bytes=".length());
        int dash = range.indexOf('-');
        return Long.parseLong(range.substring(dash + 1)) - Long.parseLong(range.substring(0, dash)) + 1;
    }

    @Test
    void reportsWhatItCannotDo() throws IOException {
        SeekableByteChannel channel = photos.channel("a");
        ByteBuffer one = ByteBuffer.allocate(1);

        assertThatExceptionOfType(NonWritableChannelException.class).isThrownBy(() -> channel.write(one));
        assertThatExceptionOfType(NonWritableChannelException.class).isThrownBy(() -> channel.truncate(1));
        assertThatIllegalArgumentException().isThrownBy(() -> channel.position(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> channel.read(one.asReadOnlyBuffer()));
        channel.close();
        channel.close();
        assertThat(channel.isOpen()).isFalse();
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(() -> channel.read(one));
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(channel::size);
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(channel::position);
    }

    @Test
    @DisplayName("TRANSFER-2: a blob that changes is an error; after another error the channel goes on where it was")
    void failsAndGoesOn() throws IOException {
        try (SeekableByteChannel channel = photos.channel("a")) {
            read(channel, 10);
            blobs.respond(requested -> BlobStubResponse.refusal(403, "AuthorizationFailure"));
            assertThatExceptionOfType(StorageException.class).isThrownBy(() -> read(channel.position(1 << 20), 10));
            blobs.respond(stored);
            assertThat(read(channel, 10)).isEqualTo(Arrays.copyOfRange(content, 1 << 20, (1 << 20) + 10));

            stored.changeTo(content, "\"v2\"");
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> read(channel.position(2 << 20), 10));
        }
        assertThat(blobs.memory().now()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "a read that waits ends with its channel: by an interrupt of its thread, or by a close from another one")
    void endsWithItsChannel(boolean interrupt) throws Exception {
        CountDownLatch reached = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        SeekableByteChannel channel = photos.channel("a");
        blobs.respond(requested -> {
            reached.countDown();
            try {
                assertThat(released.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return stored.apply(requested);
        });
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        CompletableFuture<Boolean> flag = new CompletableFuture<>();
        Thread reader = new Thread(() -> {
            Throwable end = catchThrowable(() -> channel.read(ByteBuffer.allocate(10)));
            flag.complete(Thread.currentThread().isInterrupted());
            thrown.complete(end);
        });
        reader.start();
        assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
        if (interrupt) {
            reader.interrupt();
        } else {
            channel.close();
        }

        assertThat(thrown.get(20, TimeUnit.SECONDS))
                .isExactlyInstanceOf(interrupt ? ClosedByInterruptException.class : AsynchronousCloseException.class);
        assertThat(flag).isCompletedWithValue(interrupt);
        assertThat(channel.isOpen()).isFalse();
        assertThat(blobs.memory().now()).isZero();
        released.countDown();
    }

    @Test
    @DisplayName("threads that share a channel get each byte once")
    void sharedByThreads() throws Exception {
        List<CompletableFuture<Integer>> all = new ArrayList<>();
        try (SeekableByteChannel channel = photos.channel("a")) {
            for (int i = 0; i < 4; i++) {
                all.add(CompletableFuture.supplyAsync(() -> drained(channel)));
            }
            int total = 0;
            for (CompletableFuture<Integer> one : all) {
                total += one.get(30, TimeUnit.SECONDS);
            }
            assertThat(total).isEqualTo(content.length);
        }
        assertThat(blobs.memory().now()).isZero();
    }

    private static int drained(SeekableByteChannel channel) {
        try {
            int total = 0;
            for (int count = 0; count >= 0; count = channel.read(ByteBuffer.allocate(7_000))) {
                total += count;
            }
            return total;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
