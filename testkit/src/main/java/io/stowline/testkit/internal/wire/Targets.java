package io.stowline.testkit.internal.wire;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Rules that take request targets apart. */
public final class Targets {

    private static final Pattern SECRET = Pattern.compile("(?i)([?&]sig=)[^&]*");

    private Targets() {}

    /**
     * Returns the path of a target.
     *
     * @param target the raw target
     * @return what comes before the query, undecoded
     */
    public static String path(String target) {
        int mark = target.indexOf('?');
        return mark < 0 ? target : target.substring(0, mark);
    }

    /**
     * Returns the query parameters of a target.
     *
     * @param target the raw target
     * @return decoded names and values in order; of several with one name the first, of a broken escape the raw text
     */
    public static Map<String, String> query(String target) {
        Map<String, String> parameters = new LinkedHashMap<>();
        int mark = target.indexOf('?');
        String text = mark < 0 ? "" : target.substring(mark + 1);
        for (String parameter : text.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : parameter.substring(equals + 1);
            if (!parameter.isEmpty()) {
                parameters.putIfAbsent(decoded(name, name), decoded(value, value));
            }
        }
        return Collections.unmodifiableMap(parameters);
    }

    /**
     * Decodes a part of a raw path.
     *
     * @param raw the part
     * @return the text without percent escapes, the raw text of a broken one; a plus sign in a path stands for itself
     */
    static String decodedPath(String raw) {
        return decoded(raw, raw.replace("+", "%2B"));
    }

    private static String decoded(String raw, String form) {
        try {
            return URLDecoder.decode(form, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return raw;
        }
    }

    /**
     * Returns a target without its secrets.
     *
     * @param target the raw target
     * @return the target with the signature of a shared access signature left out
     */
    public static String shown(String target) {
        return SECRET.matcher(target).replaceAll("$1...");
    }
}
