package io.stowline.examples.bulkload;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The keys of the entities so far, so that a row that would replace an earlier one is found. It keeps 64 bits of a SHA-256 of each key in a
 * table of bounded size; that two of two million keys have the same is as likely as 1 in 9 million. Used by one thread.
 */
final class KeySet {

    /** How many keys it holds at most; later keys are not compared. */
    static final int CAPACITY = 2_000_000;

    private final int capacity;
    private final MessageDigest digest = sha256();
    private long[] table = new long[1 << 12];
    private int size;

    KeySet(int capacity) {
        this.capacity = capacity;
    }

    /** Adds a key, and returns false if it was there. */
    boolean add(String partitionKey, String rowKey) {
        if (isFull()) {
            return true;
        }
        if (2 * size >= table.length) {
            grow();
        }
        boolean added = put(table, hash(partitionKey, rowKey));
        size += added ? 1 : 0;
        return added;
    }

    boolean isFull() {
        return size >= capacity;
    }

    private void grow() {
        long[] larger = new long[2 * table.length];
        for (long hash : table) {
            if (hash != 0) {
                put(larger, hash);
            }
        }
        table = larger;
    }

    private static boolean put(long[] table, long hash) {
        int slot = (int) (hash & (table.length - 1));
        while (table[slot] != 0) {
            if (table[slot] == hash) {
                return false;
            }
            slot = (slot + 1) & (table.length - 1);
        }
        table[slot] = hash;
        return true;
    }

    private long hash(String partitionKey, String rowKey) {
        String key = partitionKey.length() + ":" + partitionKey + rowKey;
        long hash = ByteBuffer.wrap(digest.digest(key.getBytes(UTF_8))).getLong();
        return hash == 0 ? 1 : hash; // zero marks an empty slot
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java runtime has no SHA-256", e);
        }
    }
}
