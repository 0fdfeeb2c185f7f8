package io.stowline.transport.internal.account;

import io.stowline.error.internal.PrintableText;
import io.stowline.transport.StorageLimits;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** The services' rules for the names of an account and of what it holds (their pages on naming). Stateless. */
public final class NameRules {

    /** Azure's have 3 to 24 lower-case letters and digits; emulators are not so strict. */
    private static final Pattern ACCOUNT = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,62}");

    /** The tables in which the service keeps its metrics; they can be read. */
    private static final Pattern METRICS = Pattern.compile("\\$Metrics[A-Za-z]{1,55}");

    private static final Pattern TABLE = Pattern.compile("[A-Za-z][A-Za-z0-9]{"
            + (StorageLimits.TABLE_NAME_MIN_CHARS - 1) + "," + (StorageLimits.TABLE_NAME_MAX_CHARS - 1) + "}");

    private static final Pattern HYPHENATED = Pattern.compile("[a-z0-9]+(-[a-z0-9]+)*");

    private static final Set<String> RESERVED_CONTAINERS =
            new TreeSet<>(Set.of("$root", "$web", "$logs", "$blobchangefeed"));

    private NameRules() {}

    /**
     * Checks the name of an account. One that breaks the rule may be a key in the wrong place, and is not shown.
     *
     * @param setting names the setting in the error
     */
    static String account(String setting, String name) {
        if (!ACCOUNT.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    setting + " is not a name of 1 to 63 letters and digits (it is not shown, it may be a key)");
        }
        return name;
    }

    /** Checks the name of a table. */
    public static String table(String name) {
        if (!TABLE.matcher(name).matches() && !METRICS.matcher(name).matches()) {
            throw new IllegalArgumentException("table name '" + PrintableText.of(name)
                    + "' must be 3 to 63 letters and digits and begin with a letter" + given(name));
        }
        if (name.equalsIgnoreCase("tables")) {
            throw new IllegalArgumentException("table name '" + name + "' is reserved by the service");
        }
        return name;
    }

    /** Checks the name of a queue. */
    public static String queue(String name) {
        if (!hyphenated(name, StorageLimits.QUEUE_NAME_MIN_CHARS, StorageLimits.QUEUE_NAME_MAX_CHARS)) {
            throw new IllegalArgumentException("queue name '" + PrintableText.of(name)
                    + "' must be 3 to 63 lower-case letters, digits and single hyphens between them" + given(name));
        }
        return name;
    }

    /** Checks the name of a container. */
    public static String container(String name) {
        if (!hyphenated(name, StorageLimits.CONTAINER_NAME_MIN_CHARS, StorageLimits.CONTAINER_NAME_MAX_CHARS)
                && !RESERVED_CONTAINERS.contains(name)) {
            throw new IllegalArgumentException("container name '" + PrintableText.of(name)
                    + "' must be 3 to 63 lower-case letters, digits and single hyphens between them"
                    + (name.startsWith("$") ? ", or one of the service's own " + RESERVED_CONTAINERS : "")
                    + given(name));
        }
        return name;
    }

    private static boolean hyphenated(String name, int min, int max) {
        return name.length() >= min
                && name.length() <= max
                && HYPHENATED.matcher(name).matches();
    }

    private static String given(String name) {
        return " (" + name.length() + " characters given)";
    }
}
