package io.stowline.records.internal.engine;

import static java.util.Objects.requireNonNull;

import io.stowline.error.ClosedException;
import io.stowline.journal.JournalException;
import io.stowline.records.FailedRecords;
import io.stowline.records.RecordWriter.RecordProgress;
import io.stowline.records.internal.chunk.ChunkStore;
import io.stowline.records.internal.chunk.MemoryChunks;
import io.stowline.table.BufferFullException;
import io.stowline.table.FlushReport;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * A simulation of writers in virtual time: producers, a disk and a service that fail in all ways, crashes, restarts and clocks that jump. A
 * seed is a whole history. Each step is followed by the checks of what must always hold.
 */
final class RecordSimulation {

    /** The store of the chunks, and the end of a process that it survives. */
    enum Kind {
        MEMORY,
        PROCESS,
        MACHINE
    }

    private static final int MAX_BYTES = 600;
    private static final int UP_TO = 200;
    private static final Duration CLOSE = Duration.ofMinutes(2);
    private static final Duration SUBMIT = Duration.ofSeconds(60);

    private final Random random;
    private final ManualScheduler time = new ManualScheduler();
    private final ModelService service;
    private final @Nullable ModelDisk disk;
    private final int maxRecords;
    private final boolean failures;
    private final boolean diskRefuses;
    private final Set<String> accepted = new LinkedHashSet<>();
    private final Set<String> acceptedNow = new HashSet<>();
    private final Set<String> failed = new HashSet<>();
    private final Set<String> lost = new HashSet<>();
    private final List<String> order = new ArrayList<>();
    private final Map<Integer, Integer> counters = new HashMap<>();
    private final List<Pending> pending = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private Duration clockAhead = Duration.ZERO;
    private int process;
    private int depth;
    private boolean closing;
    /** A failure came without its records, for a writer keeps few of them. */
    private boolean dropped;

    private @Nullable RecordEngine engine;

    /** A reactive or blocking write that has no end yet. */
    private static final class Pending {

        private final int process;
        private final String record;
        private boolean ended;
        private boolean cancelled;

        Pending(int process, String record) {
            this.process = process;
            this.record = record;
        }
    }

    RecordSimulation(long seed) {
        this.random = new Random(seed * 0x9e3779b97f4a7c15L + 11);
        Kind kind = Kind.values()[random.nextInt(3)];
        this.service = new ModelService(random, time);
        this.disk = kind == Kind.MEMORY ? null : new ModelDisk(random, kind == Kind.MACHINE, this::others);
        this.maxRecords = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 1000;
        this.failures = random.nextBoolean();
        if (disk != null) {
            disk.refusals = random.nextInt(3) == 0 ? 0.1 : 0;
            disk.crashes = random.nextInt(2) == 0 ? 0.01 : 0;
        }
        this.diskRefuses = disk != null && disk.refusals > 0;
        service.foreignBlobs = random.nextInt(4) == 0;
    }

    List<String> run(int steps) {
        open(false);
        for (int i = 0; i < steps && service.faults.isEmpty(); i++) {
            step();
            check();
        }
        heal();
        return service.faults;
    }

    List<String> trace() {
        return trace;
    }

    private void fault(String what) {
        service.faults.add(what);
    }

    /** Opens the next writer. */
    private void open(boolean killed) {
        process++;
        acceptedNow.clear();
        pending.clear();
        closing = false;
        ChunkStore store = disk == null ? new MemoryChunks(MAX_BYTES) : disk.restart(MAX_BYTES, killed);
        int mine = process;
        WriterBounds bounds = new WriterBounds(
                "ads/",
                UP_TO,
                Duration.ofMinutes(1),
                random.nextBoolean() ? Duration.ofMinutes(1) : Duration.ofSeconds(1),
                maxRecords,
                SUBMIT,
                disk == null ? Duration.ofMinutes(2) : null,
                CLOSE,
                failures ? this::failed : null);
        Scheduler worker = time.whileAlive(() -> process == mine, () -> 0);
        Scheduler slow = time.whileAlive(() -> process == mine, () -> random.nextInt(50_000_000));
        WriterThreads threads = new WriterThreads(
                clock(), time::nanos, new Random(random.nextLong()), worker, slow::schedule, slow::schedule);
        try {
            engine = new RecordEngine(
                    bounds, threads, store, service.target(disk), name -> name.session() + "/" + name.sequence());
        } catch (ModelDisk.Crash e) {
            open(true);
        }
    }

    private RecordEngine engine() {
        return requireNonNull(engine);
    }

