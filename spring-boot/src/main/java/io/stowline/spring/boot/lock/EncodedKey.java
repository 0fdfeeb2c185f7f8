package io.stowline.spring.boot.lock;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The key of a lock or a text, as the name of a blob and the key of a row: letters, digits, hyphens and dots within stand for themselves, each other byte
 * for {@code _XX}. A long key ends with its hash. Two keys have two encodings.
 */
final class EncodedKey {

    private static final int MAX_KEY = 1_024;
    private static final int MAX_LENGTH = 200;
    private static final int READABLE = 100;
    private static final String PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private EncodedKey() {}

    /**
     * Returns the encoding of a key.
     *
     * @throws IllegalArgumentException if the key is too long, or has a half of a surrogate pair
     */
    static String of(String key) {
        if (key.length() > MAX_KEY) {
            throw new IllegalArgumentException(
                    "the key has " + key.length() + " characters; a key has up to " + MAX_KEY);
        }
        if (!UTF_8.newEncoder().canEncode(key)) {
            throw new IllegalArgumentException(
                    "the key has a surrogate without its other half, which no name can have");
        }
        byte[] bytes = key.getBytes(UTF_8);
        StringBuilder encoded = new StringBuilder();
        for (int i = 0; i < bytes.length; i++) {
            if (isPlain(bytes, i) || isDotWithin(bytes, i)) {
                encoded.append((char) bytes[i]);
            } else {
                HEX.toHexDigits(encoded.append('_'), bytes[i]);
            }
        }
        if (encoded.length() > MAX_LENGTH) {
            encoded.setLength(READABLE);
            encoded.append('~').append(HEX.formatHex(sha256(bytes)));
        }
        return encoded.isEmpty() ? "_" : encoded.toString();
    }

    private static boolean isPlain(byte[] bytes, int i) {
        return PLAIN.indexOf(bytes[i]) >= 0;
    }

    /** No name ends with a dot, and none has a segment of dots. */
    private static boolean isDotWithin(byte[] bytes, int i) {
        return bytes[i] == '.' && i > 0 && i < bytes.length - 1 && isPlain(bytes, i - 1) && isPlain(bytes, i + 1);
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java runtime has SHA-256", e);
        }
    }
}
