package io.stowline.projection.key;

import io.stowline.projection.internal.edm.CodePoints;

/** The separator between the parts of a key: one character, once or repeated. */
record KeySeparator(char character, String text) {

    static final char DEFAULT = '!';

    private static final int MAX_TIMES = 3;

    /** The only one that names of containers and queues hold. */
    static final KeySeparator HYPHEN = new KeySeparator('-', "-");

    static final KeySeparator FOLDERS = new KeySeparator('/', "/");

    static KeySeparator of(char character, int times) {
        String name = "separator " + CodePoints.name(String.valueOf(character), 0);
        if (character <= ' '
                || character > '~'
                || Character.isLetterOrDigit(character)
                || "/\\#?".indexOf(character) >= 0) {
            throw new IllegalArgumentException(
                    name + ": it is a visible ASCII character, but no letter, no digit and none of / \\ # ?");
        }
        if (KeyEscapes.isLead(character)) {
            throw new IllegalArgumentException(name + ": \" . > [ ~ begin the escapes and cannot separate");
        }
        if (times < 1 || times > MAX_TIMES) {
            throw new IllegalArgumentException(name + ": it stands 1 to " + MAX_TIMES + " times, not " + times);
        }
        return new KeySeparator(character, String.valueOf(character).repeat(times));
    }

    /**
     * Returns the position at which a text contains the separator or touches it, which makes the parts ambiguous; -1 if
     * nowhere.
     */
    int positionIn(String part) {
        if (part.isEmpty()) {
            return -1;
        }
        if (part.charAt(0) == character) {
            return 0;
        }
        int inside = part.indexOf(text);
        int last = part.length() - 1;
        return inside < 0 && part.charAt(last) == character ? last : inside;
    }
}
