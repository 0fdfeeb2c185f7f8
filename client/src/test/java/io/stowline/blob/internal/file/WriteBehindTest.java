package io.stowline.blob.internal.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.stowline.transport.internal.http.BodySink.BodyPart;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Bytes that arrive for a file: the time of their writing, the number of waiting ones, and the release of their memory.
 */
@Timeout(60)
class WriteBehindTest {

    private static final int SLICE = RequestBody.SLICE;
    private static final int ENOUGH = 4;

    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
    private final Queue<Runnable> disk = new ArrayDeque<>();
    private final PlayedTarget file = new PlayedTarget();
    private final AtomicInteger heard = new AtomicInteger();
    private final WriteBehind behind = new WriteBehind(file, disk::add);

    /** A file that takes what comes, until it is to fail. */
    private static final class PlayedTarget implements WriteBehind.FileTarget {

        private final ByteArrayOutputStream written = new ByteArrayOutputStream();
        private @Nullable IOException failure;
        private Runnable duringWrite = () -> {};
        private int finished;
        private final Semaphore over = new Semaphore(0);
        private @Nullable Throwable error;

        @Override
        public synchronized void write(ByteBuffer bytes) throws IOException {
            if (failure != null) {
                throw failure;
            }
            duringWrite.run();
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            written.writeBytes(copy);
        }

        @Override
        public synchronized void finish() {
            finished++;
            over.release();
        }

        @Override
        public synchronized void failed(Throwable failed) {
            error = failed;
        }

        synchronized byte[] bytes() {
            return written.toByteArray();
        }
    }

    private void spin() {
        for (Runnable work = disk.poll(); work != null; work = disk.poll()) {
            work.run();
        }
    }

    private void arrives(WriteBehind to, byte[] content, int from, int size) {
        ByteBuf read = memory.directBuffer(size).writeBytes(content, from, size);
        to.add(new BodyPart(read, size, false));
        read.release();
    }

    private void slices(int count) {
        for (int i = 0; i < count; i++) {
            arrives(behind, new byte[SLICE], 0, SLICE);
        }
    }

    private boolean ready() {
        return behind.ready(heard::incrementAndGet);
    }

    private long used() {
        return memory.metric().usedDirectMemory();
    }

    @Property(tries = 300)
    @Label("TRANSFER-3: all bytes are written in their order, and no more than a few slices of them wait")
    void order(@ForAll long seed) {
        new WriteBehindTest().writesInOrder(new Random(seed));
    }

    private void writesInOrder(Random random) {
        byte[] content = new byte[random.nextInt(20 * SLICE) + 1];
        random.nextBytes(content);
        int at = 0;
        int stops = 0;
        while (at < content.length) {
            if (!behind.ready(heard::incrementAndGet)) {
                assertThat(disk).as("a full queue has its thread").isNotEmpty();
                stops++;
                spin();
                assertThat(heard).hasValue(stops);
            }
            int size = Math.min(content.length - at, random.nextInt(SLICE) + 1);
            arrives(behind, content, at, size);
            at += size;
            assertThat(used()).isLessThanOrEqualTo(WriteBehind.MAX_BUFFERED_BYTES);
            if (random.nextInt(5) == 0) {
                spin();
            }
        }
        behind.end();
        assertThat(file.finished).isZero();
        spin();
        assertThat(file.bytes()).isEqualTo(content);
        assertThat(file.finished).isOne();
        assertThat(used()).isZero();
    }

    @Test
    @DisplayName("a slow disk: it says that it has enough, and says once when half of that is written")
    void aSlowDisk() {
        slices(1);
        assertThat(disk).as("one slice is not worth a thread").isEmpty();
        slices(ENOUGH - 2);
        assertThat(disk).hasSize(1);
        assertThat(ready()).isTrue();
        slices(1);
        assertThat(ready()).isFalse();
        assertThat(ready()).isFalse();
        slices(1);
        assertThat(heard).hasValue(0);
        int[] left = {0};
        file.duringWrite = () -> left[0] += heard.get() == 0 ? 1 : 0;
        spin();
        assertThat(heard).hasValue(1);
        assertThat(left[0]).as("slices that were written before").isEqualTo(3);
        assertThat(ready()).isTrue();
        assertThat(used()).isZero();
        assertThat(file.finished).isZero();
    }

