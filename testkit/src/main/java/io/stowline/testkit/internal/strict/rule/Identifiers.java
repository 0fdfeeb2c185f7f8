package io.stowline.testkit.internal.strict.rule;

import java.util.regex.Pattern;

/**
 * A test for C# identifiers, which names of properties and of metadata have to be: a letter or underscore first, then letters, digits,
 * marks and connectors too.
 */
public final class Identifiers {

    private static final String START = "_\\p{L}\\p{Nl}";
    private static final Pattern IDENTIFIER =
            Pattern.compile("[" + START + "][" + START + "\\p{Nd}\\p{Mn}\\p{Mc}\\p{Pc}\\p{Cf}]*+");

    private Identifiers() {}

    public static boolean isIdentifier(String name) {
        return IDENTIFIER.matcher(name).matches();
    }
}
