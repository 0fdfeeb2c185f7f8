package io.stowline.queue.internal.shard;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The shard of a key, by the jump consistent hash of Lamping and Veach over SHA-256 (decision 91). All versions and all processes must agree on it: a change
 * moves the keys of every application. Stateless.
 */
public final class JumpHash {

    private static final long MULTIPLIER = 2_862_933_555_777_941_757L;
    private static final double TWO_TO_31 = 1L << 31;
    private static final int HIGH_31_BITS = 33;

    private JumpHash() {}

    /**
     * Returns the shard of a key.
     *
     * @param key any text
     * @param shards how many there are, 1 or more
     * @return 0 to one less than their number
     */
    public static int shard(String key, int shards) {
        return jump(first64Bits(key), shards);
    }

    /** Returns the first eight bytes of the SHA-256 of the key in UTF-8, big-endian. */
    static long first64Bits(String key) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /**
     * Returns the shard of a hash. Each jump goes to the number of shards at which the key moves next; the last one
     * within the number is its shard.
     */
    static int jump(long hash, int shards) {
        long state = hash;
        long shard = 0;
        for (long next = 0; next < shards; ) {
            shard = next;
            state = state * MULTIPLIER + 1;
            next = (long) ((shard + 1) * (TWO_TO_31 / ((state >>> HIGH_31_BITS) + 1)));
        }
        return (int) shard;
    }
}
