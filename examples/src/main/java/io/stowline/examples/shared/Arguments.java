package io.stowline.examples.shared;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a command line. The help text declares the options: a line for each, such as {@code --limit N} for one with a value and
 * {@code --help} for one without. Immutable.
 */
public final class Arguments {

    private static final Pattern DECLARED = Pattern.compile("(?m)^ +(--[a-z0-9-]+)( [A-Z]+)?");
    private static final String WHOLE = "[0-9]{1,18}";

    private final Map<String, List<String>> values = new HashMap<>();
    private final List<String> words = new ArrayList<>();

    private Arguments() {}

    /**
     * Reads a command line.
     *
     * @param help the help text
     * @param arguments the command line
     * @return its options and words
     * @throws UsageException if an option is not in the help text, or has no value but needs one
     */
    public static Arguments parse(String help, List<String> arguments) {
        Map<String, Boolean> declared = new HashMap<>();
        DECLARED.matcher(help).results().forEach(option -> declared.put(option.group(1), option.group(2) != null));
        Arguments parsed = new Arguments();
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            Boolean valued = declared.get(argument);
            if (valued == null) {
                parsed.word(argument);
            } else if (valued && !rest.hasNext()) {
                throw new UsageException(argument + " needs a value");
            } else {
                parsed.values
                        .computeIfAbsent(argument, option -> new ArrayList<>())
                        .add(valued ? rest.next() : "");
            }
        }
        return parsed;
    }

    private void word(String argument) {
        if (argument.startsWith("--")) {
            throw new UsageException("unknown option " + argument);
        }
        words.add(argument);
    }

    /**
     * Returns the arguments that are no options.
     *
     * @return the words in their order
     */
    public List<String> words() {
        return words;
    }

    /**
     * Returns the options that were given.
     *
     * @return the options
     */
    public Set<String> names() {
        return Set.copyOf(values.keySet());
    }

    /**
     * Returns whether an option was given.
     *
     * @param option the option
     * @return true if it was
     */
    public boolean has(String option) {
        return values.containsKey(option);
    }

    /**
     * Returns all values of an option.
     *
     * @param option the option
     * @return its values in their order
     */
    public List<String> values(String option) {
        return values.getOrDefault(option, List.of());
    }

    /**
     * Returns the last value of an option.
     *
     * @param option the option
     * @return the value, or null if the option was not given
     */
    public @Nullable String value(String option) {
        List<String> all = values(option);
        return all.isEmpty() ? null : all.get(all.size() - 1);
    }

    /**
     * Returns the value of an option.
     *
     * @param option the option
     * @param usual the value of an option that was not given
     * @return the value
     */
    public String value(String option, String usual) {
        String value = value(option);
        return value == null ? usual : value;
    }

    /**
     * Returns the value of an option that is a number within limits.
     *
     * @param option the option
     * @param min the smallest number
     * @param max the largest number
     * @param usual the value of an option that was not given
     * @return the number
     * @throws UsageException if the value is something else
     */
    public int within(String option, int min, int max, int usual) {
        String value = value(option, Integer.toString(usual));
        if (!value.matches(WHOLE) || Long.parseLong(value) < min || Long.parseLong(value) > max) {
            throw new UsageException(option + " needs a number from " + min + " to " + max + ", not " + value);
        }
        return Integer.parseInt(value);
    }

    /**
     * Returns the value of an option that is a number.
     *
     * @param option the option
     * @param min the smallest number
     * @return the number, or null if the option was not given
     * @throws UsageException if the value is something else
     */
    public @Nullable Long number(String option, long min) {
        String value = value(option);
        if (value != null && (!value.matches(WHOLE) || Long.parseLong(value) < min)) {
            throw new UsageException(option + " needs a whole number from " + min + ", not " + value);
        }
        return value == null ? null : Long.valueOf(value);
    }
}
