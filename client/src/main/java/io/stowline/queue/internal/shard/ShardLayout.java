package io.stowline.queue.internal.shard;

import io.stowline.queue.ShardSettings;
import io.stowline.transport.StorageLimits;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a sharded queue: {@code <name>-0}, {@code <name>-1} and so on. Immutable.
 *
 * @param name the name that they share
 * @param sendTo how many get messages, the first ones
 * @param receiveFrom how many are received from, at least those that get messages
 */
public record ShardLayout(String name, int sendTo, int receiveFrom) {

    /** The most shards; ten queues at their target take all that one account handles. */
    public static final int MAX = ShardSettings.MAX_SHARDS;

    /**
     * Checks the numbers and the length of the names.
     *
     * @param name the name that they share
     * @param sendTo how many get messages
     * @param receiveFrom how many are received from
     */
    public ShardLayout {
        if (receiveFrom < sendTo) {
            throw new IllegalArgumentException(
                    "receiveFrom is " + receiveFrom + " and must be at least sendTo, which is " + sendTo
                            + ": no message may go to a queue from which none is received");
        }
        String longest = queue(name, receiveFrom - 1);
        if (longest.length() > StorageLimits.QUEUE_NAME_MAX_CHARS) {
            throw new IllegalArgumentException("the shard '" + longest + "' has " + longest.length()
                    + " characters; a queue's name has at most " + StorageLimits.QUEUE_NAME_MAX_CHARS
                    + ", so that of a sharded queue with " + receiveFrom + " shards has at most "
                    + (StorageLimits.QUEUE_NAME_MAX_CHARS - longest.length() + name.length()));
        }
    }

    /** Returns the names of all queues, in order. */
    public List<String> queues() {
        return IntStream.range(0, receiveFrom).mapToObj(i -> queue(name, i)).toList();
    }

    static String queue(String name, int shard) {
        return name + "-" + shard;
    }

    /**
     * Returns whether a queue can be a shard.
     *
     * @param name the name of the sharded queue
     */
    public static boolean isShard(String name, String queue) {
        return IntStream.range(0, MAX).anyMatch(shard -> queue.equals(queue(name, shard)));
    }

    /** Returns the number of the queue with this name, or -1 if it is none of these. */
    public int indexOf(String queue) {
        return queues().indexOf(queue);
    }

    /** Returns the shard of a key. */
    public int shardOf(String key) {
        return JumpHash.shard(key, sendTo);
    }

    /**
     * Returns the queues that a message can go back to.
     *
     * @param queue where it was, or {@code null} if that is not known
     * @param key what spreads those that cannot go there
     * @return all that get messages: first its own queue, or else that of the key, then the others in turn
     */
    public List<String> homesOf(@Nullable String queue, String key) {
        int own = queue == null ? -1 : indexOf(queue);
        int first = own >= 0 && own < sendTo ? own : shardOf(key);
        return IntStream.range(first, first + sendTo)
                .mapToObj(shard -> queue(name, shard % sendTo))
                .toList();
    }
}
