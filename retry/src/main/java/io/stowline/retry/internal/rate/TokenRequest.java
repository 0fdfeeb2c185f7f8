package io.stowline.retry.internal.rate;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * One request for the tokens of a {@link TokenBucket}, equal to itself only. Being granted and being withdrawn race for
 * the step out of {@code OPEN}; tokens that come to a claim that is over go back. Safe for use by many threads.
 */
public final class TokenRequest {

    private enum State {
        OPEN,
        RESERVED,
        OVER
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);
    private final Supplier<TokenBucket> lines;
    private final long cost;
    private volatile TokenBucket line;
    private volatile Runnable granted = () -> {};

    /** Makes a request that looks up its line again when it has found a retired one. */
    public TokenRequest(Supplier<TokenBucket> lines, long cost) {
        this.lines = lines;
        this.cost = cost;
        this.line = lines.get();
    }

    public long cost() {
        return cost;
    }

    /** Returns the share of its rate that passes at this moment. */
    double speed() {
        return line.speed();
    }

    /** Takes tokens that are there; those of a claim that costs nothing always are. */
    public boolean tryTake() {
        return cost == 0 ? state.compareAndSet(State.OPEN, State.RESERVED) : tryTakeInTurn();
    }

    /** Takes tokens that are there, unless requests wait; one that costs nothing has its turn too. */
    boolean tryTakeInTurn() {
        if (!line.tryTake(cost)) {
            return false;
        }
        if (state.compareAndSet(State.OPEN, State.RESERVED)) {
            return true;
        }
        line.give(cost);
        return false;
    }

    /** Takes tokens or waits for them, as {@link TokenBucket#enter}; the callback may be called before this returns. */
    public long enter(long patience, Runnable granted) {
        this.granted = granted;
        long wait = line.enter(this, patience);
        while (wait == TokenBucket.RETIRED) {
            line = lines.get();
            wait = line.enter(this, patience);
        }
        if (wait == 0) {
            grant();
        } else if (state.get() == State.OVER) {
            // Withdrawn before it had joined.
            line.leave(this);
        }
        return wait;
    }

    /** Hands the tokens over, once, outside the lock. */
    void grant() {
        if (state.compareAndSet(State.OPEN, State.RESERVED)) {
            granted.run();
        } else {
            line.give(cost);
        }
    }

    public boolean isReserved() {
        return state.get() == State.RESERVED;
    }

    /** Gives up the place in the line; false when the tokens have come, or it was over already. */
    public boolean withdraw() {
        if (!state.compareAndSet(State.OPEN, State.OVER)) {
            return false;
        }
        line.leave(this);
        return true;
    }

    /** Gives up the place in the line, or gives the tokens back, once. */
    public void giveBack() {
        if (!withdraw() && state.compareAndSet(State.RESERVED, State.OVER)) {
            line.give(cost);
        }
    }
}
