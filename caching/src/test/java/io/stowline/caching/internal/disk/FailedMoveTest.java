package io.stowline.caching.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A file that is to get its name, on a disk that fails then: before it has it, or after. */
class FailedMoveTest {

    @TempDir
    Path folder;

    private final FaultyDisk disk = new FaultyDisk(new Random(1));

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "CACHE-5: an entry whose move fails is given up whole, though the move was done, and the one before stays")
    void anEntryIsGivenUpWhole(boolean done) throws IOException {
        try (DiskTier tier = DiskTier.open(folder, 1 << 20, disk)) {
            Responses.put(tier, "key", "before");
            long bytes = tier.bytes();
            disk.nextMoveIsDone = done;
            assertThatIOException().isThrownBy(() -> Responses.put(tier, "key", "after"));

            assertThat(tier.bytes()).isEqualTo(bytes).isEqualTo(disk.size());
            assertThat(Responses.find(tier, "key")).isEqualTo("before");
        }
        try (DiskTier tier = DiskTier.open(folder, 1 << 20, disk)) {
            assertThat(Responses.find(tier, "key")).isEqualTo("before");
        }
        assertThat(disk.open).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "CACHE-5: a newer head whose move fails is given up with the one before it, and the entry has its first"
                    + " one")
    void aHeadIsGivenUpWhole(boolean done) throws IOException {
        try (DiskTier tier = DiskTier.open(folder, 1 << 20, disk)) {
            Responses.put(tier, "key", "text");
            long bytes = tier.bytes();
            tier.validated("key", Responses.head(Responses.etag("text"), 2));
            disk.nextMoveIsDone = done;
            tier.validated("key", Responses.head(Responses.etag("text"), 3));

            assertThat(tier.bytes()).isEqualTo(bytes).isEqualTo(disk.size());
            try (DiskEntry entry = tier.find("key")) {
                assertThat(entry.head().validatedAtMillis()).isEqualTo(1);
                assertThat(Responses.text(entry)).isEqualTo("text");
            }
            tier.validated("key", Responses.head(Responses.etag("text"), 4));
            try (DiskEntry entry = tier.find("key")) {
                assertThat(entry.head().validatedAtMillis()).isEqualTo(4);
            }
            assertThat(tier.bytes()).isEqualTo(disk.size());
        }
    }
}
