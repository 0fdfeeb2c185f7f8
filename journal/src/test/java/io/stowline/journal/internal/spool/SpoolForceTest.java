package io.stowline.journal.internal.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.journal.JournalException;
import io.stowline.journal.internal.folder.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolForceTest {

    private static final int WRITERS = 16;

    @TempDir
    Path folder;

    private final FaultyDisk disk = new FaultyDisk();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writers of which the first one is in an fsync when the others have written. */
    private List<Future<?>> writers(SpoolFile file, CountDownLatch written, CountDownLatch go) {
        disk.beforeSync(() -> await(go));
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            String record = "record-" + i + ";";
            writers.add(threads.submit(() -> {
                long mark = file.write(Spools.bytes(record));
                written.countDown();
                file.force(mark);
            }));
        }
        await(written);
        return writers;
    }

    @Test
    @DisplayName("RECORD-1: records that wait for the disk at the same time share one fsync")
    void sharesConfirmations() throws Exception {
        try (Spool spool = Spools.open(folder, Durability.MACHINE, disk)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            CountDownLatch go = new CountDownLatch(1);
            List<Future<?>> writers = writers(file, new CountDownLatch(WRITERS), go);
            go.countDown();
            for (Future<?> writer : writers) {
                writer.get(30, TimeUnit.SECONDS);
            }
            assertThat(disk.syncs.get()).isBetween(1, 2);
            file.force(file.records());
            assertThat(disk.syncs.get()).isBetween(1, 2);
            file.end();
            assertThat(Spools.records(file)).hasSize(WRITERS);
        }
    }

    @Test
    void forcesNothingForTheProcessAlone() {
        try (Spool spool = Spools.open(folder, Durability.PROCESS, disk)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            Spools.write(file, "one");
            file.seal(Spools.bytes("seal"));
            file.delete();
            assertThat(disk.syncs.get()).isZero();
        }
    }

    @Test
    @DisplayName("RECORD-1: a close waits for the fsync in flight, and all that wait for it have their records")
    void closesWithWritersInFlight() throws Exception {
        Spool spool = Spools.open(folder, Durability.MACHINE, disk);
        SpoolFile file = spool.create(Spools.bytes("head"));
        CountDownLatch go = new CountDownLatch(1);
        List<Future<?>> writers = writers(file, new CountDownLatch(WRITERS), go);
        CompletableFuture<Void> closed = CompletableFuture.runAsync(spool::close, threads);
        assertThat(closed).isNotDone();
        go.countDown();
        closed.get(30, TimeUnit.SECONDS);
        for (Future<?> writer : writers) {
            writer.get(30, TimeUnit.SECONDS);
        }
        assertThatThrownBy(() -> file.write(Spools.bytes("late;")))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("closed");
        assertThatThrownBy(() -> spool.create(Spools.bytes("head"))).hasMessageContaining("closed");
        try (Spool next = Spools.open(folder, Durability.MACHINE, disk)) {
            assertThat(Spools.found(next)).hasSize(WRITERS);
        }
    }

    @Test
    @DisplayName("RECORD-1: a failed fsync fails all that wait for it, once")
    void failsAllThatWait() {
        try (Spool spool = Spools.open(folder, Durability.MACHINE, disk)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            CountDownLatch go = new CountDownLatch(1);
            disk.fail(FaultyDisk.Fault.SYNC);
            List<Future<?>> writers = writers(file, new CountDownLatch(WRITERS), go);
            go.countDown();
            for (Future<?> writer : writers) {
                assertThatThrownBy(() -> writer.get(30, TimeUnit.SECONDS)).hasCauseInstanceOf(JournalException.class);
            }
            disk.repair();
            assertThat(disk.syncs.get()).isEqualTo(1);
            assertThat(file.records()).isZero();
            assertThat(spool.budget().bytes()).isZero();
        }
        assertThat(Spools.names(folder)).isEmpty();
    }

    @Test
    @DisplayName("RECORD-1: an interrupt of one writer closes nothing, and stays set")
    void survivesInterrupts() throws Exception {
        try (Spool spool = Spools.open(folder, Durability.MACHINE, disk)) {
            SpoolFile file = spool.create(Spools.bytes("head"));
            CyclicBarrier start = new CyclicBarrier(4);
            List<Future<Boolean>> writers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                String name = "writer-" + i + "-";
                boolean interrupted = i % 2 == 0;
                writers.add(threads.submit(() -> {
                    start.await(30, TimeUnit.SECONDS);
                    for (int n = 0; n < 20; n++) {
                        if (interrupted) {
                            Thread.currentThread().interrupt();
                        }
                        Spools.write(file, name + n);
                    }
                    return Thread.interrupted() == interrupted;
                }));
            }
            for (Future<Boolean> writer : writers) {
                assertThat(writer.get(60, TimeUnit.SECONDS)).isTrue();
            }
            file.end();
            assertThat(Spools.records(file)).hasSize(80).doesNotHaveDuplicates();
        }
    }
}
