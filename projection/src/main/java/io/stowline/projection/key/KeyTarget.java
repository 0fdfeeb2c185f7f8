package io.stowline.projection.key;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.internal.edm.CodePoints;
import io.stowline.projection.internal.edm.KeyRules;
import java.util.Objects;
import java.util.regex.Pattern;

/** The use of a format's texts, whose rules they keep: keys of entities, or names of one service (decision 204). */
enum KeyTarget {
    ENTITY("key", 0, KeyRules.MAX_CHARS, "none of / \\ # ? and no control characters"),
    BLOB("blob name", 1, 1_024, "no \\ and no control characters"),
    CONTAINER("container name", 3, 63, "lower-case letters and digits, and hyphens between its parts only"),
    QUEUE("queue name", 3, 63, "lower-case letters and digits, and hyphens between its parts only");

    private static final int MAX_SEGMENTS = 254;

    private static final Pattern HYPHENATED = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    private final String role;
    private final int min;
    private final int max;
    private final String holds;

    KeyTarget(String role, int min, int max, String holds) {
        this.role = role;
        this.min = min;
        this.max = max;
        this.holds = holds;
    }

    String role() {
        return role;
    }

    int max() {
        return max;
    }

    /** Returns whether a service has these names, and refuses the characters that escapes begin with. */
    boolean isHyphenated() {
        return this == CONTAINER || this == QUEUE;
    }

    /**
     * Checks the characters of a plain part, or of a text that is to be read.
     *
     * @param part names it in the error
     */
    String characters(String part, String text) {
        if (this == ENTITY) {
            return KeyRules.check(part, text);
        }
        for (int i = 0; i < text.length(); i++) {
            if (isForbidden(text.charAt(i))) {
                throw new InvalidKeyException(part + ": " + CodePoints.name(text, i) + " at position " + i
                        + " is not allowed; a " + role + " holds " + holds);
            }
        }
        int unpaired = CodePoints.firstUnpaired(text);
        if (unpaired >= 0) {
            throw new InvalidKeyException(part + ": " + CodePoints.name(text, unpaired) + " at position " + unpaired
                    + " is a surrogate without its partner");
        }
        return text;
    }

    private boolean isForbidden(char c) {
        return isHyphenated()
                ? (c < 'a' || c > 'z') && (c < '0' || c > '9')
                : c < ' ' || (c > '~' && c <= '\u009F') || c == '\\';
    }

    /** Checks a text that is to be read. */
    void checkReadable(String text) {
        Objects.requireNonNull(text, () -> role + ": the value is null");
        String unused = isHyphenated() ? text : characters(role, text);
        if (text.length() > max) {
            throw new InvalidKeyException(role + ": " + text.length() + " characters; the limit is " + max);
        }
        unused = complete(text);
    }

    /** Checks a complete text, whose parts and length are checked. It is not shown: it may name a person. */
    String complete(String text) {
        if (text.length() < min) {
            throw new InvalidKeyException(role + ": " + text.length() + " characters; it has at least " + min);
        }
        if (isHyphenated() && !HYPHENATED.matcher(text).matches()) {
            throw new InvalidKeyException(
                    role + ": it has lower-case letters, digits and single hyphens between them; an"
                            + " empty part leaves a hyphen too many");
        }
        if (this == BLOB) {
            segments(text);
        }
        return text;
    }

    /** The service takes such names, and its clients, proxies and file systems make other ones of them. */
    private static void segments(String name) {
        String[] segments = name.split("/", -1);
        if (segments.length > MAX_SEGMENTS) {
            throw new InvalidKeyException(
                    "blob name: " + segments.length + " segments between '/'; the limit is " + MAX_SEGMENTS);
        }
        int end = 0;
        for (String segment : segments) {
            end += segment.length();
            if (segment.isEmpty() || segment.endsWith(".")) {
                throw new InvalidKeyException("blob name: the segment that ends at position " + end
                        + (segment.isEmpty() ? " is empty" : " ends with a dot")
                        + "; such a name may be another one on its way");
            }
            end++;
        }
    }
}
