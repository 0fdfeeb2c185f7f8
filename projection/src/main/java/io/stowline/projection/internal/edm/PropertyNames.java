package io.stowline.projection.internal.edm;

import java.util.Objects;

/**
 * The rules for the names of properties.
 *
 * <p>A name is a C# identifier that is also an XML name: a letter or an underscore, then letters, decimal digits,
 * underscores and combining marks, none of them outside the basic plane; at most 255 characters; case matters
 * (Microsoft Learn, "Understanding the Table service data model"). {@code PartitionKey}, {@code RowKey} and
 * {@code Timestamp} are the service's own, and so is everything that begins with {@code odata.}.
 *
 * <p>Stateless and safe for use by many threads.
 */
public final class PropertyNames {

    /** The most characters that a name has. */
    public static final int MAX_CHARS = 255;

    public static final String PARTITION_KEY = "PartitionKey";
    public static final String ROW_KEY = "RowKey";
    public static final String TIMESTAMP = "Timestamp";

    /** The property in which a write of this library may leave its mark; no record or entity has one of this name. */
    public static final String WRITE_MARKER = "StowlineWrite";

    /** The property by which an index row names the row key of its entity; no record or entity has one of this name. */
    public static final String INDEXED_ROW = "StowlineRowKey";

    /** The property in which an index row names its index, and the version; no record or entity has one of this name. */
    public static final String INDEX = "StowlineIndex";

    private static final char FIRST_LETTER_BEYOND_ASCII = '\u00C0';

    private PropertyNames() {}

    /**
     * Checks the name of a property.
     *
     * @throws IllegalArgumentException if the name breaks a rule; the message names it
     */
    public static String check(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a property name is empty; it needs 1 to " + MAX_CHARS + " characters");
        }
        if (name.length() > MAX_CHARS) {
            throw new IllegalArgumentException(
                    "property name " + Abbreviation.quoted(name) + ": the limit is " + MAX_CHARS + " characters");
        }
        if (isReserved(name)) {
            throw new IllegalArgumentException("property name \"" + name + "\" is reserved by the service");
        }
        if (name.equals(WRITE_MARKER)) {
            throw new IllegalArgumentException("property name \"" + name + "\" is reserved for the markers of writes");
        }
        if (name.equals(INDEXED_ROW) || name.equals(INDEX)) {
            throw new IllegalArgumentException("property name \"" + name + "\" is reserved for index rows");
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (!isLetter(c) && (i == 0 || !isFollower(c))) {
                throw new IllegalArgumentException("property name " + Abbreviation.quoted(name) + ": "
                        + CodePoints.name(name, i) + " at position " + i + " is not allowed; a name is a letter or _,"
                        + " then letters, digits and _");
            }
        }
        return name;
    }

    private static boolean isReserved(String name) {
        return name.equals(PARTITION_KEY)
                || name.equals(ROW_KEY)
                || name.equals(TIMESTAMP)
                || name.startsWith("odata.");
    }

    private static boolean isLetter(char c) {
        if (c < FIRST_LETTER_BEYOND_ASCII) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        }
        return Character.isLetter(c) || Character.getType(c) == Character.LETTER_NUMBER;
    }

    private static boolean isFollower(char c) {
        return switch (Character.getType(c)) {
            case Character.DECIMAL_DIGIT_NUMBER, Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK -> true;
            default -> false;
        };
    }
}
