package io.stowline.benchmarks.side;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.side.work.Task;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeakMemoryTest {

    private static final int MIB = 1 << 20;

    private final PeakMemory memory = new PeakMemory();
    private byte[] heap = new byte[0];
    private ByteBuffer direct = ByteBuffer.allocate(0);

    @AfterEach
    void useWhatWasKept() {
        assertThat(heap.length + direct.capacity()).isNotNegative();
    }

    @Test
    void hasHeapAndDirectMemoryInUse() {
        long before = settled();
        heap = new byte[40 * MIB];
        direct = ByteBuffer.allocateDirect(24 * MIB);

        assertThat(collected() - before).isGreaterThan(60L * MIB);
    }

    @Test
    void hasNoGarbage() {
        long before = settled();
        for (int i = 0; i < 8; i++) {
            heap = new byte[8 * MIB];
        }

        assertThat(collected() - before).isLessThan(32L * MIB);
    }

    @Test
    void isTheMaxAndNotTheLast() {
        heap = new byte[40 * MIB];
        long max = collected();
        heap = new byte[0];

        assertThat(collected()).isGreaterThanOrEqualTo(max);
        assertThat(max).isGreaterThan(40L * MIB);
    }

    @Test
    void isThatOfATask() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        long peak = PeakMemory.of(nanos -> {
            runs.incrementAndGet();
            return Task.Done.of(1);
        });

        assertThat(runs).hasValue(1);
        assertThat(peak).isPositive();
    }

    /** Returns the memory in use once collections free nothing more: earlier tests leave what a cleaner frees later. */
    private static long settled() {
        long min = Long.MAX_VALUE;
        for (int collections = 0; collections < 10; collections++) {
            PeakMemory now = new PeakMemory();
            now.collect();
            if (now.bytes() > min - MIB) {
                return Math.min(min, now.bytes());
            }
            min = now.bytes();
        }
        return min;
    }

    private long collected() {
        memory.collect();
        return memory.bytes();
    }
}
