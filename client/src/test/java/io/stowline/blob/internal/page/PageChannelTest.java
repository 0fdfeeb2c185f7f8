package io.stowline.blob.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.PageBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.error.AuthenticationException;
import io.stowline.error.NotFoundException;
import io.stowline.error.ProtocolException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The requests of a channel, the bound of what it keeps, and its errors. */
@Timeout(60)
class PageChannelTest {

    private static final int WINDOW = PageChannel.WINDOW;

    private final StoredPages pages = new StoredPages();
    private final StubBlobs blobs = new StubBlobs(pages);
    private final PageBlob disk = blobs.container().pageBlob("disk");

    @BeforeEach
    void create() {
        disk.create(12 * WINDOW);
    }

    @AfterEach
    void close() {
        blobs.close();
    }

    private static ByteBuffer bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    private int writes() {
        return blobs.requested("PUT", "page").size();
    }

    @Test
    void sendsWindowsOnceAndReadsEdgesOnly() throws IOException {
        try (SeekableByteChannel channel = disk.channel()) {
            for (int i = 0; i < 300; i++) {
                channel.write(bytes(10_000));
            }
            channel.position(5);
            ByteBuffer back = ByteBuffer.allocate(100);
            channel.read(back);
            assertThat(back.array()).isEqualTo(Arrays.copyOfRange(bytes(10_000).array(), 5, 105));
        }
        assertThat(pages.content()).startsWith(bytes(10_000).array());
        assertThat(writes()).as("windows").isEqualTo(3);
        blobs.requested().clear();
        try (SeekableByteChannel channel = disk.channel()) {
            channel.position(1000);
            channel.write(bytes(10));
            channel.write(bytes(10));
        }
        assertThat(blobs.requested("GET", "")).hasSize(1);
        assertThat(writes()).isEqualTo(1);
    }

