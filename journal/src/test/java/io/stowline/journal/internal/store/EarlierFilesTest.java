package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlierFilesTest {

    @TempDir
    Path folder;

    @Test
    @DisplayName("BATCH-15: a file from before there were streams is read as it was")
    void readsAFileWithoutStreams() throws IOException {
        try (InputStream file = new GZIPInputStream(
                Objects.requireNonNull(EarlierFilesTest.class.getResourceAsStream("records.1.mv.gz")))) {
            Files.copy(file, folder.resolve("records.1.mv"));
        }
        Files.writeString(folder.resolve("owner"), "1\nrecords");
        try (RecordJournal journal = RecordJournal.open(folder)) {
            journal.bindTo("table people of account a");
            assertThat(Folders.contents(journal).values()).containsExactly("first", "second");
            assertThat(journal.rejected()).singleElement().satisfies(rejected -> {
                assertThat(rejected.reason()).isEqualTo("409 EntityAlreadyExists");
                assertThat(new String(rejected.record(), StandardCharsets.UTF_8))
                        .isEqualTo("refused");
            });
            assertThat(journal.outstandingBytes()).isEqualTo("firstsecond".length());
            assertThat(journal.recoveryWarnings()).isEmpty();
            assertThat(journal.spool().found()).isEmpty();
        }
    }
}
