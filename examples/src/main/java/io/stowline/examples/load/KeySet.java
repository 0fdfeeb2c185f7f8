package io.stowline.examples.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.table.Entity;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The keys of the entities so far, so that a row that would replace an earlier one is found. It keeps 64 bits of a SHA-256 of each key, up to
 * a capacity; that two of a million keys have the same is as likely as 1 in 37 million. Used by one thread.
 */
final class KeySet {

    /** The most keys that it holds; later keys are not compared. */
    static final int CAPACITY = 1_000_000;

    private final int capacity;
    private final MessageDigest digest = sha256();
    private final Set<Long> hashes = new HashSet<>();

    KeySet(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Adds the keys of an entity.
     *
     * @throws RowRefusedException if they were there
     */
    void check(Entity entity) throws RowRefusedException {
        if (!add(entity.partitionKey(), entity.rowKey())) {
            throw new RowRefusedException("an earlier row has the same keys");
        }
    }

    /** Adds a key, and returns false if it was there. */
    boolean add(String partitionKey, String rowKey) {
        return isFull() || hashes.add(hash(partitionKey, rowKey));
    }

    boolean isFull() {
        return hashes.size() >= capacity;
    }

    /** Describes in a line which keys were compared. */
    String described() {
        return isFull()
                ? String.format(Locale.ROOT, "Only the first %,d keys were compared with each other.", capacity)
                : "All keys differ, except those of refused rows.";
    }

    private long hash(String partitionKey, String rowKey) {
        String key = partitionKey.length() + ":" + partitionKey + rowKey;
        return ByteBuffer.wrap(digest.digest(key.getBytes(UTF_8))).getLong();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }
}
