package io.stowline.blob.internal.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobWriteResult;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.StorageInterruptedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The threads of blocking uploads from streams, and their release. */
@Timeout(60)
class UploadThreadsTest {

    private static final int UPLOADS = 40;
    private static final int POOL = 5;

    private final CountDownLatch held = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();
    private volatile boolean holding;
    private final StubBlobs blobs = new StubBlobs(this::response);
    private final BlobContainer photos = blobs.container();
    private final ExecutorService pool = Executors.newFixedThreadPool(POOL, task -> new Thread(task, "pool"));

    private BlobStubResponse response(StubRequest requested) {
        if (!requested.method().equals("PUT")) {
            return BlobStubResponse.refusal(404, "BlobNotFound");
        }
        if (holding && requested.query().contains("comp=block&")) {
            waiting.incrementAndGet();
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return BlobStubResponse.of(201);
    }

    @AfterEach
    void close() {
        held.countDown();
        pool.shutdownNow();
        blobs.close();
    }

    /** A stream that says whether it was closed. */
    private static final class Watched extends ByteArrayInputStream {

        private final int broken;
        private volatile boolean closed;

        Watched(int length, int broken) {
            super(new byte[length]);
            this.broken = broken;
        }

        @Override
        public synchronized int read(byte[] target, int offset, int length) {
            if (pos >= broken) {
                throw new UncheckedIOException(new IOException("the camera is gone"));
            }
            return super.read(target, offset, Math.min(length, 10));
        }

        @Override
        public void close() throws IOException {
            closed = true;
            super.close();
        }
    }

    private BlobWriteResult upload(InputStream stream, String name) {
        return photos.upload(stream, name, with -> with.blockSize(10));
    }

    /** Threads that are neither the test's nor the stub's, by what they are for. */
    private static Set<String> working() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        Thread[] threads = new Thread[2 * group.activeCount() + 100];
        group.enumerate(threads); // without their stacks, which cost most
        return Stream.of(threads)
                .filter(Objects::nonNull)
                .map(Thread::getName)
                .filter(name -> name.startsWith("stowline-shared") || name.startsWith("boundedElastic"))
                .collect(Collectors.toSet());
    }

    @Test
    @DisplayName("TRANSFER-7: forty blocking uploads of streams need the threads of their callers only")
    void needsTheCallersThreadsOnly() throws Exception {
        upload(new ByteArrayInputStream(new byte[25]), "warm");
        Set<String> before = working();
        List<Future<BlobWriteResult>> all = new ArrayList<>();
        Set<String> during = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < UPLOADS; i++) {
            String name = "a" + i;
            all.add(pool.submit(() -> {
                InputStream stream = new ByteArrayInputStream(new byte[95]) {
                    @Override
                    public synchronized int read(byte[] target, int offset, int length) {
                        assertThat(Thread.currentThread().getName()).isEqualTo("pool");
                        during.addAll(working());
                        return super.read(target, offset, Math.min(length, 10));
                    }
                };
                return upload(stream, name);
            }));
        }
        for (Future<BlobWriteResult> each : all) {
            assertThat(each.get(30, TimeUnit.SECONDS).size()).isEqualTo(95);
        }

        assertThat(during).isSubsetOf(before);
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName(
            "RETRY-8: interrupted uploads of streams leave neither memory, nor permits, nor a closed stream behind")
    void interruptsReleaseAll() throws Exception {
        holding = true;
        List<Watched> streams = new ArrayList<>();
        List<Future<BlobWriteResult>> all = new ArrayList<>();
        for (int i = 0; i < POOL; i++) {
            Watched stream = new Watched(95, Integer.MAX_VALUE);
            String name = "a" + i;
            streams.add(stream);
            all.add(pool.submit(() -> upload(stream, name)));
        }
        while (waiting.get() < POOL) {
            LockSupport.parkNanos(100_000);
        }
        List<Thread> callers = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("pool"))
                .toList();
        callers.forEach(Thread::interrupt);
        for (Future<BlobWriteResult> each : all) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> each.get(20, TimeUnit.SECONDS))
                    .withCauseInstanceOf(StorageInterruptedException.class);
        }
        assertThat(blobs.memory().now()).isZero();
        assertThat(streams).noneMatch(stream -> stream.closed);
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();

        holding = false;
        held.countDown();
        assertThat(upload(new ByteArrayInputStream(new byte[95]), "next").size())
                .isEqualTo(95);
    }

    @Test
    @DisplayName("TRANSFER-5: a stream that fails, whatever it throws, commits nothing and leaves nothing behind")
    void failuresReleaseAll() throws Exception {
        List<Future<BlobWriteResult>> all = new ArrayList<>();
        List<Watched> streams = new ArrayList<>();
        for (int i = 0; i < UPLOADS; i++) {
            Watched stream = new Watched(95, 10 * (1 + i % 9));
            String name = "a" + i;
            streams.add(stream);
            all.add(pool.submit(() -> upload(stream, name)));
        }
        for (Future<BlobWriteResult> each : all) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> each.get(30, TimeUnit.SECONDS))
                    .havingRootCause()
                    .withMessage("the camera is gone");
        }
        assertThat(blobs.requested("PUT", "blocklist")).isEmpty();
        assertThat(blobs.memory().now()).isZero();
        assertThat(streams).noneMatch(stream -> stream.closed);

        assertThat(upload(new ByteArrayInputStream(new byte[95]), "next").size())
                .isEqualTo(95);
    }
}
