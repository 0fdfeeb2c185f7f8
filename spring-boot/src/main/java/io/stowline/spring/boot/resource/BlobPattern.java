package io.stowline.spring.boot.resource;

import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A pattern of locations in one container: {@code *} and {@code ?} stay within a segment, {@code **} crosses segments. All else stands for
 * itself, {@code %2A} for an asterisk. Immutable and thread-safe.
 */
final class BlobPattern {

    private final ResourceLocation prefix;
    private final Pattern pattern;
    private final boolean oneLevel;

    private BlobPattern(ResourceLocation prefix, Pattern pattern, boolean oneLevel) {
        this.prefix = prefix;
        this.pattern = pattern;
        this.oneLevel = oneLevel;
    }

    static boolean isPattern(String location) {
        return wildcard(location) >= 0;
    }

    /** Returns the position of the first wildcard, or -1. */
    private static int wildcard(String location) {
        int star = location.indexOf('*');
        int mark = location.indexOf('?');
        return star < 0 || mark < 0 ? Math.max(star, mark) : Math.min(star, mark);
    }

    /** Reads a location with a wildcard. */
    static BlobPattern parse(String location) {
        int first = wildcard(location);
        String literal = location.substring(0, first);
        ResourceLocation prefix = ResourceLocation.parse(literal);
        if (prefix.isContainer() && !literal.endsWith("/")) {
            throw new IllegalArgumentException(
                    "the pattern '" + location + "' has a wildcard in the name of its container: name one container");
        }
        String rest = location.substring(first);
        return new BlobPattern(
                prefix, compiled(prefix.name(), rest, location), rest.indexOf('/') < 0 && !rest.contains("**"));
    }

    private static Pattern compiled(String literal, String rest, String location) {
        StringBuilder regex = new StringBuilder(Pattern.quote(literal));
        int done = 0;
        while (done < rest.length()) {
            if (rest.startsWith("**/", done) && beginsSegment(literal, rest, done)) {
                regex.append("(?:.*/)?");
                done += 3;
            } else if (rest.startsWith("**", done)) {
                regex.append(".*");
                done += 2;
            } else if (rest.charAt(done) == '*') {
                regex.append("[^/]*");
                done++;
            } else if (rest.charAt(done) == '?') {
                regex.append("[^/]");
                done++;
            } else {
                int next = wildcard(rest.substring(done));
                int end = next < 0 ? rest.length() : done + next;
                regex.append(Pattern.quote(ResourceLocation.decoded(rest.substring(done, end), location)));
                done = end;
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private static boolean beginsSegment(String literal, String rest, int at) {
        return at == 0 ? literal.isEmpty() || literal.endsWith("/") : rest.charAt(at - 1) == '/';
    }

    /** Returns the container and the longest beginning that all names have. */
    ResourceLocation prefix() {
        return prefix;
    }

    /** Returns whether all names that match are in the folder of the prefix. */
    boolean isOneLevel() {
        return oneLevel;
    }

    Predicate<String> names() {
        return pattern.asMatchPredicate();
    }
}
