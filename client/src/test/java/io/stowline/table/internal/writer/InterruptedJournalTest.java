package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.StorageInterruptedException;
import io.stowline.journal.internal.store.RecordJournal;
import io.stowline.table.Entity;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The errors of callers whose wait for a journal is interrupted. */
@Timeout(60)
class InterruptedJournalTest {

    @TempDir
    Path folder;

    private final JournaledService service = new JournaledService();
    private final CountDownLatch released = new CountDownLatch(1);

    /** Keeps the journal's thread from writing until {@link #released}. */
    private void hold(RecordJournal journal) throws InterruptedException {
        Thread test = Thread.currentThread();
        CountDownLatch held = new CountDownLatch(1);
        do {
            var unused = journal.append(new byte[1]).thenAccept(id -> {
                journal.complete(id);
                if (Thread.currentThread() != test) {
                    held.countDown();
                    awaitRelease();
                }
            });
        } while (!held.await(1, TimeUnit.MILLISECONDS));
    }

    private void awaitRelease() {
        try {
            released.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The error of a call that is interrupted during a wait; its thread has the flag again. */
    private static Throwable interrupted(Runnable call) throws InterruptedException {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicBoolean flag = new AtomicBoolean();
        Thread caller = new Thread(() -> {
            thrown.set(Assertions.catchThrowable(call::run));
            flag.set(Thread.currentThread().isInterrupted());
        });
        caller.start();
        while (caller.getState() != Thread.State.WAITING
                || Arrays.stream(caller.getStackTrace())
                        .noneMatch(frame -> frame.getClassName().startsWith(BlockingAwait.class.getName()))) {
            assertThat(caller.isAlive()).isTrue();
            LockSupport.parkNanos(100_000);
        }
        caller.interrupt();
        caller.join();
        assertThat(flag).isTrue();
        return thrown.get();
    }

    private static void isRefused(Throwable thrown) {
        assertThat(thrown)
                .isInstanceOf(StorageInterruptedException.class)
                .hasMessageContaining("the item was not accepted")
                .hasMessageNotContaining("may have been applied")
                .hasCauseInstanceOf(InterruptedException.class);
    }

    @Test
    @DisplayName("BATCH-15: who is interrupted while the disk is awaited learns that the operation was not accepted")
    void anInterruptWhileTheDiskIsAwaited() throws Exception {
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = service.table().writer(WriterJournal.of(journal), w -> w);
            hold(journal);

            isRefused(interrupted(() -> writer.insert(JournaledService.row("p", "r"))));

            released.countDown();
            journal.complete(journal.append(new byte[1]).get());
            assertThat(journal.outstandingRecords()).isZero();
            service.pass(Duration.ofMinutes(1));
            assertThat(service.written).isEmpty();
        }
    }

    @Test
    @DisplayName(
            "BATCH-15: who is interrupted while earlier operations come first learns the same, and a replay goes on")
    void anInterruptBehindAReplay() throws Exception {
        JournaledService earlier = new JournaledService();
        earlier.refuses(503, "ServerBusy");
        RecordJournal left = RecordJournal.open(folder);
        TableWriter<Entity> before = earlier.table().writer(WriterJournal.of(left), w -> w);
        for (int i = 0; i < 3; i++) {
            before.insert(JournaledService.row("p", "left" + i));
        }
        left.close();
        service.refuses(403, "AuthorizationFailure");
        try (RecordJournal journal = RecordJournal.open(folder)) {
            TableWriter<Entity> writer = service.table().writer(WriterJournal.of(journal), w -> w.bufferItems(1));

            isRefused(interrupted(() -> writer.insert(JournaledService.row("p", "new"))));
            assertThat(interrupted(writer::awaitReplay))
                    .isInstanceOf(StorageInterruptedException.class)
                    .hasMessage("interrupted while waiting for the replay, which goes on")
                    .hasCauseInstanceOf(InterruptedException.class);

            service.isWell();
            service.pass(Duration.ofMinutes(5));
            assertThat(service.written).containsOnlyKeys("left0", "left1", "left2");
        }
    }
}
