package io.stowline.projection.internal.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.projection.Unloading;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClassCacheTest {

    @Test
    void givesAllThreadsTheSameValue() {
        ClassCache<Object> kept = new ClassCache<>(type -> new Object());
        Set<Object> seen = ConcurrentHashMap.newKeySet();

        IntStream.range(0, 1_000).parallel().forEach(i -> seen.add(kept.get(String.class)));

        assertThat(seen).hasSize(1).doesNotContain(kept.get(Integer.class));
    }

    @Test
    void makesAgainWhatCouldNotBeMade() {
        AtomicInteger calls = new AtomicInteger();
        ClassCache<String> kept = new ClassCache<>(type -> {
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("first");
            }
            return type.getName();
        });

        assertThatIllegalStateException().isThrownBy(() -> kept.get(String.class));
        assertThat(kept.get(String.class)).isEqualTo("java.lang.String");
    }

    @Test
    @DisplayName("types and mappings keep no class loader from unloading, and what memory took is made again")
    void classLoadersUnload() throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process other = new ProcessBuilder(
                        java, "-Xmx32m", "-cp", System.getProperty("java.class.path"), Unloading.class.getName())
                .redirectErrorStream(true)
                .start();

        String stated = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(other.waitFor()).as(stated).isZero();
        assertThat(stated.lines())
                .containsExactly(
                        "mapping in a static field collected",
                        "mapping that nobody holds collected",
                        "type of the loader collected",
                        "library of the loader collected",
                        "made again true");
    }
}
