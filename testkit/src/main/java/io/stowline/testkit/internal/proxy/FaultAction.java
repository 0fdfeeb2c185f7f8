package io.stowline.testkit.internal.proxy;

import java.util.List;

/**
 * One thing that is done to a request, around what is done after it.
 *
 * @param name how it is called in explanations
 */
public record FaultAction(String name, FaultStep step) {

    static FaultOutcome apply(List<FaultAction> actions, ProxyExchange passage) throws InterruptedException {
        if (actions.isEmpty()) {
            return passage.forward();
        }
        return actions.get(0).step.apply(passage, () -> apply(actions.subList(1, actions.size()), passage));
    }

    /** The work of an action. */
    @FunctionalInterface
    interface FaultStep {

        FaultOutcome apply(ProxyExchange passage, Rest rest) throws InterruptedException;
    }

    /** The actions after this one, and at their end the service. */
    @FunctionalInterface
    interface Rest {

        FaultOutcome go() throws InterruptedException;
    }
}
