package io.stowline.advisor.internal.evidence;

import java.security.SecureRandom;

/**
 * SipHash-1-3 of texts. Its secret is random in each process, so that a report's hashes of keys cannot be compared with hashes of
 * guessed ones.
 */
final class KeyedHash {

    private static final int CHARS_PER_WORD = 4;
    private static final int LAST_ROUNDS = 3;

    private final long first;
    private final long second;

    KeyedHash(long first, long second) {
        this.first = first;
        this.second = second;
    }

    static KeyedHash random() {
        SecureRandom random = new SecureRandom();
        return new KeyedHash(random.nextLong(), random.nextLong());
    }

    /**
     * Returns the hash of a text below a parent, such as a row key in its partition.
     *
     * @param parent the hash of the parent, or 0
     * @return the hash, never 0
     */
    long of(long parent, String text) {
        long v0 = first ^ 0x736f6d6570736575L;
        long v1 = second ^ 0x646f72616e646f6dL;
        long v2 = first ^ 0x6c7967656e657261L;
        long v3 = second ^ 0x7465646279746573L;
        int words = text.length() / CHARS_PER_WORD + 2;
        for (int i = 0; i < words + LAST_ROUNDS; i++) {
            long word = i < words ? word(parent, text, i) : 0;
            v2 ^= i == words ? 0xff : 0;
            v3 ^= word;
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
            v0 ^= word;
        }
        long hash = v0 ^ v1 ^ v2 ^ v3;
        return hash == 0 ? 1 : hash;
    }

    /** The parent comes first, and the last word has the length. */
    private static long word(long parent, String text, int index) {
        if (index == 0) {
            return parent;
        }
        int start = (index - 1) * CHARS_PER_WORD;
        int end = Math.min(text.length(), start + CHARS_PER_WORD);
        long word = 0;
        for (int i = start; i < end; i++) {
            word |= (long) text.charAt(i) << (16 * (i - start));
        }
        return end - start < CHARS_PER_WORD ? word | (long) text.length() << 48 : word;
    }
}
