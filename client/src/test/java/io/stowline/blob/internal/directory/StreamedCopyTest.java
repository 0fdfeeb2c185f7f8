package io.stowline.blob.internal.directory;

import static io.stowline.blob.internal.base.StubBlobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.Transfer;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.ProtocolException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blobs that travel from one prefix to another, through this client. */
@Timeout(60)
class StreamedCopyTest {

    private static final int COPIES = 16;

    private final StubBlobs blobs = new StubBlobs(requested -> BlobStubResponse.refusal(400, "Unexpected"));
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));

    @AfterEach
    void close() {
        blobs.close();
    }

    /** Lists so many blobs below {@code s/}; uploads are taken. */
    private static Function<StubRequest, BlobStubResponse> directory(int number, StoredBlob stored) {
        String items = IntStream.range(0, number)
                .mapToObj(i -> "<Blob><Name>s/%02d</Name><Properties>".formatted(i)
                        + "<Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>v1</Etag>"
                        + "<Content-Length>1</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>")
                .collect(Collectors.joining());
        return requested -> {
            if (requested.is("GET", "list")) {
                return BlobStubResponse.of(200)
                        .with("Content-Type", "application/xml")
                        .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>"
                                        + (requested.query().contains("prefix=s") ? items : "")
                                        + "</Blobs><NextMarker/></EnumerationResults>")
                                .getBytes(StandardCharsets.UTF_8));
            }
            if (requested.method().equals("PUT")) {
                return BlobStubResponse.of(201);
            }
            return requested.path().contains("photos/t")
                    ? BlobStubResponse.refusal(404, "BlobNotFound")
                    : stored.apply(requested);
        };
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    /** Returns whether a thread of transfers is in the code of one. */
    private static boolean anyTransfers() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().startsWith("stowline-shared-transfer"))
                .flatMap(thread -> Arrays.stream(thread.getValue()))
                .anyMatch(frame -> frame.getClassName().startsWith("io.stowline.")
                        && frame.getMethodName().equals("on"));
    }

    private Transfer copy() {
        return photos.copyDirectory("s", photos, "t", DirectorySettings.Builder::streamed);
    }

    @Test
    @DisplayName("TRANSFER-7: copies that wait for the network hold no thread")
    void holdsNoThread() throws InterruptedException {
        Function<StubRequest, BlobStubResponse> directory = directory(COPIES, new StoredBlob(bytes(1)));
        CountDownLatch reached = new CountDownLatch(8);
        CountDownLatch held = new CountDownLatch(1);
        blobs.respond(requested -> {
            if (requested.method().equals("PUT")) {
                reached.countDown();
                await(held);
            }
            return directory.apply(requested);
        });
        Transfer transfer = copy();
        await(reached);

        // A thread may still return from the send of a request that has arrived.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (anyTransfers() && System.nanoTime() < end) {
            LockSupport.parkNanos(100_000);
        }
        boolean waits = anyTransfers();
        held.countDown();

        assertThat(waits).as("a thread waits with its copy").isFalse();
        assertThat(transfer.join().transferred()).isEqualTo(COPIES);
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("a function that gives the settings of a copy may call the client and wait")
    void settingsMayWait() {
        blobs.respond(directory(COPIES, new StoredBlob(bytes(1))));

        long copied = photos.copyDirectory(
                        "s", photos, "t", with -> with.streamed().upload((name, settings) -> {
                            assertThat(photos.exists("s/00")).isTrue();
                            return settings;
                        }))
                .join()
                .transferred();

        assertThat(copied).isEqualTo(COPIES);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 300_000, (9 << 20) + 1})
    @DisplayName("a copy has the bytes of its source, however many requests it takes")
    void copiesBytes(int length) throws Exception {
        byte[] content = bytes(length);
        blobs.respond(directory(1, new StoredBlob(content)));

        assertThat(copy().join().bytes()).isEqualTo(length);

        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        List<StubRequest> blocks = blobs.requested().stream()
                .filter(requested -> requested.query().contains("blockid="))
                .toList();
        for (StubRequest put : blocks.isEmpty() ? blobs.requested("PUT", "") : inOrder(blocks)) {
            sent.write(put.body());
        }
        assertThat(sent.toByteArray().length).isEqualTo(length);
        assertThat(Arrays.equals(sent.toByteArray(), content)).isTrue();
        assertThat(blobs.memory().now()).isZero();
    }

    /** Larger blocks first: of two, the last is the shorter one. */
    private static List<StubRequest> inOrder(List<StubRequest> blocks) {
        return blocks.stream()
                .sorted((one, other) -> other.body().length - one.body().length)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 300_000, (9 << 20) + 1})
    @DisplayName("TRANSFER-2: a source whose content is not that of its stored MD5 is not committed")
    void wrongContent(int length) {
        blobs.respond(directory(1, new StoredBlob(bytes(length)).md5("AAAAAAAAAAAAAAAAAAAAAA==")));

        assertThatExceptionOfType(TransferFailedException.class)
                .isThrownBy(() -> copy().join())
                .withCauseInstanceOf(ProtocolException.class)
                .withMessageContaining("its stored MD5 is AAAAAAAAAAAAAAAAAAAAAA==");
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.requested("PUT", "")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }
}
