package io.stowline.system.ledger.lease;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobLease;
import io.stowline.blob.FencedBlob;
import io.stowline.blob.LeaderTerm;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.StorageInterruptedException;
import io.stowline.system.ledger.lease.LeaseBook.Holding;
import io.stowline.system.ledger.script.Clock;
import io.stowline.system.ledger.script.OperationScript;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import io.stowline.table.Entity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A worker that leads, leases, breaks and creates until its time is over, and notes the results. */
final class LeaseWorker implements Runnable {

    static final String PLAIN = "plain";
    static final String BROKEN = "broken";
    static final String LEADER = "leader";
    static final String STATE = "state";

    private static final Duration LEASE = Duration.ofSeconds(15);

    /** All workers that create something in a slot of time create the same. */
    private static final long SLOT = TimeUnit.SECONDS.toNanos(2);

    /** Calls of a hundred. */
    private static final int INTERRUPTED = 15;

    private static final int INTERRUPTED_UPLOADS = 40;
    private static final int WRITERS = 2;
    private static final int UPLOADS = 6;

    private final int number;
    private final Random random;
    private final OperationScript script;
    private final Clock clock;
    private final Stowline storage;
    private final String name;
    private final BlobContainer container;
    private final LeaseBook book;
    private final ScheduledExecutorService timer;
    private final long until;
    private final AtomicInteger contents = new AtomicInteger();
    private volatile int step;

    LeaseWorker(
            int number,
            long seed,
            OperationScript script,
            Clock clock,
            Stowline storage,
            String name,
            LeaseBook book,
            ScheduledExecutorService timer,
            Duration time) {
        this.number = number;
        this.random = new Random(seed * 101 + number);
        this.script = script;
        this.clock = clock;
        this.storage = storage;
        this.name = name;
        this.container = storage.container(name);
        this.book = book;
        this.timer = timer;
        this.until = clock.now() + time.toNanos();
    }

    @Override
    public void run() {
        while (clock.now() < until) {
            int choice = random.nextInt(100);
            if (choice < 30) {
                create();
            } else if (number < 2) {
                lead();
            } else if (number == 4 && choice < 50) {
                next();
                perform(LeaseKind.BREAK, BROKEN, "", () -> container.breakLease(BROKEN, Duration.ZERO));
            } else {
                lease(number == 4 || choice < 60 ? BROKEN : PLAIN);
            }
            pause(random.nextInt(200));
        }
    }

    private void next() {
        script.begin(++step, List.of());
    }

    private void create() {
        next();
        int slot = (int) (clock.now() / SLOT);
        List<LeaseKind> creations =
                Stream.of(LeaseKind.values()).filter(LeaseKind::isCreation).toList();
        LeaseKind kind = creations.get(slot % creations.size());
        String created = name + "n" + slot;
        switch (kind) {
            case CREATE_BLOB -> {
                String content = content();
                perform(kind, created, content, () -> container.upload(bytes(content), created));
            }
            case CREATE_CONTAINER -> perform(kind, created, "", done(storage.container(created)::create));
            case CREATE_TABLE -> perform(kind, created, "", done(storage.table(created, Entity.class)::create));
            default -> perform(kind, created, "", done(storage.queue(created)::create));
        }
    }

    private static Callable<Boolean> done(Runnable call) {
        return () -> {
            call.run();
            return true;
        };
    }

    private void lease(String blob) {
        next();
        BlobLease lease = perform(LeaseKind.ACQUIRE, blob, "", () -> container.lease(blob, LEASE));
        if (lease == null) {
            return;
        }
        HoldingWatch watch = new HoldingWatch(blob, 0, lease::isHeld);
        for (int i = random.nextInt(4); i > 0; i--) {
            next();
            watch.read();
            if (random.nextInt(4) == 0) {
                perform(LeaseKind.CHANGE, blob, "", done(lease::change));
            } else {
                String content = content();
                perform(LeaseKind.WRITE, blob, content, () -> container
                        .withLease(lease)
                        .upload(bytes(content), blob, with -> with.overwrite()));
            }
            watch.read();
            pause(random.nextInt(10) == 0 ? 9_000 : random.nextInt(400));
        }
        watch.read();
        watch.end();
        next();
        perform(LeaseKind.RELEASE, blob, "", done(lease::release));
    }

