package io.stowline.blob.internal.lease;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import io.stowline.blob.LeaseLostException;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobService;
import io.stowline.blob.internal.lease.Election.Term;
import io.stowline.blob.internal.operations.ContainerOperations;
import io.stowline.retry.RetrySettings;
import io.stowline.testkit.memory.MemoryStorage;
import io.stowline.transport.internal.account.ConnectionString;
import io.stowline.transport.internal.account.StorageAccount;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * The story of processes that want to lead, in virtual time: their requests and responses are lost and delayed, their clocks jump, they stall,
 * sleep, crash and start again. One thread plays it.
 */
final class LeaderStory {

    private static final Duration LEASE = Duration.ofSeconds(20);
    private static final Duration LENGTH = Duration.ofMinutes(8);

    /** The longest time without a leader once nothing goes wrong: requests of before, the rest of a lease, and a pause. */
    private static final Duration SETTLED = Duration.ofSeconds(90);

    /** The pause of a candidate, and its requests. */
    private static final Duration NEXT = LEASE.dividedBy(6).plusSeconds(1);

    private static final Duration OWN_PAUSE = Duration.ofSeconds(3);

    private static final int PROCESSES = 3;
    private static final HttpHeaderName TERM = HttpHeaderName.fromString("x-ms-meta-stowlineterm");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final Random random;
    private final MemoryStorage storage;
    private final List<Candidate> candidates = new ArrayList<>();
    private final Map<Long, String> terms = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private final List<String> tail = new ArrayList<>();
    private long newest;
    private int refused;
    private int written;
    private boolean calm = true;

    LeaderStory(long seed) {
        this.random = new Random(seed);
        this.storage = MemoryStorage.create(new MachineTime(time).clock());
    }

    List<String> violations() {
        return violations;
    }

    /** Returns how many writes of earlier terms the store has refused. */
    int refused() {
        return refused;
    }

    int written() {
        return written;
    }

    int terms() {
        return terms.size();
    }

    String tail() {
        return String.join("\n", tail.subList(Math.max(0, tail.size() - 60), tail.size()));
    }

    private void note(String event) {
        tail.add(Duration.ofNanos(time.now(TimeUnit.NANOSECONDS)) + " " + event);
    }

    private void violated(String what) {
        note("VIOLATION " + what);
        violations.add(what);
    }

    LeaderStory play() {
        for (int i = 0; i < PROCESSES; i++) {
            candidates.add(new Candidate(i));
        }
        new ContainerOperations(candidates.get(0).context).create().subscribe();
        pass(Duration.ofSeconds(1));
        candidates.forEach(Candidate::apply);
        calm = false;
        long end = time.now(TimeUnit.NANOSECONDS) + LENGTH.toNanos();
        while (time.now(TimeUnit.NANOSECONDS) < end && violations.isEmpty()) {
            pass(Duration.ofMillis(50 + random.nextInt(950)));
            Candidate candidate = candidates.get(random.nextInt(PROCESSES));
            if (random.nextInt(30) == 0) {
                candidate.suffers();
            }
        }
        calm = true;
        note("calm");
        settles();
        return this;
    }

    /** Returns whether a leader still leads, by its own clocks, once its machine has slept for longer than the lease. */
    boolean leadsAfterASleep() {
        Candidate candidate = new Candidate(0);
        new ContainerOperations(candidate.context).create().subscribe();
        pass(Duration.ofSeconds(1));
        candidate.apply();
        pass(Duration.ofSeconds(2));
        if (!candidate.leads()) {
            throw new IllegalStateException("not elected:\n" + tail());
        }
        candidate.machine.sleep(LEASE);
        pass(LEASE.plusMillis(1));
        return candidate.leads();
    }

    private void pass(Duration step) {
        time.advanceTimeBy(step);
        List<Candidate> leaders = candidates.stream().filter(Candidate::leads).toList();
        if (leaders.size() > 1) {
            violated("LEASE-1: " + leaders + " hold the lease");
        }
    }

