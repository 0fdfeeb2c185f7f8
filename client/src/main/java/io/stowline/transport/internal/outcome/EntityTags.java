package io.stowline.transport.internal.outcome;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A comparison of ETags by the versions that they name: the service takes one version under several spellings. */
public final class EntityTags {

    private static final Pattern ESCAPED = Pattern.compile("%([0-9A-Fa-f]{2})");

    private EntityTags() {}

    /**
     * Returns whether both name the same version, be they weak, quoted or escaped.
     *
     * @param one an ETag
     * @param other another, or {@code null} for none
     * @return whether they are the same but for their spelling
     */
    public static boolean same(String one, @Nullable String other) {
        return other != null && (one.equals(other) || bare(one).equals(bare(other)));
    }

    private static String bare(String etag) {
        String text = etag.strip();
        text = text.regionMatches(true, 0, "W/", 0, 2) ? text.substring(2) : text;
        text = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"")
                ? text.substring(1, text.length() - 1)
                : text;
        return ESCAPED.matcher(text).replaceAll(EntityTags::unescaped).toLowerCase(Locale.ROOT);
    }

    private static String unescaped(java.util.regex.MatchResult escaped) {
        return Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escaped.group(1), 16)));
    }
}
