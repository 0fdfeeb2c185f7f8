package io.stowline.testkit.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
final class MachineLockTest {

    @TempDir
    Path temp;

    @Test
    void letsOneThreadInAtATime() {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();

        CompletableFuture.allOf(IntStream.range(0, 8)
                        .mapToObj(i -> CompletableFuture.runAsync(() -> run(lock("a"), () -> {
                            assertThat(inside.incrementAndGet()).isEqualTo(1);
                            runs.incrementAndGet();
                            inside.decrementAndGet();
                        })))
                        .toArray(CompletableFuture<?>[]::new))
                .join();

        assertThat(runs).hasValue(8);
    }

    @Test
    void holdsTheFileForOtherProcessesWhileItRuns() throws IOException {
        boolean valid = lock("a").locked(lock -> lock.isValid() && !lock.isShared());

        assertThat(valid).isTrue();
    }

    @Test
    void doesNotHoldUpAnotherFile() {
        AtomicInteger runs = new AtomicInteger();

        run(lock("a"), () -> CompletableFuture.runAsync(() -> run(lock("b"), runs::incrementAndGet))
                .join());

        assertThat(runs).hasValue(1);
    }

    @Test
    void isFreeAfterAFailure() throws IOException {
        assertThatThrownBy(() -> lock("a").locked(lock -> {
                    throw new IOException("failed inside");
                }))
                .hasMessage("failed inside");

        assertThat(lock("a").<String>locked(lock -> "again")).isEqualTo("again");
    }

    private MachineLock lock(String name) {
        return new MachineLock(temp.resolve("folder").resolve(name));
    }

    private static void run(MachineLock lock, Runnable action) {
        try {
            lock.locked(held -> {
                action.run();
                return held;
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
