package io.stowline.caching.internal.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FullTest {

    @TempDir
    Path folder;

    @Test
    @DisplayName("CACHE-5: a full disk, at whatever byte, fails the entry that is written and nothing else")
    void aFullDiskFailsTheEntryThatIsWritten() throws IOException {
        FailingFiles files = new FailingFiles();
        try (DiskTier tier = DiskTier.open(folder, 1 << 20, files)) {
            Responses.put(tier, "key", "before");
            long whole = tier.bytes();
            for (long room = 0; room < whole; room++) {
                files.room(room);
                assertThatIOException()
                        .as("room for %s bytes", room)
                        .isThrownBy(() -> Responses.put(tier, "key", "after!"))
                        .withMessageContaining("No space left");
                assertThat(Responses.find(tier, "key")).isEqualTo("before");
                assertThat(tier.bytes()).isEqualTo(whole).isEqualTo(Responses.size(folder));
            }
            files.room(1 << 20);
            Responses.put(tier, "key", "after!");
            assertThat(Responses.find(tier, "key")).isEqualTo("after!");
        }
    }

    @Test
    @DisplayName("CACHE-5: a full disk does not fail a validation; the older head stays")
    void aFullDiskDoesNotFailAValidation() throws IOException {
        FailingFiles files = new FailingFiles();
        try (DiskTier tier = DiskTier.open(folder, 1 << 20, files)) {
            Responses.put(tier, "key", "text");
            files.room(10);
            tier.validated("key", Responses.head(Responses.etag("text"), 2));
            try (DiskEntry entry = tier.find("key")) {
                assertThat(entry.head().validatedAtMillis()).isEqualTo(1);
            }
            assertThat(tier.bytes()).isEqualTo(Responses.size(folder));
        }
    }

    @Test
    @DisplayName("CACHE-5: a disk that fails makes each read a miss and fails none")
    void aDiskThatFailsMakesAMiss() throws IOException {
        FailingFiles files = new FailingFiles();
        try (DiskTier tier = DiskTier.open(folder, 1 << 20, files)) {
            Responses.put(tier, "key", "text");
            files.killAt(0);
            assertThat(tier.find("key")).isNull();
            tier.validated("key", Responses.head(Responses.etag("text"), 2));
            tier.remove("key");
            files.killAt(Integer.MAX_VALUE);
            assertThat(tier.find("key")).isNull();
        }
        assertThat(Responses.files(folder, "entry"))
                .as("tried again at the end")
                .isEmpty();
    }
}
