package io.stowline.testkit.internal.proxy.match;

import io.stowline.testkit.SentRequest;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The description of the requests that a rule takes.
 *
 * @param conditions the conditions of a request itself; all of them must hold
 * @param gates the choice among such requests
 */
public record MatchSpec(List<MatchCondition> conditions, List<MatchGate> gates) {

    /**
     * Copies the lists.
     *
     * @param conditions what a request itself has to be like
     * @param gates which of the requests that are like that
     */
    public MatchSpec {
        conditions = List.copyOf(conditions);
        gates = List.copyOf(gates);
    }

    /**
     * Adds a condition.
     *
     * @param name how it is called in explanations
     * @param test whether a request fulfils it
     * @return a description with that condition too
     */
    public MatchSpec and(String name, Predicate<SentRequest> test) {
        return new MatchSpec(
                Stream.concat(conditions.stream(), Stream.of(new MatchCondition(name, test)))
                        .toList(),
                gates);
    }

    /**
     * Adds a gate.
     *
     * @param name how it is called in explanations
     * @param test whether it lets a request through
     * @return a description with that gate too
     */
    public MatchSpec gate(String name, GateTest test) {
        return new MatchSpec(
                conditions,
                Stream.concat(gates.stream(), Stream.of(new MatchGate(name, test)))
                        .toList());
    }

    @Override
    public String toString() {
        String names = Stream.concat(
                        conditions.stream().map(MatchCondition::name),
                        gates.stream().map(MatchGate::name))
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "any request" : names;
    }

    /**
     * Something that a request has to be like.
     *
     * @param name how it is called in explanations
     * @param test whether a request fulfils it
     */
    public record MatchCondition(String name, Predicate<SentRequest> test) {}

    /**
     * Something that decides by number or by chance.
     *
     * @param name how it is called in explanations
     * @param test whether it lets a request through
     */
    public record MatchGate(String name, GateTest test) {}

    /** A test of whether a gate lets a request through. */
    @FunctionalInterface
    public interface GateTest {

        /**
         * Decides.
         *
         * @param number the number of the request among those that fulfil the conditions, from 1
         * @param taken how many requests were taken before
         * @param draw a number from 0 to 1, drawn for this gate and this request
         * @return whether the request may pass
         */
        boolean passes(long number, long taken, double draw);
    }
}
