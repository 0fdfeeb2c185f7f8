package io.stowline.spark.internal.option;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The options as Spark has them, by names in lower case. A message shows the value of an option only where a secret cannot be put by
 * mistake.
 */
final class OptionMap {

    private static final int MAX_SHOWN = 63;

    private final Map<String, String> values = new TreeMap<>();

    OptionMap(Map<String, String> options) {
        options.forEach((name, value) -> values.put(name.toLowerCase(Locale.ROOT), value));
    }

    Set<String> names() {
        return values.keySet();
    }

    @Nullable
    String get(String name) {
        return values.get(name.toLowerCase(Locale.ROOT));
    }

    /** Returns a value that fits a pattern, which no secret fits; the value is not shown otherwise. */
    @Nullable
    String named(String name, Pattern allowed, String description) {
        String value = get(name);
        if (value != null && !allowed.matcher(value).matches()) {
            throw new IllegalArgumentException(name + " is " + description
                    + "; the value that is set does not fit, and is not shown: it could be a secret");
        }
        return value;
    }

    /** Returns a number in a range. The failure of the parser shows the value, so that it is no cause. */
    int number(String name, int min, int max, int otherwise) {
        String value = get(name);
        if (value == null) {
            return otherwise;
        }
        OptionalLong number = parsed(value.strip());
        if (number.isEmpty() || number.getAsLong() < min || number.getAsLong() > max) {
            throw wrong(name, value, min + " to " + max);
        }
        return (int) number.getAsLong();
    }

    private static OptionalLong parsed(String value) {
        try {
            return OptionalLong.of(Long.parseLong(value));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    /** Returns one of several values. */
    <E> E choice(String name, E[] choices, Function<E, String> option, E otherwise) {
        String value = get(name);
        if (value == null) {
            return otherwise;
        }
        return Arrays.stream(choices)
                .filter(choice -> option.apply(choice).equalsIgnoreCase(value.strip()))
                .findFirst()
                .orElseThrow(() ->
                        wrong(name, value, Arrays.stream(choices).map(option).collect(Collectors.joining(", "))));
    }

    /** Returns names of columns, which no secret fits. */
    Set<String> names(String name, Pattern allowed) {
        Set<String> names = list(name).stream().map(String::strip).collect(Collectors.toCollection(TreeSet::new));
        if (!names.stream().allMatch(one -> allowed.matcher(one).matches())) {
            throw new IllegalArgumentException(
                    name + " has names of columns, between commas; the value that is set does"
                            + " not fit, and is not shown: it could be a secret");
        }
        return names;
    }

    /** Returns keys or their beginnings. A space at an end belongs to a key as a rule only where it is meant. */
    List<String> keys(String name) {
        List<String> keys = list(name);
        String value = get(name);
        boolean lines = value != null && value.contains("\n");
        for (String key : keys) {
            if (keys.size() > 1 && !lines && !key.equals(key.strip())) {
                throw new IllegalArgumentException(name + ": " + shown(key) + " begins or ends with a space; remove it,"
                        + " or put each entry on a line, if the space belongs to the key");
            }
        }
        return keys;
    }

    /** Returns the texts between commas, or between new lines where one has a comma. */
    private List<String> list(String name) {
        String value = get(name);
        if (value == null || value.isEmpty()) {
            return List.of();
        }
        return List.of(value.split(value.contains("\n") ? "\r?\n" : ",", -1));
    }

    /** Returns the options that begin with a prefix, without it. */
    Map<String, String> under(String prefix) {
        Map<String, String> found = new TreeMap<>();
        values.forEach((name, value) -> {
            if (name.startsWith(prefix)) {
                found.put(name.substring(prefix.length()), value);
            }
        });
        return found;
    }

    /** Returns the names that are in none of these sets; their values may be secrets. */
    Set<String> unknown(Set<String> known, String prefix) {
        Set<String> lower =
                known.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        Set<String> unknown = new TreeSet<>(values.keySet());
        unknown.removeIf(name -> lower.contains(name) || name.startsWith(prefix));
        return unknown;
    }

    private static IllegalArgumentException wrong(String name, String value, String allowed) {
        return new IllegalArgumentException(name + " is " + allowed + ", not " + shown(value));
    }

    /** Returns a value for a message, unless it could be a secret. */
    static String shown(String value) {
        return value.length() > MAX_SHOWN || value.contains("=") ? "another value" : '"' + value + '"';
    }
}