    private Clock clock() {
        Instant begin = Instant.parse("2026-11-29T23:50:00Z");
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return begin.plusNanos(time.nanos()).plus(clockAhead);
            }
        };
    }

    private void step() {
        try {
            act(random.nextInt(100));
        } catch (ModelDisk.Crash e) {
            trace.add("crash in a call");
        }
        if (disk != null && disk.isCrashed()) {
            killed();
        }
    }

    private void act(int choice) {
        if (choice < 25) {
            failFast();
        } else if (choice < 50) {
            reactive();
        } else if (choice < 75) {
            boolean unused = time.runNext(
                    time.nanos() + Duration.ofSeconds(random.nextInt(40)).toNanos());
        } else if (choice < 84) {
            trace.add("time");
            advance(Duration.ofMillis(random.nextInt(20_000)));
        } else if (choice < 88) {
            flush();
        } else if (choice < 92) {
            service.state = ModelService.State.values()[random.nextInt(4)];
            trace.add("service " + service.state);
        } else if (choice < 94) {
            clockAhead = clockAhead.plusSeconds(random.nextInt(1200) - 600);
            trace.add("clock " + clockAhead);
        } else if (choice < 97) {
            takeFailures();
        } else if (choice == 97) {
            closeAndOpen();
        } else if (choice == 98) {
            crash();
        } else {
            cancelOne();
        }
    }

    private String record(int producer) {
        int number = counters.merge(producer, 1, Integer::sum);
        return producer + ":" + number + ":"
                + "x".repeat(random.nextInt(4) == 0 ? random.nextInt(180) : random.nextInt(20)) + "\n";
    }

    private static byte[] bytes(String record) {
        return record.getBytes(StandardCharsets.US_ASCII);
    }

    private void failFast() {
        String record = record(0);
        // A write that was given up with its room taken keeps that until the disk has had its turn.
        boolean waiting = isWaiting() || pending.stream().anyMatch(each -> each.cancelled);
        RecordProgress before = engine().progress();
        int mine = process;
        try {
            engine().write(bytes(record), false);
            if (mine == process) {
                accept(record);
            }
        } catch (BufferFullException e) {
            trace.add("refused " + record.length());
            boolean full = before.buffered() + 1 > maxRecords || before.bufferedBytes() + record.length() > MAX_BYTES;
            if (!full && !waiting && failed.isEmpty()) {
                fault("refused although there is room: " + before + ", " + e.getMessage());
            }
        } catch (JournalException e) {
            trace.add("disk refused " + record);
            if (!diskRefuses) {
                fault("the disk has refused nothing, but a write failed: " + e.getMessage());
            }
        } catch (ClosedException e) {
            fault("closed although open: " + e.getMessage());
        }
    }

    private void accept(String record) {
        trace.add("accepted " + record.trim());
        accepted.add(record);
        acceptedNow.add(record);
        order.add(record);
    }

    private boolean isWaiting() {
        return pending.stream().anyMatch(each -> !each.ended);
    }

    /** Writes without a thread; half of the writes are given up after the time that a blocking one waits. */
    private void reactive() {
        Pending made = new Pending(process, record(1 + random.nextInt(3)));
        pending.add(made);
        Disposable running = engine().writeLater(bytes(made.record))
                .subscribe(nothing -> {}, e -> ended(made, e), () -> ended(made, null));
        if (random.nextBoolean()) {
            var unused = time.schedule(
                    () -> {
                        if (!made.ended) {
                            cancel(made, running);
                        }
                    },
                    SUBMIT.toNanos(),
                    TimeUnit.NANOSECONDS);
        }
        cancels.add(() -> cancel(made, running));
    }

    private final List<Runnable> cancels = new ArrayList<>();

    private void cancelOne() {
        if (!cancels.isEmpty()) {
            cancels.remove(random.nextInt(cancels.size())).run();
        }
    }

    private void cancel(Pending made, Disposable running) {
        if (!made.ended && made.process == process) {
            running.dispose();
            made.ended = true;
            made.cancelled = true;
        }
    }

    private void ended(Pending made, @Nullable Throwable error) {
        if (made.process != process || made.cancelled) {
            return;
        }
        made.ended = true;
        if (error == null) {
            accept(made.record);
        } else if (error instanceof ModelDisk.Crash) {
            trace.add("crash in a reactive write");
        } else if (error instanceof ClosedException && closing) {
            trace.add("refused by the close");
        } else if (!(error instanceof JournalException) || !diskRefuses) {
            fault("a reactive write has failed: " + error);
        }
    }

    private void failed(FailedRecords failure) {
        dropped |= failure.content().length == 0;
        for (String record : new String(failure.content(), StandardCharsets.US_ASCII).split("(?<=\n)")) {
            failed.add(record);
        }
    }

    private void takeFailures() {
        engine().takeFailures().forEach(this::failed);
    }

    private boolean isEnded(String record) {
        return dropped
                || service.timesOf(record) > 0
                || failed.contains(record)
                || disk != null && disk.rejected.contains(record);
    }

    private void flush() {
        Set<String> before = new HashSet<>(acceptedNow);
        int mine = process;
        trace.add("flush");
        var unused = engine().flush().whenComplete((report, error) -> {
            if (mine == process && error == null) {
                takeFailures();
                flushed(before, report);
            } else if (mine == process && !(error instanceof ClosedException)) {
                fault("a flush has failed: " + error);
            }
        });
    }

    private void flushed(Set<String> before, FlushReport report) {
        trace.add("flushed " + report);
        for (String record : before) {
            if (!isEnded(record)) {
                fault("a flush ended before " + record);
            }
        }
    }

    private void advance(Duration duration) {
        long until = time.nanos() + duration.toNanos();
        while (time.nanos() < until && (disk == null || !disk.isCrashed())) {
            if (!time.runNext(until)) {
                time.advance(Duration.ofNanos(until - time.nanos()));
            }
        }
    }

    /** Lets others go on while a caller waits for the disk. */
    private boolean others() {
        if (depth > 0 || random.nextInt(3) > 0) {
            return false;
        }
        depth++;
        try {
            for (int i = random.nextInt(6); i > 0; i--) {
                boolean unused =
                        time.runNext(time.nanos() + Duration.ofSeconds(1).toNanos());
            }
        } finally {
            depth--;
        }
        return true;
    }

    private void crash() {
        if (disk != null) {
            disk.crash();
            killed();
        } else {
            lost.addAll(acceptedNow);
            trace.add("crash");
            open(true);
        }
    }

    private void killed() {
        trace.add("crash");
        cancels.clear();
        open(true);
    }

    private void closeAndOpen() {
        trace.add("close");
        closing = true;
        Set<String> before = new HashSet<>(acceptedNow);
        CompletableFuture<Void> closed = engine().close();
        try {
            engine().write(bytes("after\n"), false);
            fault("accepted after a close");
        } catch (ClosedException expected) {
            trace.add("closing");
        }
        advance(CLOSE.plusSeconds(6));
        if (disk != null && disk.isCrashed()) {
            killed();
            return;
        }
        if (!closed.isDone()) {
            fault("a close has not ended in its time");
        }
        takeFailures();
        RecordProgress end = engine().progress();
        if (disk == null && end.buffered() > 0) {
            fault("records in memory have no end after a close: " + end);
        }
        if (disk == null) {
            before.stream().filter(record -> !isEnded(record)).forEach(record -> fault("lost by a close: " + record));
        }
        if (isWaiting()) {
            fault("a writer waits after the close");
        }
        cancels.clear();
        open(false);
    }

    private void check() {
        if (random.nextInt(3) == 0) {
            takeFailures();
        }
        RecordProgress now = engine().progress();
        if (now.accepted() != now.written() + now.failed() + now.buffered()
                || now.buffered() < 0
                || now.bufferedBytes() < 0
                || (now.buffered() == 0) != (now.bufferedBytes() == 0)) {
            fault("the numbers disagree: " + now);
        }
        if (disk == null && now.accepted() < acceptedNow.size()) {
            fault("fewer accepted than accepted: " + now);
        }
        if (engine().isStuck()) {
            fault("a writer waits for room that is there, or that nothing will free: " + now);
        }
        if (engine().waiting() > pending.stream().filter(each -> !each.ended).count()) {
            fault("a write that was given up keeps its place in the line");
        }
    }

    /** Repairs all, and checks what must have become of all records. */
    private void heal() {
        service.state = ModelService.State.WELL;
        service.foreignBlobs = false;
        if (disk != null) {
            disk.refusals = 0;
            disk.crashes = 0;
        }
        if (!service.faults.isEmpty()) {
            return;
        }
        advance(Duration.ofHours(1));
        check();
        if (isWaiting()) {
            fault("a writer still waits, although all is well");
        }
        RecordProgress idle = engine().progress();
        if (idle.buffered() > 0) {
            fault("not all is delivered, although all is well: " + idle);
        }
        int before = accepted.size();
        failFast();
        if (accepted.size() == before) {
            fault("an idle writer does not admit");
        }
        closeAndOpen();
        advance(Duration.ofHours(1)); // for chunks that the disk has kept although they were delivered
        closeAndOpen();
        if (disk != null && !disk.isEmpty()) {
            fault("chunks stay on the disk, although all is well");
        }
        verdict();
    }

    private void verdict() {
        for (String record : accepted) {
            boolean isFailed = failed.contains(record) || disk != null && disk.rejected.contains(record);
            int times = service.timesOf(record);
            if (times == 0 && !isFailed && !dropped && !lost.contains(record)) {
                fault("lost: " + record);
            }
            if (disk != null && times > 0 && isFailed) {
                fault("in a blob, and failed: " + record);
            }
        }
        checkOrder();
    }

    /** Each producer's records are in the order of its numbers within a session. */
    private void checkOrder() {
        for (String session : service.sessionOrder) {
            Map<String, Integer> last = new HashMap<>();
            for (String record : service.recordsOf(session)) {
                String producer = record.substring(0, record.indexOf(':'));
                int number = number(record);
                if (number <= last.getOrDefault(producer, 0)) {
                    fault("out of order in " + session + ": " + record.trim() + " after " + last);
                }
                last.put(producer, number);
            }
        }
    }

    private static int number(String record) {
        return Integer.parseInt(record.split(":")[1]);
    }
}
