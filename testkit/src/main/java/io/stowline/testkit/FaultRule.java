package io.stowline.testkit;

import io.stowline.testkit.internal.proxy.FaultAction;
import io.stowline.testkit.internal.proxy.FaultPlan;
import io.stowline.testkit.internal.proxy.Rule;
import io.stowline.testkit.internal.proxy.Rules;
import java.time.Duration;

/**
 * A rule of a {@link FaultProxy}: which actions it takes on which requests.
 *
 * <p>A rule applies from its first action on. Several actions are done one around the other, the first outermost: what comes
 * <em>before</em> forwarding is done in order, what comes <em>after</em> it in reverse order. So {@code
 * delayBefore(d).loseResponse()} waits, forwards, and loses the response. {@link #respond}, {@link #reset} and {@link
 * #refuseConnections} do not forward, and what follows them is not done; a rule of delays and holds only forwards and
 * responds as if it were not there. To add several actions while requests come in, {@link #disable} the rule first.
 *
 * <p>A request that is held or delayed is dropped when its client has gone, or when the {@code timeout} in seconds has
 * passed that its query names: it is not forwarded, or its response is thrown away when it was forwarded before. On
 * such a timeout the client gets a 500 {@code OperationTimedOut}, as the services do. Both are checked about every 20 ms.
 *
 * <p>Safe for use by several threads.
 */
public final class FaultRule {

    private final Rules rules;
    private final Rule rule;

    FaultRule(Rules rules, Rule rule) {
        this.rules = rules;
        this.rule = rule;
    }

    /**
     * Responds without the service.
     *
     * @param response the response
     * @return this rule
     */
    public FaultRule respond(StubResponse response) {
        return with(FaultPlan.respond(response));
    }

    /**
     * Forwards, and replaces the response of the service: the request is applied, yet the client sees another result.
     *
     * @param response the response
     * @return this rule
     */
    public FaultRule forwardThenRespond(StubResponse response) {
        return with(FaultPlan.forwardThenRespond(response));
    }

    /**
     * Resets the connection without forwarding.
     *
     * @return this rule
     */
    public FaultRule reset() {
        return with(FaultPlan.reset());
    }

    /**
     * Resets all connections to the service without forwarding, and has new ones refused until {@link FaultProxy#accept()}.
     *
     * @return this rule
     */
    public FaultRule refuseConnections() {
        return with(FaultPlan.refuse());
    }

    /**
     * Forwards, then resets the connection without a response.
     *
     * @return this rule
     */
    public FaultRule loseResponse() {
        return with(FaultPlan.loseResponse());
    }

    /**
     * Forwards, sends the head of the response and the beginning of its body, then resets the connection.
     *
     * <p>Systems differ in whether a client still reads what came before a reset, so it may see fewer bytes.
     *
     * @param bytes how many bytes of the body are sent, at least 0
     * @return this rule
     * @throws IllegalArgumentException if it is negative
     */
    public FaultRule cutResponse(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes must be at least 0: " + bytes);
        }
        return with(FaultPlan.cutResponse(bytes));
    }

    /**
     * Forwards, and responds with wrong bytes in a body of the same length: one in 16, at least one. An empty body stays.
     *
     * <p>The seed of the proxy decides which bytes.
     *
     * @return this rule
     */
    public FaultRule garble() {
        return with(FaultPlan.garble(rule.seed()));
    }

    /**
     * Forwards, sends bytes that are not HTTP instead of the response, and closes the connection.
     *
     * @return this rule
     */
    public FaultRule malformed() {
        return with(FaultPlan.malformed());
    }

    /**
     * Waits before the request goes on.
     *
     * @param delay how long
     * @return this rule
     * @throws IllegalArgumentException if it is negative
     */
    public FaultRule delayBefore(Duration delay) {
        return with(FaultPlan.delayBefore(checked(delay)));
    }

    /**
     * Waits between the response of the service and what is done to it.
     *
     * @param delay how long
     * @return this rule
     * @throws IllegalArgumentException if it is negative
     */
    public FaultRule delayAfter(Duration delay) {
        return with(FaultPlan.delayAfter(checked(delay)));
    }

    /**
     * Holds the request before it goes on.
     *
     * @param hold until this is released
     * @return this rule
     */
    public FaultRule holdBefore(RequestHold hold) {
        return with(FaultPlan.holdBefore(hold.gate(), hold::arrived));
    }

    /**
     * Forwards, and holds the response.
     *
     * @param hold until this is released
     * @return this rule
     */
    public FaultRule holdAfter(RequestHold hold) {
        return with(FaultPlan.holdAfter(hold.gate(), hold::arrived));
    }

    /**
     * Forwards the request as late as its body takes over a narrow line, and sends the response bit by bit at that rate.
     *
     * @param bytesPerSecond how much goes through in a second, at least 1
     * @return this rule
     * @throws IllegalArgumentException if it is less
     */
    public FaultRule bandwidth(long bytesPerSecond) {
        if (bytesPerSecond < 1) {
            throw new IllegalArgumentException("bytesPerSecond must be at least 1: " + bytesPerSecond);
        }
        return with(FaultPlan.bandwidth(bytesPerSecond));
    }

    private static Duration checked(Duration delay) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay must not be negative: " + delay);
        }
        return delay;
    }

    private FaultRule with(FaultAction action) {
        rule.add(action);
        return this;
    }

    /**
     * Lets all requests pass by until {@link #enable}; they are not counted.
     *
     * @return this rule
     */
    public FaultRule disable() {
        rule.enable(false);
        return this;
    }

    /**
     * Lets the rule apply again.
     *
     * @return this rule
     */
    public FaultRule enable() {
        rule.enable(true);
        return this;
    }

    /** Removes the rule from its proxy. What it has taken before goes on as it began. */
    public void remove() {
        rules.remove(rule);
    }

    /**
     * Returns how many requests the rule has taken.
     *
     * @return a count
     */
    public long hits() {
        return rule.hits();
    }

    /**
     * Returns what the rule has seen and taken, and which condition has refused how many requests.
     *
     * @return text of a few lines, with the seed of the proxy
     */
    public String explain() {
        return rule.explain();
    }

    /** Names what is done to which requests. */
    @Override
    public String toString() {
        return rule.toString();
    }
}
