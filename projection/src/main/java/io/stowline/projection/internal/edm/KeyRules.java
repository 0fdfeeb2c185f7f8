package io.stowline.projection.internal.edm;

import io.stowline.projection.InvalidKeyException;
import java.util.Objects;

/**
 * The rules for the values of partition and row keys.
 *
 * <p>A key may be empty. It holds none of {@code / \ # ?}, no control character (U+0000 to U+001F, U+007F to U+009F) and no
 * surrogate without its partner; case matters (Microsoft Learn, "Understanding the Table service data model").
 *
 * <p>The page allows a key at most 1 KiB and leaves the encoding open: 512 characters of UTF-16, or 1,024 characters of one
 * byte. This class refuses only what is too long either way; between the two the service decides.
 *
 * <p>Stateless and safe for use by many threads.
 */
public final class KeyRules {

    /** The most UTF-16 characters of a key that is not refused before it is sent; keys of up to 512 always fit. */
    public static final int MAX_CHARS = 1_024;

    private KeyRules() {}

    /**
     * Checks a key.
     *
     * @param role what the key is, for the error message, such as {@code "row key"}
     * @throws InvalidKeyException if the key is too long or holds a forbidden character; the message names the role,
     *     the size and limit, or the position and code point, and never the key itself
     */
    public static String check(String role, String value) {
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(value, () -> role + ": the value is null");
        int length = value.length();
        if (length > MAX_CHARS) {
            throw new InvalidKeyException(role + ": " + length + " characters; the limit is " + MAX_CHARS + " (1 KiB)");
        }
        boolean surrogates = false;
        for (int i = 0; i < length; i++) {
            char c = value.charAt(i);
            if (isForbidden(c)) {
                throw forbidden(role, value, i);
            }
            surrogates |= Character.isSurrogate(c);
        }
        int unpaired = surrogates ? CodePoints.firstUnpaired(value) : -1;
        if (unpaired >= 0) {
            throw new InvalidKeyException(role + ": " + CodePoints.name(value, unpaired) + " at position " + unpaired
                    + " is a surrogate without its partner");
        }
        return value;
    }

    private static boolean isForbidden(char c) {
        return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == '/' || c == '\\' || c == '#' || c == '?';
    }

    private static InvalidKeyException forbidden(String role, String value, int index) {
        return new InvalidKeyException(role + ": " + CodePoints.name(value, index) + " at position " + index
                + " is not allowed; a key holds none of / \\ # ? and no control characters");
    }
}