    private void lead() {
        next();
        // A candidate must not wait beyond the time of its seed.
        Thread candidate = Thread.currentThread();
        ScheduledFuture<?> end =
                timer.schedule(candidate::interrupt, Math.max(1, until - clock.now()), TimeUnit.NANOSECONDS);
        try {
            container.leader(LEADER, LEASE).whileLeading(this::work);
        } catch (RuntimeException e) {
            // A lost term or an end by the time is no result of an operation; the next step goes on.
            pause(1);
        } finally {
            end.cancel(false);
            boolean unused = Thread.interrupted();
        }
    }

    private void work(LeaderTerm term) {
        HoldingWatch watch = new HoldingWatch(LEADER, term.number(), term::isCurrent);
        watch.read();
        FencedBlob first = fence(term);
        FencedBlob second = random.nextBoolean() ? fence(term) : first;
        if (first != null && second != null) {
            CompletableFuture<?>[] writers = Stream.iterate(0, i -> i < WRITERS, i -> i + 1)
                    .map(i -> CompletableFuture.runAsync(() -> upload(term, i == 0 ? first : second)))
                    .toArray(CompletableFuture<?>[]::new);
            CompletableFuture.allOf(writers).join();
        }
        watch.read();
        watch.end();
    }

    private @Nullable FencedBlob fence(LeaderTerm term) {
        return perform(LeaseKind.FENCE, STATE, "", term.number(), () -> term.fence(container, STATE));
    }

    private void upload(LeaderTerm term, FencedBlob blob) {
        for (int i = 0; i < UPLOADS && term.isCurrent(); i++) {
            String content = content();
            perform(LeaseKind.UPLOAD, STATE, content, term.number(), () -> blob.upload(bytes(content)));
        }
    }

    private String content() {
        return "worker " + number + " content " + contents.incrementAndGet();
    }

    private static byte[] bytes(String content) {
        return content.getBytes(StandardCharsets.UTF_8);
    }

    private <T> @Nullable T perform(LeaseKind kind, String resource, String content, Callable<T> call) {
        return perform(kind, resource, content, 0, call);
    }

    /** Some calls are interrupted: what they were about must be right for the next ones. */
    private <T> @Nullable T perform(LeaseKind kind, String resource, String content, long term, Callable<T> call) {
        Thread caller = Thread.currentThread();
        boolean interrupts =
                kind != LeaseKind.FENCE && fate() < (kind == LeaseKind.UPLOAD ? INTERRUPTED_UPLOADS : INTERRUPTED);
        // Soon, so that some requests have gone out and no response has come; or while the client retries.
        long millis = fate() % 2 == 0 ? fate() / 8 : fate() * 4L;
        ScheduledFuture<?> interrupt =
                interrupts ? timer.schedule(caller::interrupt, millis, TimeUnit.MILLISECONDS) : null;
        long start = clock.now();
        int own = step;
        T result = null;
        ReportedResult reported;
        try {
            result = call.call();
            reported = ReportedResult.done(false, "");
        } catch (Exception e) {
            boolean open = e instanceof OutcomeUnknownException || e instanceof StorageInterruptedException;
            reported = ReportedResult.of(open ? Sort.UNKNOWN : Sort.REFUSED, described(e));
        }
        long end = clock.now();
        if (interrupt != null) {
            interrupt.cancel(false);
            boolean unused = Thread.interrupted();
        }
        book.add(new LeaseCase(number, own, kind, resource, content, term, reported, start, end));
        return result;
    }

    private synchronized int fate() {
        return random.nextInt(100);
    }

    private static String described(Exception e) {
        return e instanceof StorageException || e instanceof IllegalStateException
                ? e.toString()
                : "not expected: " + e;
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            // A late interrupt of the call before.
            boolean unused = Thread.interrupted();
        }
    }

    /** The watch on a lease or a term: the time between the first and the last reading that shows it. */
    private final class HoldingWatch {

        private final String resource;
        private final long term;
        private final BooleanSupplier isHeld;
        private long from = -1;
        private long to = -1;

        HoldingWatch(String resource, long term, BooleanSupplier isHeld) {
            this.resource = resource;
            this.term = term;
            this.isHeld = isHeld;
        }

        void read() {
            long before = clock.now();
            if (isHeld.getAsBoolean()) {
                from = from < 0 ? clock.now() : from;
                to = before;
            }
        }

        void end() {
            if (from >= 0) {
                book.add(new Holding(number, resource, term, from, Math.max(from, to)));
            }
        }
    }
}
