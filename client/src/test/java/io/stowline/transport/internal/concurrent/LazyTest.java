package io.stowline.transport.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LazyTest {

    private final AtomicInteger calls = new AtomicInteger();

    @Test
    void makesNothingUntilItIsNeeded() {
        Lazy<Integer> lazy = new Lazy<>(calls::incrementAndGet);

        assertThat(lazy.peek()).isNull();
        assertThat(calls).hasValue(0);
        assertThat(lazy.get()).isEqualTo(1);
        assertThat(lazy.get()).isEqualTo(1);
        assertThat(lazy.peek()).isEqualTo(1);
    }

    @Test
    void makesOneForAllThreads() throws Exception {
        Lazy<Integer> lazy = new Lazy<>(calls::incrementAndGet);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Integer>> seen = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                seen.add(threads.submit(lazy::get));
            }
            for (Future<Integer> each : seen) {
                assertThat(each.get()).isEqualTo(1);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void triesAgainAfterAnException() {
        Lazy<Integer> lazy = new Lazy<>(() -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
            }
            return calls.get();
        });

        assertThatThrownBy(lazy::get).hasMessage("once");
        assertThat(lazy.peek()).isNull();
        assertThat(lazy.get()).isEqualTo(2);
    }
}