    private @Nullable Candidate leaderWithin(Duration limit, @Nullable Candidate except) {
        long end = time.now(TimeUnit.NANOSECONDS) + limit.toNanos();
        while (time.now(TimeUnit.NANOSECONDS) < end && violations.isEmpty()) {
            for (Candidate candidate : candidates) {
                if (candidate != except && candidate.leads()) {
                    return candidate;
                }
            }
            pass(Duration.ofMillis(100));
        }
        return null;
    }

    /** Another process leads in the end, writes, and a release lets the next one lead within one try. */
    private void settles() {
        pass(Duration.ofSeconds(60));
        Candidate leader = leaderWithin(SETTLED, null);
        int before = written;
        pass(Duration.ofSeconds(10));
        if (leader == null || written == before) {
            violated("liveness: no leader writes " + SETTLED + " after the last fault");
            return;
        }
        Candidate now = leaderWithin(SETTLED, null);
        if (now == null) {
            violated("liveness: the leader is gone");
            return;
        }
        now.leaves(Duration.ofMinutes(2));
        if (leaderWithin(NEXT, now) == null) {
            violated("liveness: no other process leads " + NEXT + " after a release");
        }
    }

    /** One process, which starts again after a crash. */
    private final class Candidate {

        private final int number;
        private MachineTime machine = new MachineTime(time);
        private BlobContext context = context();
        private int start;
        private @Nullable Term term;
        private long setBack = Long.MIN_VALUE / 2;
        private long awakeSince = Long.MIN_VALUE / 2;

        Candidate(int number) {
            this.number = number;
        }

        private BlobContext context() {
            StorageAccount account = ConnectionString.parse(storage.connectionString());
            ClientSettings settings = ClientSettings.DEFAULT.with((Executor) Runnable::run);
            ClientRuntime runtime = new ClientRuntime(
                    account,
                    settings,
                    HttpWire.telling(new Network(machine)),
                    new TimeSources(machine, new Random(random.nextLong()), machine.clock()),
                    Runnable::run);
            return new BlobService(account, runtime, RetrySettings.defaults()).container("photos");
        }

        boolean leads() {
            Term known = term;
            return known != null && machine.isAwake() && known.holder().isHeld();
        }

        void apply() {
            int life = start;
            candidacy(new Election(context, "leader", LEASE)).subscribe(elected -> elected(elected, life), e -> {
                note(this + " was not elected: " + e);
                later(Duration.ofSeconds(5), this::apply);
            });
        }

        /** The first process tries by itself again and again, as a lock does. */
        private Mono<Term> candidacy(Election election) {
            return number == 0
                    ? election.candidacy()
                            .repeatWhenEmpty(
                                    Integer.MAX_VALUE, tries -> tries.concatMap(none -> Mono.delay(OWN_PAUSE, machine)))
                    : election.elected();
        }

        private void later(Duration delay, Runnable task) {
            machine.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        }

        private void elected(Term elected, int life) {
            note(this + " leads term " + elected.number());
            String other = terms.put(elected.number(), this + "." + life);
            if (other != null) {
                violated("LEASE-2: " + other + " and " + this + " lead term " + elected.number());
            }
            if (!terms.keySet().stream().allMatch(known -> known <= elected.number())) {
                violated("LEASE-2: term " + elected.number() + " of " + this + " is not the largest of " + terms);
            }
            term = elected;
            elected.holder().onLost(() -> {
                note(this + " has lost term " + elected.number());
                later(Duration.ofSeconds(1), this::apply);
            });
            FencedWrites writes = new FencedWrites(elected, context, "state");
            write(elected, writes);
        }

        private void write(Term own, FencedWrites writes) {
            writes.upload(new byte[100], settings -> settings).subscribe(done -> next(own, writes), e -> {
                if (e instanceof LeaseLostException) {
                    note(this + " stops to write: " + e.getMessage());
                } else {
                    next(own, writes);
                }
            });
        }

