package io.stowline.caching.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.stowline.caching.internal.disk.DiskFormat.DiskHead;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundTest {

    private static final String TEXT = "x".repeat(1_000);

    @TempDir
    Path folder;

    @Test
    @DisplayName("CACHE-5: what was used longest ago gives way")
    void whatWasUsedLongestAgoGivesWay() throws IOException {
        try (DiskTier tier = DiskTier.open(folder, 3_500)) {
            for (String key : new String[] {"a", "b", "c"}) {
                Responses.put(tier, key, TEXT);
            }
            assertThat(Responses.find(tier, "a")).isEqualTo(TEXT);
            Responses.put(tier, "d", TEXT);
            assertThat(Responses.find(tier, "b")).isNull();
            for (String key : new String[] {"a", "c", "d"}) {
                assertThat(Responses.find(tier, key)).isEqualTo(TEXT);
            }
        }
    }

    @Test
    void theOrderOfUseOutlivesARestartAndALowerBoundHolds() throws IOException {
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            for (String key : new String[] {"a", "b", "c"}) {
                Responses.put(tier, key, TEXT);
            }
            for (Path file : Responses.files(folder, "entry")) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(1));
            }
            assertThat(Responses.find(tier, "b")).isEqualTo(TEXT);
        }
        try (DiskTier tier = DiskTier.open(folder, 2_000)) {
            assertThat(Responses.find(tier, "a")).isNull();
            assertThat(Responses.find(tier, "b")).isEqualTo(TEXT);
            assertThat(Responses.find(tier, "c")).isNull();
            assertThat(tier.bytes()).isEqualTo(Responses.size(folder)).isLessThan(2_000);
        }
    }

    @Test
    void whatIsBeingReadDoesNotGiveWay() throws IOException {
        try (DiskTier tier = DiskTier.open(folder, 2_500)) {
            Responses.put(tier, "a", TEXT);
            Responses.put(tier, "b", TEXT);
            try (DiskEntry a = tier.find("a")) {
                tier.find("b").close();
                Responses.put(tier, "c", TEXT);
                assertThat(Responses.find(tier, "b")).isNull();
                DiskWriter writer = Responses.begin(tier, "d", TEXT);
                assertThatIOException()
                        .isThrownBy(() -> Responses.begin(tier, "e", TEXT))
                        .withMessageContaining("no room");
                assertThat(Responses.text(a)).isEqualTo(TEXT);
                writer.abort();
            }
            Responses.put(tier, "e", TEXT);
        }
    }

    @Test
    void anEntryLargerThanTheBoundIsRefusedAndNothingGivesWayToIt() throws IOException {
        try (DiskTier tier = DiskTier.open(folder, 2_500)) {
            Responses.put(tier, "a", TEXT);
            DiskHead announced = new DiskHead(200, Map.of("content-length", "2500"), 1);
            assertThatIOException()
                    .isThrownBy(() -> tier.begin("large", announced))
                    .withMessageContaining("larger than the cache on disk, which has 2500");
            assertThatIOException()
                    .isThrownBy(() -> Responses.begin(tier, "large", TEXT.repeat(3)))
                    .withMessageContaining("larger than the cache on disk");
            assertThat(Responses.find(tier, "a")).isEqualTo(TEXT);
        }
    }

    @Property(tries = 30)
    @Label("CACHE-5: the bytes of all files are within the bound at every moment, and counted right")
    void staysWithinTheBound(@ForAll long seed) throws IOException {
        Random random = new Random(seed);
        Path own = Responses.temporary();
        Map<String, DiskEntry> reading = new HashMap<>();
        try (DiskTier tier = DiskTier.open(own, 20_000)) {
            for (int step = 0; step < 150; step++) {
                step(tier, "k" + random.nextInt(12), random, reading);
                assertThat(Responses.size(own)).isLessThanOrEqualTo(tier.bytes());
                assertThat(tier.bytes()).isLessThanOrEqualTo(20_000);
            }
            reading.values().forEach(DiskEntry::close);
            assertThat(Responses.size(own)).isEqualTo(tier.bytes());
        } finally {
            Responses.delete(own);
        }
    }

    private static void step(DiskTier tier, String key, Random random, Map<String, DiskEntry> reading)
            throws IOException {
        switch (random.nextInt(6)) {
            case 0, 1 -> {
                try {
                    Responses.put(tier, key, "x".repeat(random.nextInt(4_000)));
                } catch (IOException full) {
                    assertThat(full).hasMessageContaining("no room");
                }
            }
            case 2 -> tier.remove(key);
            case 3 ->
                tier.validated(key, new DiskHead(200, Map.of("x", "y".repeat(random.nextInt(100))), step(random)));
            default -> {
                DiskEntry before = reading.remove(key);
                if (before != null) {
                    before.close();
                } else {
                    DiskEntry found = tier.find(key);
                    if (found != null) {
                        reading.put(key, found);
                    }
                }
            }
        }
    }

    private static long step(Random random) {
        return random.nextInt(1_000);
    }
}
