package io.stowline.spark.internal.option;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
            throw new IllegalArgumentException(name + " is " + description + "; its value is none and is not shown");
        }
        return value;
    }

    /** Returns a number in a range. */
    int number(String name, int min, int max, int otherwise) {
        String value = get(name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value.strip());
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw wrong(name, value, min + " to " + max, e);
        }
        throw wrong(name, value, min + " to " + max, null);
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
                        wrong(name, value, Arrays.stream(choices).map(option).collect(Collectors.joining(", ")), null));
    }

    /** Returns the texts between commas, or between new lines where one has a comma. */
    List<String> list(String name) {
        String value = get(name);
        if (value == null || value.isEmpty()) {
            return List.of();
        }
        return List.of(value.split(value.contains("\n") ? "\n" : ",", -1));
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

    static IllegalArgumentException wrong(String name, String value, String allowed, @Nullable RuntimeException cause) {
        String shown = value.length() > MAX_SHOWN || value.contains("=") ? "another value" : '"' + value + '"';
        return new IllegalArgumentException(name + " is " + allowed + ", not " + shown, cause);
    }
}
