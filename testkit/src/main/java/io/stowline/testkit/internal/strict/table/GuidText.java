package io.stowline.testkit.internal.strict.table;

import java.util.regex.Pattern;

/** Rule for the text of an Edm.Guid: 32 hexadecimal digits, bare or in five groups, which may stand in brackets. */
public final class GuidText {

    private static final String DIGITS = "(?:\\p{XDigit}{32}|\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12})";
    private static final Pattern GUID = Pattern.compile(DIGITS + "|\\{" + DIGITS + "}|\\(" + DIGITS + "\\)");

    private GuidText() {}

    public static boolean isValid(String text) {
        return GUID.matcher(text).matches();
    }
}
