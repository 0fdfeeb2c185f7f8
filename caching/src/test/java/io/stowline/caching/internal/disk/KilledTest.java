package io.stowline.caching.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class KilledTest {

    private static final String ETAG = Answers.etag("new");

    /** Every operation that changes files, several times. */
    private static void work(DiskTier tier) throws IOException {
        Answers.put(tier, "key", "old");
        Answers.put(tier, "other", "other");
        Answers.begin(tier, "key", "given up").abort();
        Answers.put(tier, "key", "new");
        tier.validated("key", Answers.head(ETAG, 2));
        tier.validated("key", Answers.head(ETAG, 3));
        Answers.find(tier, "key");
        tier.remove("other");
        Answers.put(tier, "key", "newest");
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
            Path folder = Answers.temporary();
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
                Answers.delete(folder);
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
            assertThat(tier.bytes()).as("killed at %s", at).isEqualTo(Answers.size(folder));
            assertThat(Answers.find(tier, "other")).isIn(null, "other");
            try (@Nullable DiskEntry entry = tier.find("key")) {
                if (entry != null) {
                    String text = Answers.text(entry);
                    assertThat(text).as("killed at %s", at).isIn("old", "new", "newest");
                    assertThat(entry.head().header("etag")).isEqualTo(Answers.etag(text));
                    assertThat(entry.head().validatedAtMillis())
                            .isIn(text.equals("new") ? Set.of(1L, 2L, 3L) : Set.of(1L));
                }
            }
            Answers.put(tier, "key", "after");
            assertThat(Answers.find(tier, "key")).isEqualTo("after");
            assertThat(Answers.files(folder, "entry")).hasSizeBetween(1, 2);
            assertThat(Answers.files(folder, "tmp")).isEmpty();
        }
    }
}
