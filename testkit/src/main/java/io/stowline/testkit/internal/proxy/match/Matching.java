package io.stowline.testkit.internal.proxy.match;

import io.stowline.testkit.SentRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** The counts behind a {@link MatchSpec}: which requests it has seen, taken and refused. Not safe for several threads. */
public final class Matching {

    private final MatchSpec spec;
    private final Random random;
    private final Map<String, Long> refusals = new LinkedHashMap<>();
    private long seen;
    private long fulfilled;
    private long taken;

    /**
     * Starts to count.
     *
     * @param spec which requests are taken
     * @param seed decides what is left to chance
     */
    public Matching(MatchSpec spec, long seed) {
        this.spec = spec;
        this.random = new Random(seed);
    }

    /**
     * Decides on the next request.
     *
     * @return whether it is taken
     */
    public boolean takes(SentRequest request) {
        seen++;
        for (MatchSpec.MatchCondition condition : spec.conditions()) {
            if (!condition.test().test(request)) {
                return refused(condition.name());
            }
        }
        fulfilled++;
        for (MatchSpec.MatchGate gate : spec.gates()) {
            if (!gate.test().passes(fulfilled, taken, random.nextDouble())) {
                return refused(gate.name());
            }
        }
        taken++;
        return true;
    }

    private boolean refused(String name) {
        refusals.merge(name, 1L, Long::sum);
        return false;
    }

    public long taken() {
        return taken;
    }

    /** Returns the counts of seen and refused requests, one fact a line. */
    public String explain() {
        String refused = refusals.entrySet().stream()
                .map(refusal -> "\n  " + refusal.getValue() + " refused by " + refusal.getKey())
                .collect(Collectors.joining());
        return "fired " + taken + " times; saw " + seen + " requests" + refused;
    }
}
