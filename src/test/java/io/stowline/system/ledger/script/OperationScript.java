package io.stowline.system.ledger.script;

import io.stowline.testkit.SentRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides what happens to each request of one worker. The seed, the ordinal of the worker's step and that of the request in it decide,
 * so that a seed brings the same faults as far as threads and clocks allow.
 */
public final class OperationScript {

    private static final Fault[] ON_READS = {
        Fault.RESET,
        Fault.LOSE,
        Fault.BUSY,
        Fault.ERROR_BEFORE,
        Fault.SLOW,
        Fault.GATEWAY_404_BEFORE,
        Fault.GATEWAY_502_BEFORE,
        Fault.GATEWAY_PAGE_BEFORE
    };
    private static final int WEIGHTS = weights();

    /** The share for reads is small: they are not examined, but serve to find the states. */
    private static final double OF_READS = 0.4;

    /** Requests of a hundred. */
    private static final int STALLED = 6;

    private static final String STALL = "kept by a relay";

    private static final int STALLS = 500_000;
    private static final int CLOSING = -2;
    private static final int OUTAGE_REQUESTS = 10;

    private final long seed;
    private final Weather weather;
    private final Clock clock;
    private final DelayedDelivery later;
    private final CompetingWriter rival;
    private final ClosingPoint closing = new ClosingPoint();
    private final Map<String, Integer> faults = new HashMap<>();
    private final IdentityHashMap<SentRequest, Decision> decided = new IdentityHashMap<>();
    private final List<Arrival> arrivals = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, Integer> steps = new HashMap<>();
    private final Set<String> stalled = new HashSet<>();
    private Step step = new Step(0, FaultIntensity.CALM, List.of());
    private int inStep;
    private boolean mayStrike;

    /** A step of the worker, with the intensity of its faults. */
    private record Step(int ordinal, FaultIntensity mood, List<Op> ops) {}

    /** Wrapped, for nothing is a decision too. */
    private record Decision(@Nullable Fault fault) {}

    /**
     * A request as it came from the client.
     *
     * @param requestId what its client calls it
     * @param step the step of the worker in which the first of that name came
     * @param time when it came
     * @param line in words, with what was done to it
     */
    public record Arrival(String requestId, int step, long time, String line) {}

    public OperationScript(long seed, Weather weather, Clock clock, DelayedDelivery later, CompetingWriter rival) {
        this.seed = seed;
        this.weather = weather;
        this.clock = clock;
        this.later = later;
        this.rival = rival;
    }

    /** Prepares the faults of a worker's next step. */
    public synchronized void begin(int ordinal, List<Op> ops) {
        step = new Step(ordinal, FaultIntensity.of(random(ordinal, -1)), List.copyOf(ops));
        inStep = 0;
        mayStrike = false;
        closing.choose(random(ordinal, CLOSING));
    }

    /** Returns the point at which the client of a step that is cut short ends. */
    public ClosingPoint closing() {
        return closing;
    }

    private Random random(int ordinal, int request) {
        return new Random((seed * 31 + ordinal) * 1_000_003L + request * 7919L);
    }

    public synchronized @Nullable Fault decide(SentRequest request) {
        return decided.computeIfAbsent(request, fresh -> new Decision(decideOnce(fresh)))
                .fault();
    }

    private @Nullable Fault decideOnce(SentRequest request) {
        long came = System.nanoTime();
        int owner = steps.computeIfAbsent(Wire.id(request), id -> step.ordinal());
        Random random = random(step.ordinal(), inStep++);
        String struck = owner == step.ordinal() && weather != Weather.REALISTIC ? strike(random) : "";
        Fault fault = stalled.contains(Wire.id(request)) ? null : isOutage() ? outage(random) : fault(request, random);
        if (fault != null) {
            faults.merge(fault.toString(), 1, Integer::sum);
            mayStrike |= fault.applies() && Wire.isWrite(request);
        }
        if (fault != null && fault.isLate()) {
            later.deliver(request, came, lateness(fault, random));
        }
        if (owner == step.ordinal()) {
            closing.request();
        }
        long now = clock.now();
        arrivals.add(new Arrival(
                Wire.id(request),
                owner,
                now,
                Clock.shown(now) + " " + request + " -> " + (fault == null ? "passed on" : fault) + struck));
        return fault;
    }

