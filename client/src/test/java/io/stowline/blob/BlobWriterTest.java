package io.stowline.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.StorageInterruptedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.Flux;

/** The publications of a writer, with their times. */
@Timeout(60)
class BlobWriterTest {

    private final StubBlobs blobs = new StubBlobs(BlobWriterTest::usual);
    private final BlobContainer photos = blobs.container();

    private static BlobStubResponse usual(StubRequest request) {
        return request.method().equals("PUT")
                ? BlobStubResponse.of(201)
                : BlobStubResponse.refusal(404, "BlobNotFound");
    }

    @AfterEach
    void close() {
        blobs.close();
    }

    @Test
    @DisplayName("TRANSFER-5: a commit publishes what was written, once")
    void publishesWithACommit() throws IOException {
        byte[] rest = new byte[20_000];
        new Random(1).nextBytes(rest);
        try (BlobWriter out = photos.write("a.txt", with -> with.contentType("text/plain"))) {
            out.write('h');
            out.write("ello".getBytes(StandardCharsets.US_ASCII));
            out.write(rest);
            out.flush();
            assertThat(blobs.requested()).isEmpty();
            BlobWriteResult made = out.commit();
            assertThat(made.size()).isEqualTo(20_005);
            assertThat(out.commit()).isSameAs(made);
            assertThatThrownBy(() -> out.write(1))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("committed");
        }
        assertThat(blobs.requested()).hasSize(1);
        StubRequest put = blobs.requested().get(0);
        assertThat(put.header("If-None-Match")).isEqualTo("*");
        assertThat(put.header("x-ms-blob-content-type")).isEqualTo("text/plain");
        byte[] all = ByteBuffer.allocate(20_005)
                .put("hello".getBytes(StandardCharsets.US_ASCII))
                .put(rest)
                .array();
        assertThat(put.body()).isEqualTo(all);
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-5: a writer that is closed by an exception publishes nothing")
    void publishesNothingWithoutACommit() {
        assertThatThrownBy(() -> {
                    try (BlobWriter out = photos.write("a", with -> with.blockSize(10))) {
                        out.write(new byte[25]);
                        throw new IllegalStateException("the export failed");
                    }
                })
                .hasMessage("the export failed");
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.requested("PUT", "")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    void refusesToGoOnAfterItsEnd() throws IOException {
        BlobWriter out = photos.write("a");
        out.write(1);
        out.close();
        out.close();
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThatThrownBy(out::commit).isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThat(blobs.requested()).isEmpty();
    }

    @Test
    void namesAConflict() {
        blobs.respond(request -> BlobStubResponse.refusal(409, "BlobAlreadyExists"));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> {
            try (BlobWriter out = photos.write("a")) {
                out.write(1);
                out.commit();
            }
        });
    }

    @Test
    @DisplayName("TRANSFER-5: the next write after a block has failed throws, however small it is")
    void throwsWithTheNextWrite() throws Exception {
        blobs.respond(request ->
                request.is("PUT", "block&") ? BlobStubResponse.refusal(403, "AuthorizationFailure") : usual(request));
        try (BlobWriter out = photos.write("a", with -> with.blockSize(200_000))) {
            out.write(new byte[200_001]);
            awaitEndOfTransfers();
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(AuthenticationException.class);
            assertThatThrownBy(() -> out.write(1))
                    .isInstanceOf(IOException.class)
                    .hasCauseInstanceOf(AuthenticationException.class);
            assertThatThrownBy(out::commit).isInstanceOf(IOException.class);
        }
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
    }

    /** A block that fails frees its memory after its failure is known. */
    private void awaitEndOfTransfers() {
        while (blobs.requested("PUT", "block&").isEmpty() || blobs.memory().now() > 0) {
            LockSupport.parkNanos(100_000);
        }
    }

    /** Holds each block until the second latch is open; the first opens when a block arrives. */
    private void hold(CountDownLatch arrived, CountDownLatch end) {
        blobs.respond(request -> {
            if (request.is("PUT", "block&")) {
                arrived.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return usual(request);
        });
    }

    /** The error of a write that waits for a block and is ended so. */
    private Throwable thrownByAWait(BlobWriter out, Consumer<Thread> ending) throws InterruptedException {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        hold(arrived, release);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread writing = new Thread(() -> {
            try {
                out.write(new byte[100_000]);
            } catch (IOException | RuntimeException e) {
                thrown.set(e);
            }
        });
        writing.start();
        // What is written has ten blocks, of which one is sent at a time: from now on the writer waits, or soon will.
        assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
        ending.accept(writing);
        writing.join(20_000);
        release.countDown();
        return thrown.get();
    }

    @Test
    @DisplayName("TRANSFER-5: a writer that another thread closes ends its write that waits")
    void endsAWaitWhenClosed() throws Exception {
        BlobWriter out = photos.write("a", with -> with.blockSize(10_000).parallelism(1));
        Throwable thrown = thrownByAWait(out, writing -> out.close());
        assertThat(thrown).isInstanceOf(IOException.class).hasMessageContaining("closed");
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-5: after an interrupted write nothing is published, for part of its bytes may be missing")
    void endsWithAnInterruptedWrite() throws Exception {
        BlobWriter out = photos.write("a", with -> with.blockSize(10_000).parallelism(1));
        Throwable thrown = thrownByAWait(out, Thread::interrupt);
        assertThat(thrown).isInstanceOf(StorageInterruptedException.class);
        assertThatThrownBy(() -> out.write(1)).isInstanceOf(IOException.class).hasCause(thrown);
        assertThatThrownBy(out::commit).isInstanceOf(IOException.class).hasCause(thrown);
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-5: a publisher that gives more than was requested is an error, and nothing is published")
    void refusesWhatWasNotRequested() {
        Publisher<ByteBuffer> greedy = subscriber -> subscriber.onSubscribe(new Subscription() {
            @Override
            public void request(long n) {
                for (int i = 0; i < 40; i++) {
                    subscriber.onNext(ByteBuffer.wrap(new byte[8]));
                }
                subscriber.onComplete();
            }

            @Override
            public void cancel() {}
        });
        assertThatThrownBy(() -> photos.reactive()
                        .upload(greedy, "a", with -> with.blockSize(10))
                        .block(Duration.ofSeconds(20)))
                .hasMessageContaining("more buffers than were requested");
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-5: a publisher is uploaded to its end, or not at all")
    void uploadsAPublisher() {
        Flux<ByteBuffer> content = Flux.range(0, 10).map(i -> ByteBuffer.wrap(new byte[] {(byte) (int) i, 1, 2}));
        BlobWriteResult made = photos.reactive()
                .upload(content, "a", with -> with.blockSize(10))
                .block(Duration.ofSeconds(20));
        assertThat(made.size()).isEqualTo(30);
        assertThat(blobs.requested("PUT", "block&")).hasSize(3);
        assertThat(blobs.requested("PUT", "blocklist")).hasSize(1);

        assertThatThrownBy(() -> photos.reactive()
                        .upload(
                                content.concatWith(Flux.error(new IllegalStateException("gone"))),
                                "b",
                                with -> with.blockSize(10))
                        .block(Duration.ofSeconds(20)))
                .hasMessage("gone");
        assertThat(blobs.requested("PUT", "blocklist")).hasSize(1);
        assertThat(blobs.memory().now()).isZero();
    }
}
