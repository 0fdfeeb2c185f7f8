package io.stowline.caching.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KilledTest {

    private static final String ETAG = Responses.etag("new");

    /** Every operation that changes files, several times. */
    private static void work(DiskTier tier) throws IOException {
        Responses.put(tier, "key", "old");
        Responses.put(tier, "other", "other");
        Responses.begin(tier, "key", "given up").abort();
        Responses.put(tier, "key", "new");
        tier.validated("key", Responses.head(ETAG, 2));
        tier.validated("key", Responses.head(ETAG, 3));
        Responses.find(tier, "key");
        tier.remove("other");
        Responses.put(tier, "key", "newest");
        tier.removeIf("key"::equals);
    }

    @Test
    @DisplayName("CACHE-5: a process that is killed between any two operations leaves whole entries only")
    void leavesWholeEntriesOnly() throws IOException {
        killEverywhere(false);
    }

    @Test
    @DisplayName("CACHE-5: a loss of power leaves whole entries only, whatever was not forced to the disk")
    void survivesALossOfPower() throws IOException {
        killEverywhere(true);
    }

    private static void killEverywhere(boolean losesPower) throws IOException {
        boolean killed = true;
        int at = 0;
        for (; killed; at++) {
            Path folder = Responses.temporary();
            try {
                FailingFiles files = new FailingFiles();
                files.killAt(at);
                workUntilKilled(folder, files);
                killed = files.isKilled();
                if (losesPower) {
                    files.losePower();
                }
                looksWhole(folder, at);
            } finally {
                Responses.delete(folder);
            }
        }
        assertThat(at).isGreaterThan(40);
    }

    private static void workUntilKilled(Path folder, FailingFiles files) {
        try (DiskTier tier = DiskTier.open(folder, 1 << 20, files)) {
            work(tier);
        } catch (IOException e) {
            assertThat(files.isKilled()).isTrue();
        }
    }

    private static void looksWhole(Path folder, int at) throws IOException {
        try (DiskTier tier = DiskTier.open(folder, 1 << 20)) {
            assertThat(tier.bytes()).as("killed at %s", at).isEqualTo(Responses.size(folder));
            assertThat(Responses.find(tier, "other")).isIn(null, "other");
            try (@Nullable DiskEntry entry = tier.find("key")) {
                if (entry != null) {
                    String text = Responses.text(entry);
                    assertThat(text).as("killed at %s", at).isIn("old", "new", "newest");
                    assertThat(entry.head().header("etag")).isEqualTo(Responses.etag(text));
                    assertThat(entry.head().validatedAtMillis())
                            .isIn(text.equals("new") ? Set.of(1L, 2L, 3L) : Set.of(1L));
                }
            }
            Responses.put(tier, "key", "after");
            assertThat(Responses.find(tier, "key")).isEqualTo("after");
            assertThat(Responses.files(folder, "entry")).hasSizeBetween(1, 2);
            assertThat(Responses.files(folder, "tmp")).isEmpty();
        }
    }
}
