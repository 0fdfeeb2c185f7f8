package io.stowline.testkit.internal.proxy;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.internal.proxy.match.MatchSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of a proxy, in order of definition. Safe for use by several threads. */
public final class Rules {

    private final long seed;
    private final List<Rule> rules = new ArrayList<>();
    private int defined;

    /**
     * Makes an empty list of rules.
     *
     * @param seed decides random choices
     */
    public Rules(long seed) {
        this.seed = seed;
    }

    /**
     * Adds a rule at the end.
     *
     * @param spec which requests it takes
     * @return the rule, without an action
     */
    public synchronized Rule add(MatchSpec spec) {
        Rule rule = new Rule(++defined, spec, seed);
        rules.add(rule);
        return rule;
    }

    /** Removes a rule. */
    public synchronized void remove(Rule rule) {
        rules.remove(rule);
    }

    /** Removes all rules, and numbers the next one 1. */
    public synchronized void clear() {
        rules.clear();
        defined = 0;
    }

    /**
     * Returns the rules that apply.
     *
     * @return a copy
     */
    public synchronized List<Rule> all() {
        return List.copyOf(rules);
    }

    // One request at a time, so that the counts of all rules belong to one order of requests.
    synchronized @Nullable Rule pick(SentRequest request) {
        Rule picked = null;
        for (Rule rule : rules) {
            if (picked != null) {
                rule.missed();
            } else if (rule.takes(request)) {
                picked = rule;
            }
        }
        return picked;
    }
}
