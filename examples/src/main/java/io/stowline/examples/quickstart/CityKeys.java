package io.stowline.examples.quickstart;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * Keys that are made of parts, such as a name and a place, and can be taken apart again.
 *
 * <p>What keys forbid ({@code / \ # ?} and the control characters U+0000 to U+001F and U+007F to U+009F), the separator
 * and the escape character become the escape character and two hexadecimal digits. Each character is escaped by itself,
 * so the escaped beginning of a part is the beginning of the escaped part: prefix queries work.
 */
final class CityKeys {

    private static final char SEPARATOR = '|';
    private static final char ESCAPE = '!';
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private CityKeys() {}

    static String join(String... parts) {
        StringBuilder key = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) {
                key.append(SEPARATOR);
            }
            escape(parts[i], key);
        }
        return key.toString();
    }

    static String escape(String part) {
        return escape(part, new StringBuilder(part.length())).toString();
    }

    static List<String> split(String key) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int end = key.indexOf(SEPARATOR); end >= 0; end = key.indexOf(SEPARATOR, start)) {
            parts.add(unescape(key, start, end));
            start = end + 1;
        }
        parts.add(unescape(key, start, key.length()));
        return parts;
    }

    private static StringBuilder escape(String part, StringBuilder escaped) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            if (isPlain(c)) {
                escaped.append(c);
            } else {
                escaped.append(ESCAPE).append(HEX.toHexDigits((byte) c));
            }
        }
        return escaped;
    }

    private static boolean isPlain(char c) {
        return switch (c) {
            case '/', '\\', '#', '?', SEPARATOR, ESCAPE -> false;
            default -> c >= ' ' && (c < '\u007F' || c > '\u009F');
        };
    }

    private static String unescape(String key, int start, int end) {
        StringBuilder part = new StringBuilder(end - start);
        for (int i = start; i < end; i++) {
            char c = key.charAt(i);
            if (c == ESCAPE) {
                part.append(escaped(key, i, end));
                i += 2;
            } else {
                part.append(c);
            }
        }
        return part.toString();
    }

    private static char escaped(String key, int at, int end) {
        if (at + 2 >= end || !HexFormat.isHexDigit(key.charAt(at + 1)) || !HexFormat.isHexDigit(key.charAt(at + 2))) {
            throw new IllegalArgumentException(
                    String.format(Locale.ROOT, "no two hexadecimal digits after the %c at position %d", ESCAPE, at));
        }
        return (char) HexFormat.fromHexDigits(key, at + 1, at + 3);
    }
}
