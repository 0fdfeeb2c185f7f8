package io.stowline.transport.internal.request;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** The percent-encoding (RFC 3986, section 2.1) of what stands in an address: a space is {@code %20}, never a plus sign. */
public final class PercentEncoding {

    private PercentEncoding() {}

    /** Encodes a value of a query, or a segment of a path. GUIDs and Base64, the ids and receipts of the services, cost one copy. */
    public static String of(String text) {
        StringBuilder encoded = null;
        int copied = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isUnreserved(c)) {
                continue;
            }
            String escape =
                    switch (c) {
                        case '+' -> "%2B";
                        case '/' -> "%2F";
                        case '=' -> "%3D";
                        default -> null;
                    };
            if (escape == null) {
                return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
            }
            encoded = encoded == null ? new StringBuilder(text.length() + 16) : encoded;
            encoded.append(text, copied, i).append(escape);
            copied = i + 1;
        }
        return encoded == null
                ? text
                : encoded.append(text, copied, text.length()).toString();
    }

    private static boolean isUnreserved(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || c == '-'
                || c == '.'
                || c == '_';
    }
}
