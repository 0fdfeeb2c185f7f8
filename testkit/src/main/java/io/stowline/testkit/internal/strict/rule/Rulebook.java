package io.stowline.testkit.internal.strict.rule;

import io.stowline.testkit.StrictRule;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** The rules that are in force. Immutable. */
public final class Rulebook {

    private final Set<StrictRule> inForce;

    private Rulebook(Set<StrictRule> inForce) {
        this.inForce = inForce;
    }

    /**
     * Returns all rules but some.
     *
     * @param exceptions the rules that are not in force
     * @return the others
     */
    public static Rulebook without(Collection<StrictRule> exceptions) {
        Set<StrictRule> rules = EnumSet.allOf(StrictRule.class);
        rules.removeAll(exceptions);
        return new Rulebook(rules);
    }

    /** Ends the check with a refusal, or returns when the rule is not in force. */
    public void refuse(StrictRule rule, String message) {
        refuse(rule, message, Map.of());
    }

    /** Ends the check with a refusal that carries further elements, or returns when the rule is not in force. */
    public void refuse(StrictRule rule, String message, Map<String, String> elements) {
        if (inForce.contains(rule)) {
            throw new RefusedException(rule, message, elements);
        }
    }
}
