package io.stowline.blob.internal.rule;

import io.stowline.error.internal.PrintableText;
import java.util.List;
import java.util.regex.Pattern;

/** The choice of the names below a directory that take part in a transfer. Case counts. Immutable. */
public final class PathFilter {

    private final List<Pattern> includes;
    private final List<Pattern> excludes;

    public PathFilter(List<String> includes, List<String> excludes) {
        this.includes = includes.stream().map(PathFilter::pattern).toList();
        this.excludes = excludes.stream().map(PathFilter::pattern).toList();
    }

    /**
     * Checks a pattern.
     *
     * @throws IllegalArgumentException if it is empty, begins with a slash, or has an open bracket
     */
    public static String checked(String glob) {
        Pattern unused = pattern(glob);
        return glob;
    }

    public boolean matches(String name) {
        return (includes.isEmpty() || any(includes, name)) && !any(excludes, name);
    }

    private static boolean any(List<Pattern> patterns, String name) {
        for (Pattern pattern : patterns) {
            if (pattern.matcher(name).matches()) {
                return true;
            }
        }
        return false;
    }

    private static Pattern pattern(String glob) {
        if (glob.isEmpty() || glob.startsWith("/")) {
            throw new IllegalArgumentException(
                    "a pattern of names below a directory is not empty and begins with no '/': '"
                            + PrintableText.of(glob) + "'");
        }
        StringBuilder regex = new StringBuilder();
        boolean choice = false;
        for (int i = 0; i < glob.length(); i++) {
            char c = glob.charAt(i);
            if (glob.startsWith("**/", i) && (i == 0 || glob.charAt(i - 1) == '/')) {
                regex.append("(?:.*/)?");
                i += 2;
            } else if (glob.startsWith("**", i)) {
                regex.append(".*");
                i++;
            } else if (c == '*') {
                regex.append("[^/]*");
            } else if (c == '?') {
                regex.append("[^/]");
            } else if (c == '{' && !choice) {
                choice = true;
                regex.append("(?:");
            } else if (c == '}' && choice) {
                choice = false;
                regex.append(')');
            } else if (c == ',' && choice) {
                regex.append('|');
            } else {
                regex.append(Character.isLetterOrDigit(c) || Character.isSurrogate(c) ? "" : "\\")
                        .append(c);
            }
        }
        if (choice) {
            throw new IllegalArgumentException("the pattern '" + PrintableText.of(glob) + "' has a '{' without a '}'");
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }
}
