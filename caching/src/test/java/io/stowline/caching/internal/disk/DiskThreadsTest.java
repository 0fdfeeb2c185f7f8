package io.stowline.caching.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskThreadsTest {

    private static final int THREADS = 8;
    private static final int STEPS = 150;
    private static final long BOUND = 300_000;

    @TempDir
    Path folder;

    @Test
    @DisplayName("CACHE-5: whatever many threads do at once, what is found is whole and the key's own")
    void whatIsFoundIsWhole() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (DiskTier tier = DiskTier.open(folder, BOUND)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                all.add(threads.submit(() -> {
                    for (int step = 0; step < STEPS; step++) {
                        step(tier, "k" + random.nextInt(6), random);
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get(60, TimeUnit.SECONDS);
            }
            assertThat(tier.bytes()).isEqualTo(Responses.size(folder)).isLessThanOrEqualTo(BOUND);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void step(DiskTier tier, String key, Random random) throws IOException {
        switch (random.nextInt(8)) {
            case 0, 1 -> put(tier, key, random);
            case 2 -> tier.remove(key);
            case 3 -> tier.removeIf(each -> each.endsWith("5"));
            default -> look(tier, key);
        }
        assertThat(tier.bytes()).isLessThanOrEqualTo(BOUND);
    }

    private static void put(DiskTier tier, String key, Random random) {
        try {
            Responses.put(tier, key, (key + ";").repeat(1 + random.nextInt(40_000)));
        } catch (IOException full) {
            assertThat(full).hasMessageContaining("no room");
        }
    }

    private static void look(DiskTier tier, String key) {
        try (DiskEntry entry = tier.find(key)) {
            if (entry != null) {
                String text = Responses.text(entry);
                assertThat(text).matches("(?:" + key + ";)++");
                String etag = Responses.etag(text);
                assertThat(entry.head().header("ETag")).isEqualTo(etag);
                tier.validated(key, Responses.head(etag, 2));
            }
        }
    }
}
