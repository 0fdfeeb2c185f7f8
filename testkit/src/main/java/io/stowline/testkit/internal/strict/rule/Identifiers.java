package io.stowline.testkit.internal.strict.rule;

/**
 * Tells C# identifiers, which names of properties and of metadata have to be: a letter or underscore first, then letters, digits,
 * marks and connectors too.
 */
public final class Identifiers {

    private Identifiers() {}

    public static boolean isIdentifier(String name) {
        if (name.isEmpty() || !isStart(name.codePointAt(0))) {
            return false;
        }
        return name.codePoints().skip(1).allMatch(Identifiers::isPart);
    }

    private static boolean isStart(int c) {
        return c == '_' || Character.isLetter(c) || Character.getType(c) == Character.LETTER_NUMBER;
    }

    private static boolean isPart(int c) {
        return switch (Character.getType(c)) {
            case Character.DECIMAL_DIGIT_NUMBER,
                    Character.NON_SPACING_MARK,
                    Character.COMBINING_SPACING_MARK,
                    Character.CONNECTOR_PUNCTUATION,
                    Character.FORMAT -> true;
            default -> isStart(c);
        };
    }
}