    /** Begins after the first requests of a step that goes through a journal. */
    private boolean isOutage() {
        boolean journaled = !step.ops().isEmpty() && step.ops().get(0).kind() == Kind.JOURNALED;
        return weather == Weather.WIDE && journaled && inStep > 1 && inStep < OUTAGE_REQUESTS;
    }

    private static Fault outage(Random random) {
        Fault[] faults = {Fault.RESET, Fault.LOSE, Fault.BUSY, Fault.ERROR_BEFORE, Fault.UNAVAILABLE_AFTER};
        return faults[random.nextInt(faults.length)];
    }

    private @Nullable Fault fault(SentRequest request, Random random) {
        if (weather == Weather.REALISTIC) {
            int choice = random.nextInt(100);
            return choice == 0 ? Fault.LOSE : choice == 1 ? Fault.RESET : choice == 2 ? Fault.BUSY : null;
        }
        double roughness = step.mood().roughness() * (Wire.isWrite(request) ? 1 : OF_READS);
        return random.nextDouble() < roughness ? pick(request, random) : null;
    }

    /**
     * Returns the time for which a relay keeps a request that has begun to arrive, in milliseconds: the bytes read so
     * far stay there, and the rest in the kernel, while its client waits or gives up.
     */
    public synchronized int stall(String requestId, boolean write) {
        int owner = steps.computeIfAbsent(requestId, id -> step.ordinal());
        Random random = random(step.ordinal(), STALLS + inStep++);
        boolean calm = weather != Weather.WIDE || step.mood() == FaultIntensity.CALM || owner != step.ordinal();
        if (calm || !write || random.nextInt(100) >= STALLED || stalled.contains(requestId)) {
            return 0;
        }
        stalled.add(requestId);
        faults.merge(STALL, 1, Integer::sum);
        mayStrike = true;
        return 350 + random.nextInt(600);
    }

    /** Records that a kept request was passed on later than its client's horizon allows. */
    public void tooLate(String requestId) {
        later.isBeyond(requestId);
    }

    /** Milliseconds; a stuck request arrives after its client has gone. */
    private static int lateness(Fault fault, Random random) {
        return fault == Fault.LATE_AFTER_HOLD ? 350 + random.nextInt(750) : 10 + random.nextInt(1_000);
    }

    /** Another client writes between a lost response and the client's next request. */
    private String strike(Random random) {
        double how = random.nextDouble();
        // Index rows are the writers' who know of them.
        List<Change> targets = step.ops().stream()
                .filter(op -> op.kind() != Kind.INDEXED)
                .flatMap(op -> op.changes().stream())
                .toList();
        if (!mayStrike || how > 0.35 || targets.isEmpty() || step.ops().size() > 1) {
            return "";
        }
        mayStrike = false;
        return ", after a rival's " + rival.strike(targets.get(random.nextInt(targets.size())), random);
    }

    private Fault pick(SentRequest request, Random random) {
        if (!Wire.isWrite(request)) {
            return ON_READS[random.nextInt(ON_READS.length)];
        }
        if (step.mood() == FaultIntensity.LATE) {
            return random.nextBoolean() ? Fault.LATE_AFTER_RESET : Fault.LATE_AFTER_HOLD;
        }
        int left = random.nextInt(WEIGHTS);
        for (Fault fault : Fault.values()) {
            left -= fault.weight();
            if (left < 0) {
                return fault;
            }
        }
        throw new AssertionError("the weights do not add up to " + WEIGHTS);
    }

    private static int weights() {
        int sum = 0;
        for (Fault fault : Fault.values()) {
            sum += fault.weight();
        }
        return sum;
    }

    public List<Arrival> arrivals() {
        synchronized (arrivals) {
            return List.copyOf(arrivals);
        }
    }

    /** Returns how many requests have come. */
    public long requests() {
        return arrivals.size();
    }

    /** Returns the counts of the faults, by name. */
    public synchronized Map<String, Integer> faults() {
        Map<String, Integer> all = new HashMap<>(faults);
        all.putAll(closing.ends());
        return all;
    }
}
