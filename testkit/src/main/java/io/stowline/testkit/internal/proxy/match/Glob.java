package io.stowline.testkit.internal.proxy.match;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A translator that turns globs over paths into patterns. */
public final class Glob {

    private static final Pattern STARS = Pattern.compile("\\*\\*|\\*|[^*]+");

    private Glob() {}

    /**
     * Returns the pattern of a glob.
     *
     * @param glob {@code *} stands for anything without a slash, {@code **} for anything, all else for itself
     * @return a pattern for the whole path
     */
    public static Pattern pattern(String glob) {
        StringBuilder pattern = new StringBuilder();
        Matcher parts = STARS.matcher(glob);
        while (parts.find()) {
            switch (parts.group()) {
                case "**" -> pattern.append(".*");
                case "*" -> pattern.append("[^/]*");
                default -> pattern.append(Pattern.quote(parts.group()));
            }
        }
        return Pattern.compile(pattern.toString(), Pattern.DOTALL);
    }
}
