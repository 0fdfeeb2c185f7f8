package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.journal.Journal;
import io.stowline.table.Entity;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A journal is free for the next writer at the right time. */
@Timeout(60)
class JournalReleaseTest {

    @TempDir
    Path folder;

    private final JournaledService service = new JournaledService();

    @Test
    @DisplayName("BATCH-15: whoever has closed a writer may open the next one, even while another closes it too")
    void bothClosersWaitForTheRelease() throws InterruptedException {
        try (Journal journal = Journal.open(folder)) {
            TableWriter<Entity> writer = service.table().writer(WriterJournal.of(journal), w -> w);
            Thread first = new Thread(writer::close, "first");
            Thread second = new Thread(writer::close, "second");

            // The journal gives itself back under its monitor.
            synchronized (journal) {
                first.start();
                await(first, Thread.State.BLOCKED);
                second.start();
                await(second, Thread.State.BLOCKED, Thread.State.TERMINATED);
                assertThat(second.getState()).isEqualTo(Thread.State.BLOCKED);
            }
            first.join();
            second.join();
            service.table().writer(WriterJournal.of(journal), w -> w).close();
        }
    }

    private static void await(Thread thread, Thread.State... states) {
        while (!Set.of(states).contains(thread.getState())) {
            LockSupport.parkNanos(100_000);
        }
    }
}
