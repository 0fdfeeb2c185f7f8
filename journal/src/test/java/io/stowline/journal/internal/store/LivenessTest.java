package io.stowline.journal.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.journal.JournalException;
import io.stowline.journal.JournalSettings;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The next operation after every failure works at once, or is refused with the right error. */
class LivenessTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @AfterEach
    void makeRoom() {
        FullDisk.FULL.set(false);
        FullDisk.BROKEN.set(null);
    }

    private static Thread writing(Path folder) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("stowline-journal-" + folder.getFileName()))
                .findFirst()
                .orElseThrow();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("BATCH-15: a journal whose thread is interrupted goes on, and none of its callers hangs")
    void survivesInterruptsOfItsThread() {
        List<CompletableFuture<Long>> all = new ArrayList<>();
        try (RecordJournal journal = RecordJournal.open(folder)) {
            Thread writing = writing(folder);
            for (int i = 0; i < 50; i++) {
                writing.interrupt();
                all.add(journal.append(bytes("x" + i)));
            }
            for (CompletableFuture<Long> each : all) {
                // Accepted or refused, but ended.
                assertThat(each.handle((id, error) -> true)).succeedsWithin(SOON);
            }
            assertThat(writing.isAlive()).isTrue();
            Folders.append(journal, "after");
        }
        long accepted =
                all.stream().filter(each -> !each.isCompletedExceptionally()).count();
        try (RecordJournal journal = RecordJournal.open(folder)) {
            assertThat(journal.outstandingRecords()).isEqualTo((int) accepted + 1);
        }
    }

    @Test
    @DisplayName("BATCH-15: who reads with the interrupt flag set gets the record, keeps the flag, and harms nobody")
    void survivesInterruptsOfItsReaders() {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            long id = Folders.append(journal, "read");
            Thread.currentThread().interrupt();
            byte[] read;
            boolean flag;
            try {
                read = journal.read(id);
            } finally {
                flag = Thread.interrupted();
            }
            assertThat(new String(read, StandardCharsets.UTF_8)).isEqualTo("read");
            assertThat(flag).isTrue();
            assertThat(Folders.append(journal, "after")).isGreaterThan(id);
        }
    }

    @Test
    @DisplayName("BATCH-15: a closed journal does not touch its folder again, which may be another's by now")
    void leavesItsFolderAloneAfterAClose() throws Exception {
        RecordJournal first = RecordJournal.open(folder);
        long id = Folders.append(first, "left");
        first.close();
        try (RecordJournal second = RecordJournal.open(folder)) {
            Path records = Folders.records(folder);

            assertThatThrownBy(() -> first.read(id))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("is closed");
            assertThatThrownBy(() -> first.bindTo("x")).hasMessageContaining("is closed");
            assertThat(first.forget(id)).failsWithin(SOON);

            assertThat(records).exists();
            try (var files = Files.list(folder)) {
                assertThat(files).hasSize(2);
            }
            assertThat(Folders.contents(second).values()).containsExactly("left");
        }
    }

    @Test
    @DisplayName("BATCH-15: a close in the middle ends every append and every forgetting, one way or the other")
    void endsEverythingInAClose() {
        RecordJournal journal = RecordJournal.open(folder);
        List<CompletableFuture<?>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(journal.append(bytes("x" + i)));
            all.add(journal.forget(i));
        }
        journal.close();
        all.forEach(each -> assertThat(each.handle((value, error) -> true)).succeedsWithin(SOON));
        assertThatThrownBy(() -> journal.append(bytes("y"))).hasMessageContaining("is closed");
    }

    @Test
    @DisplayName("BATCH-15: an error in a commit refuses what it carried, and the next commit works")
    void survivesAnErrorInACommit() {
        JournalSettings settings = JournalSettings.builder().build();
        try (RecordJournal journal = RecordJournal.open(folder, settings, FullDisk.prefix(), 50_000)) {
            Folders.append(journal, "before");
            FullDisk.BROKEN.set(() -> {
                throw new AssertionError("broken");
            });
            assertThat(journal.append(bytes("refused"))).failsWithin(SOON);
            FullDisk.BROKEN.set(null);
            Folders.append(journal, "after");
            assertThat(Folders.contents(journal).values()).containsExactly("before", "after");
        }
    }

    @Test
    @DisplayName("BATCH-15: an error while a file is given up refuses nothing that was committed before it")
    void survivesAnErrorInARotation() {
        JournalSettings settings = JournalSettings.builder().build();
        try (RecordJournal journal = RecordJournal.open(folder, settings, FullDisk.prefix(), 50_000)) {
            Folders.append(journal, "kept");
            FullDisk.BROKEN_NEXT.set(true);
            try {
                for (int i = 0; i < 40; i++) {
                    // Every one of these is accepted, whatever becomes of the rewriting.
                    journal.complete(Folders.append(journal, "x".repeat(4_000)));
                }
            } finally {
                FullDisk.BROKEN_NEXT.set(false);
            }
            assertThat(Folders.contents(journal).values()).containsExactly("kept");
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: a folder has one owner, whatever class loader the second one has, and the first one keeps it")
    void hasOneOwnerOverClassLoaders() throws Exception {
        try (RecordJournal mine = RecordJournal.open(folder);
                URLClassLoader other = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Method open = other.loadClass(RecordJournal.class.getName()).getMethod("open", Path.class);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> open.invoke(null, folder))
                        .isInstanceOf(InvocationTargetException.class)
                        .cause()
                        .hasMessageContaining("is in use by process "
                                + ProcessHandle.current().pid());
            }
            Folders.append(mine, "still mine");
            assertThat(JournalTest.saidByAnother(folder)).contains("in use by process");
        }
        RecordJournal.open(folder).close();
    }

    private static URL[] classPath() throws Exception {
        String[] entries = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(java.io.File.pathSeparator, -1);
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < entries.length; i++) {
            urls[i] = Path.of(entries[i]).toUri().toURL();
        }
        return urls;
    }
}