    @Test
    @DisplayName("a page blob with the Content-Encoding gzip is read, written and downloaded as it is stored")
    void compressed(@TempDir Path folder) throws IOException {
        blobs.respond(request -> pages.apply(request).with("Content-Encoding", "gzip"));
        disk.write(0, bytes(512).array());
        try (SeekableByteChannel channel = disk.channel()) {
            channel.position(100);
            channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        }
        byte[] expected = bytes(512).array();
        System.arraycopy(new byte[] {1, 2, 3}, 0, expected, 100, 3);

        assertThat(disk.read(0, 512)).isEqualTo(expected);
        assertThat(disk.reactive().read(90, 20).block()).isEqualTo(Arrays.copyOfRange(expected, 90, 110));
        Path file = folder.resolve("disk");
        disk.downloadTo(file);
        assertThat(file).hasBinaryContent(pages.content());
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> blobs.container().download("disk"))
                .withMessageContaining("asStored() reads it as it is");
    }

    @Test
    @DisplayName("TRANSFER-3: a channel keeps few windows: a further write waits until one is sent")
    void waitsForTheService() throws Exception {
        CountDownLatch service = new CountDownLatch(1);
        AtomicInteger arrived = new AtomicInteger();
        blobs.respond(request -> {
            if (request.is("PUT", "page")) {
                arrived.incrementAndGet();
                StubBlobs.await(service);
            }
            return pages.apply(request);
        });
        AtomicInteger written = new AtomicInteger();
        Thread writer = new Thread(() -> {
            try (SeekableByteChannel channel = disk.channel()) {
                for (int i = 0; i < 12; i++) {
                    channel.write(bytes(WINDOW));
                    written.incrementAndGet();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        writer.start();
        while (writer.getState() != Thread.State.WAITING && writer.getState() != Thread.State.TIMED_WAITING
                || arrived.get() < PageChannel.MAX_IN_FLIGHT) {
            Thread.onSpinWait();
        }
        assertThat(written.get()).isLessThanOrEqualTo(PageChannel.MAX_IN_FLIGHT + 1);
        service.countDown();
        writer.join();
        assertThat(written.get()).isEqualTo(12);
        assertThat(pages.content())
                .startsWith(bytes(WINDOW).array())
                .endsWith(bytes(WINDOW).array());
    }

    @Test
    @DisplayName("WORLD-2: the size is found where a response without content lacks it")
    void findsTheSize() throws IOException {
        blobs.respond(request -> request.method().equals("HEAD")
                ? pages.apply(request).with("Content-Length", BlobStubResponse.ABSENT)
                : pages.apply(request));
        try (SeekableByteChannel channel = disk.channel()) {
            assertThat(channel.size()).isEqualTo(12 * WINDOW);
        }
    }

    @Test
    @DisplayName(
            "a write that fails behind the caller is the exception of a later call, and of the close at the latest")
    void losesNoError() throws Exception {
        blobs.respond(request -> request.is("PUT", "page")
                ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                : pages.apply(request));
        assertThatExceptionOfType(AuthenticationException.class).isThrownBy(() -> {
            try (SeekableByteChannel channel = disk.channel()) {
                channel.write(bytes(100));
            }
        });
        SeekableByteChannel channel = disk.channel();
        channel.write(bytes(WINDOW));
        channel.write(bytes(100));
        Throwable late = null;
        while (late == null) {
            late = catchThrowable(() -> channel.write(bytes(1)));
        }
        assertThat(late).isInstanceOf(AuthenticationException.class);
        assertThat(catchThrowable(() -> channel.read(ByteBuffer.allocate(1)))).isSameAs(late);
        channel.close();
        channel.close();
        assertThat(channel.isOpen()).isFalse();
        assertThatExceptionOfType(ClosedChannelException.class).isThrownBy(channel::position);

        blobs.respond(pages);
        try (SeekableByteChannel next = disk.channel()) {
            next.write(bytes(100));
        }
        assertThat(pages.content()).startsWith(bytes(100).array());
    }

    @Test
    @DisplayName("of no bytes, a read and a write do nothing anywhere, also behind the end")
    void nothing() throws IOException {
        try (SeekableByteChannel channel = disk.channel()) {
            channel.position(13L * WINDOW);
            assertThat(channel.write(ByteBuffer.allocate(0))).isZero();
            assertThat(channel.read(ByteBuffer.allocate(0))).isZero();
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThatExceptionOfType(IOException.class).isThrownBy(() -> channel.write(ByteBuffer.allocate(1)));
        }
        assertThat(writes()).isZero();
    }

    @Test
    @DisplayName("a blob of size 0 is read, listed, downloaded and opened as no bytes")
    void empty() throws IOException {
        PageBlob none = blobs.container().pageBlob("none");
        none.create(0, o -> o.overwrite());

        assertThat(none.read(0, 0)).isEmpty();
        assertThat(none.read(0, 512)).isEmpty();
        assertThat(none.read(700, 9)).isEmpty();
        assertThat(none.reactive().read(5, 0).block()).isEmpty();
        try (var ranges = none.ranges()) {
            assertThat(ranges).isEmpty();
        }
        try (SeekableByteChannel channel = none.channel()) {
            assertThat(channel.size()).isZero();
            assertThat(channel.read(ByteBuffer.allocate(1))).isEqualTo(-1);
            assertThat(channel.truncate(0).position()).isZero();
        }
    }

    @Test
    @DisplayName("a read of no bytes shows whether the blob is there, and refuses an offset below 0")
    void readOfNone() {
        assertThat(disk.read(0, 0)).isEmpty();
        assertThat(disk.read(99L * WINDOW, 0)).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> disk.read(-1, 0))
                .withMessageContaining("a range begins at 0 or later");
        assertThatIllegalArgumentException().isThrownBy(() -> disk.read(0, -1));
        blobs.respond(request -> BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> disk.read(0, 0));
    }
}
