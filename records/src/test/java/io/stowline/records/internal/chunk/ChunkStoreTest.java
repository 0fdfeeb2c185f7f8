package io.stowline.records.internal.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChunkStoreTest {

    private static final String PURPOSE = "records of http://127.0.0.1/account/ads/activities/";

    @TempDir
    Path folder;

    private static ChunkName name(long sequence) {
        return new ChunkName(Instant.parse("2026-11-29T10:05:00Z"), "k3v9x2m4qd7h", sequence);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(SealedChunk chunk) {
        return new String(chunk.content(), StandardCharsets.UTF_8);
    }

    private Journal journal(boolean fsync) {
        return Journal.open(folder, JournalSettings.builder().fsync(fsync).build());
    }

    private static void fills(ChunkStore chunks) {
        OpenChunk open = chunks.open(name(7));
        assertThat(open.name()).isEqualTo(name(7));
        open.force(open.write(bytes("one\n")));
        open.force(open.write(bytes("")));
        open.force(open.write(bytes("x".repeat(200_000))));
        assertThat(open.records()).isEqualTo(3);
        assertThat(open.bytes()).isEqualTo(200_004);
        assertThat(open.isBroken()).isFalse();

        SealedChunk sealed = open.seal();
        assertThat(sealed.name()).isEqualTo(name(7));
        assertThat(sealed.seal()).isNull();
        assertThat(text(sealed)).isEqualTo("one\n" + "x".repeat(200_000));
        ChunkSeal seal = new ChunkSeal("activities/0b/a", 0, 200_004, "hash==");
        sealed.seal(seal);
        assertThat(sealed.seal()).isEqualTo(seal);
        sealed.seal(new ChunkSeal("activities/0b/b", 5, 200_004, "hash=="));
        assertThat(sealed.records()).isEqualTo(3);
        assertThat(text(sealed)).isEqualTo("one\n" + "x".repeat(200_000));
        sealed.delivered();
    }

    @Test
    void keepsChunksInMemory() {
        try (ChunkStore chunks = new MemoryChunks(1_000_000)) {
            assertThat(chunks.durable()).isFalse();
            assertThat(chunks.found()).isEmpty();
            fills(chunks);
        }
    }

    @Test
    void keepsChunksInAJournal() {
        for (boolean fsync : new boolean[] {false, true}) {
            try (Journal journal = journal(fsync);
                    ChunkStore chunks = SpooledChunks.open(journal, PURPOSE)) {
                assertThat(chunks.durable()).isTrue();
                assertThat(chunks.found()).isEmpty();
                fills(chunks);
                assertThat(journal.outstandingRecords()).isZero();
                assertThat(journal.outstandingBytes()).isZero();
            }
        }
    }

    @Test
    @DisplayName(
            "RECORD-1: chunks that a process leaves are found by the next one, with their seals, and empty ones are not")
    void findsWhatIsLeft() {
        ChunkSeal seal = new ChunkSeal("activities/0b/a", 12, 4, "hash==");
        try (Journal journal = journal(true);
                ChunkStore chunks = SpooledChunks.open(journal, PURPOSE)) {
            OpenChunk first = chunks.open(name(0));
            first.write(bytes("one\n"));
            SealedChunk sealed = first.seal();
            sealed.seal(new ChunkSeal("activities/0b/a", 0, 4, "hash=="));
            sealed.seal(seal);
            chunks.open(name(1)).write(bytes("two\n"));
            chunks.open(name(2));
        }
        for (int opening = 0; opening < 2; opening++) {
            try (Journal journal = journal(true);
                    ChunkStore chunks = SpooledChunks.open(journal, PURPOSE)) {
                assertThat(journal.outstandingRecords()).isEqualTo(2);
                List<SealedChunk> found = chunks.found();
                assertThat(found).extracting(SealedChunk::name).containsExactly(name(0), name(1));
                assertThat(found).extracting(ChunkStoreTest::text).containsExactly("one\n", "two\n");
                assertThat(found.get(0).seal()).isEqualTo(seal);
                assertThat(found.get(1).seal()).isNull();
                assertThat(chunks.found()).isEmpty();
                assertThat(journal.recoveryWarnings()).isEmpty();
            }
        }
    }

    @Test
    @DisplayName(
            "RECORD-1: a second writer of the same open journal finds what the first one has left, which can do nothing with it")
    void handsOver() {
        try (Journal journal = journal(false)) {
            ChunkStore before = SpooledChunks.open(journal, PURPOSE);
            OpenChunk open = before.open(name(0));
            open.write(bytes("one\n"));
            assertThatThrownBy(() -> SpooledChunks.open(journal, PURPOSE)).hasMessageContaining("in use");
            before.close();

            try (ChunkStore after = SpooledChunks.open(journal, PURPOSE)) {
                SealedChunk sealed = after.found().get(0);
                assertThatThrownBy(() -> open.write(bytes("two\n"))).isInstanceOf(JournalException.class);
                assertThatThrownBy(() -> open.seal().seal(new ChunkSeal("b", 0, 4, "h")))
                        .isInstanceOf(JournalException.class);
                open.seal().delivered();
                assertThat(text(sealed)).isEqualTo("one\n");
                sealed.delivered();
                assertThat(journal.outstandingBytes()).isZero();
            }
        }
    }

    @Test
    void belongsToOnePurpose() {
        try (Journal journal = journal(false)) {
            SpooledChunks.open(journal, PURPOSE).close();
            assertThatThrownBy(() -> SpooledChunks.open(journal, "table people of account a"))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("is for " + PURPOSE);
            SpooledChunks.open(journal, PURPOSE).close();
        }
    }

    @Test
    void countsRejectedChunks() {
        try (Journal journal = journal(false);
                ChunkStore chunks = SpooledChunks.open(journal, PURPOSE)) {
            OpenChunk open = chunks.open(name(0));
            open.write(bytes("one\n"));
            open.write(bytes("two\n"));
            open.seal().rejected("409 foreign blob");
            assertThat(journal.rejectedRecords()).isEqualTo(2);
            assertThat(journal.outstandingRecords()).isZero();
        }
        try (Journal journal = journal(false)) {
            assertThat(journal.rejectedRecords()).isEqualTo(2);
            assertThat(folder.resolve("spool.1.rejected")).exists();
        }
    }
}
