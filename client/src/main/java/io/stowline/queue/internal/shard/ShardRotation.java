package io.stowline.queue.internal.shard;

import io.stowline.transport.internal.concurrent.Stopwatch;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The rotation of the shards that get messages. A shard that has refused one is passed over for a second, unless all have. Thread-safe.
 */
public final class ShardRotation {

    /** Result when each other shard has refused something of late, or there is only one. */
    static final int NONE = -1;

    private static final Duration PASSED_OVER = Duration.ofSeconds(1);

    private final AtomicInteger turns;
    private final AtomicInteger moves;
    private final AtomicReferenceArray<@Nullable Stopwatch> refused;
    private final Scheduler clock;

    /**
     * A round.
     *
     * @param shards how many
     * @param first with which of them it begins; processes begin with different ones
     * @param clock the time
     */
    public ShardRotation(int shards, int first, Scheduler clock) {
        this.turns = new AtomicInteger(first);
        this.moves = new AtomicInteger(first);
        this.refused = new AtomicReferenceArray<>(shards);
        this.clock = clock;
    }

    /** Returns the clock of the round. */
    Scheduler clock() {
        return clock;
    }

    /** Returns the shard whose turn it is. */
    public int next() {
        int turn = turn();
        int willing = isPassedOver(turn) ? otherThan(turn) : turn;
        return willing == NONE ? turn : willing;
    }

    private int turn() {
        return Math.floorMod(turns.getAndIncrement(), refused.length());
    }

    /**
     * Returns another shard without a refusal of late, or {@link #NONE}. All of these take their turns, so that none
     * has the whole load.
     */
    int otherThan(int shard) {
        int[] willing = willing(shard).toArray();
        return willing.length == 0 ? NONE : willing[Math.floorMod(moves.getAndIncrement(), willing.length)];
    }

    /** Returns whether another shard without a refusal of late exists. */
    boolean hasOtherThan(int shard) {
        return willing(shard).findAny().isPresent();
    }

    private IntStream willing(int except) {
        return IntStream.range(0, refused.length()).filter(other -> other != except && !isPassedOver(other));
    }

    private boolean isPassedOver(int shard) {
        Stopwatch since = refused.get(shard);
        return since != null && since.age().compareTo(PASSED_OVER) < 0;
    }

    /** Records that the shard has refused a message. */
    void refused(int shard) {
        refused.set(shard, Stopwatch.start(clock));
    }
}