        private void next(Term own, FencedWrites writes) {
            if (!calm && own.holder().isHeld() && random.nextInt(25) == 0) {
                leaves(Duration.ofSeconds(random.nextInt(20)));
            } else {
                later(Duration.ofMillis(random.nextInt(3_000)), () -> write(own, writes));
            }
        }

        /** Ends the term, and applies for the next one after a while. */
        void leaves(Duration pause) {
            Term own = term;
            if (own != null) {
                note(this + " leaves term " + own.number());
                own.end().subscribe(none -> {}, e -> note(this + " did not release: " + e));
                later(pause.plusSeconds(1), this::apply);
            }
        }

        void suffers() {
            Duration length = Duration.ofMillis(500 + random.nextInt(50_000));
            switch (random.nextInt(6)) {
                case 0 -> crashes();
                case 1, 2 -> {
                    note(this + " stalls for " + length);
                    machine.stall(length);
                }
                case 3 -> sleeps(length);
                case 4 -> {
                    note(this + " jumps ahead");
                    machine.wallClockJumps(length);
                }
                default -> jumpsBack(length);
            }
        }

        /** Never within a lease in which the wall clock was set back: then neither clock has the time of the sleep. */
        private void sleeps(Duration length) {
            long now = time.now(TimeUnit.NANOSECONDS);
            if (now - setBack > LEASE.toNanos()) {
                note(this + " sleeps for " + length);
                machine.sleep(length);
                awakeSince = Math.max(awakeSince, now + length.toNanos());
            }
        }

        /** Never within a lease in which the machine slept; see {@link #sleeps}. */
        private void jumpsBack(Duration length) {
            long now = time.now(TimeUnit.NANOSECONDS);
            if (now - awakeSince > LEASE.toNanos()) {
                note(this + " jumps back");
                machine.wallClockJumps(length.negated());
                setBack = now;
            }
        }

        private void crashes() {
            note(this + " crashes");
            machine.kill();
            term = null;
            start++;
            machine = new MachineTime(time);
            context = context();
            later(Duration.ofMillis(random.nextInt(10_000)), this::apply);
        }

        @Override
        public String toString() {
            return "p" + number;
        }
    }

    /** The way of one process to the store, on which requests and responses are lost and delayed. */
    private final class Network implements HttpClient {

        private final MachineTime machine;

        Network(MachineTime machine) {
            this.machine = machine;
        }

        private Duration delay() {
            boolean slow = !calm && random.nextInt(8) == 0;
            return Duration.ofMillis(1 + random.nextInt(slow ? 30_000 : 60));
        }

        private boolean isLost() {
            return !calm && random.nextInt(10) == 0;
        }

        @Override
        public Mono<HttpResponse> send(HttpRequest request) {
            return Mono.deferContextual(seen -> {
                WriteTracker tracker = seen.get(WriteTracker.class);
                tracker.markWritten();
                tracker.markComplete();
                return Mono.create(sink -> {
                    if (isLost()) {
                        after(delay(), () -> sink.error(new IOException("Connection reset by peer")));
                        return;
                    }
                    time.schedule(
                            () -> {
                                HttpResponse response = applied(request);
                                boolean lost = isLost();
                                after(
                                        delay(),
                                        lost
                                                ? () -> sink.error(new IOException("Connection reset by peer"))
                                                : () -> sink.success(response));
                            },
                            delay().toNanos(),
                            TimeUnit.NANOSECONDS);
                });
            });
        }

        private void after(Duration delay, Runnable task) {
            machine.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        }

        private HttpResponse applied(HttpRequest request) {
            HttpResponse response =
                    storage.httpClient().send(request).toFuture().join();
            String term = request.getHeaders().getValue(TERM);
            if (term != null && request.getUrl().getPath().endsWith("/state")) {
                fenced(Long.parseLong(term), response.getStatusCode());
            }
            return response;
        }

        private void fenced(long term, int status) {
            if (status < 300) {
                written++;
                if (term < newest) {
                    violated("LEASE-2: a write of term " + term + " passes after one of term " + newest);
                }
                newest = Math.max(newest, term);
            } else if (term < newest) {
                refused++;
            }
        }
    }
}
