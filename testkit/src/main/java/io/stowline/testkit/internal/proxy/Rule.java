package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.internal.proxy.match.MatchSpec;
import io.stowline.testkit.internal.proxy.match.Matching;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A rule of faults, with the counts of its requests. Safe for use by several threads. */
public final class Rule {

    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final int number;
    private final long proxySeed;
    private final MatchSpec spec;
    private final Matching matching;
    private List<FaultAction> actions = List.of();
    private boolean enabled = true;
    private long takenBefore;

    Rule(int number, MatchSpec spec, long proxySeed) {
        this.number = number;
        this.spec = spec;
        this.proxySeed = proxySeed;
        this.matching = new Matching(spec, seed());
    }

    /**
     * Returns the seed of this rule.
     *
     * @return a number that is made of the proxy's seed and the rule's place
     */
    public long seed() {
        return proxySeed + number * SPREAD;
    }

    /** Adds an action after the others. */
    public synchronized void add(FaultAction action) {
        List<FaultAction> more = new ArrayList<>(actions);
        more.add(action);
        actions = List.copyOf(more);
    }

    /**
     * Switches the rule on or off.
     *
     * @param on whether it takes requests
     */
    public synchronized void enable(boolean on) {
        enabled = on;
    }

    synchronized boolean takes(SentRequest request) {
        return enabled && !actions.isEmpty() && matching.takes(request);
    }

    synchronized void missed() {
        takenBefore++;
    }

    synchronized List<FaultAction> actions() {
        return actions;
    }

    /**
     * Returns the number of requests that the rule took.
     *
     * @return a count
     */
    public synchronized long hits() {
        return matching.taken();
    }

    /**
     * Returns the counts of seen, taken and refused requests.
     *
     * @return text of a few lines
     */
    public synchronized String explain() {
        return this + ": " + matching.explain()
                + (takenBefore > 0 ? "\n  " + takenBefore + " more were taken by rules before it" : "")
                + (actions.isEmpty() ? "\n  it has no action yet, so that it takes no request" : "")
                + (enabled ? "" : "\n  it is disabled")
                + "\n  seed " + proxySeed;
    }

    @Override
    public synchronized String toString() {
        return "rule " + number + " (" + spec + " -> "
                + actions.stream().map(FaultAction::name).collect(Collectors.joining(", ")) + ")";
    }
}