    @Test
    @DisplayName("what arrived before the end is written at the end, also if there is none of it")
    void ends() {
        behind.end();
        spin();
        assertThat(file.finished).isOne();
        slices(1);
        assertThat(used()).isZero();
        assertThat(disk).isEmpty();
    }

    @Test
    @DisplayName("a disk that fails: the error comes at once, no byte is kept, and no connection waits for room")
    void fails() {
        file.failure = new IOException("the disk is full");
        slices(ENOUGH);
        assertThat(ready()).isFalse();
        spin();
        assertThat(file.error).isSameAs(file.failure);
        assertThat(heard).hasValue(1);
        assertThat(used()).isZero();
        assertThat(ready()).isTrue();
        slices(ENOUGH);
        assertThat(used()).isZero();
        behind.end();
        assertThat(disk).isEmpty();
        assertThat(file.finished).isZero();
    }

    @Test
    @DisplayName("closed: nothing is written any more, no byte is kept, and no connection waits for room")
    void closes() {
        slices(ENOUGH);
        assertThat(ready()).isFalse();
        behind.close();
        behind.close();
        assertThat(heard).hasValue(1);
        assertThat(used()).isZero();
        slices(1);
        behind.end();
        spin();
        assertThat(used()).isZero();
        assertThat(file.bytes()).isEmpty();
        assertThat(file.finished).isZero();
    }

    @Test
    @DisplayName("closed during a write: that write ends as the last one")
    void closesWhileItWrites() {
        slices(ENOUGH);
        file.duringWrite = behind::close;
        spin();
        assertThat(file.bytes()).hasSize(SLICE);
        assertThat(used()).isZero();
        assertThat(ready()).isTrue();
    }

    @Test
    @DisplayName("no thread: the error comes at once")
    void noThread() {
        WriteBehind refused = new WriteBehind(file, task -> {
            throw new RejectedExecutionException("no thread");
        });
        arrives(refused, new byte[SLICE], 0, SLICE);
        arrives(refused, new byte[SLICE], 0, SLICE);
        assertThat(file.error).hasMessage("no thread");
        assertThat(refused.ready(heard::incrementAndGet)).isTrue();
        assertThat(used()).isZero();
    }

    @Test
    @DisplayName("memory of another HTTP client is copied")
    void borrowed() {
        byte[] content = {1, 2, 3};
        ByteBuf theirs = memory.directBuffer(3).writeBytes(content);
        behind.add(new BodyPart(theirs, 3, true));
        theirs.setZero(0, 3);
        theirs.release();
        assertThat(used()).isZero();
        behind.end();
        spin();
        assertThat(file.bytes()).isEqualTo(content);
    }

    @Test
    @DisplayName("threads at once: every byte is there, and its end comes once")
    void threads() throws Exception {
        ExecutorService files = Executors.newFixedThreadPool(3);
        try {
            for (int round = 0; round < 200; round++) {
                byte[] content = new byte[12 * SLICE];
                new Random(round).nextBytes(content);
                PlayedTarget target = new PlayedTarget();
                WriteBehind raced = new WriteBehind(target, files);
                Semaphore room = new Semaphore(0);
                for (int at = 0; at < content.length; at += SLICE) {
                    if (!raced.ready(room::release)) {
                        assertThat(room.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                    }
                    arrives(raced, content, at, SLICE);
                }
                raced.end();
                assertThat(target.over.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                assertThat(Arrays.equals(target.bytes(), content)).isTrue();
                assertThat(target.finished).isOne();
            }
        } finally {
            files.shutdownNow();
        }
        assertThat(used()).isZero();
    }
}
