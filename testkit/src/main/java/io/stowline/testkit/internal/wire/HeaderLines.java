package io.stowline.testkit.internal.wire;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The header lines of a message, in the order and spelling in which they were sent.
 *
 * <p>Immutable. Names are compared without regard to case.
 *
 * @param lines names with values, one entry a line
 */
public record HeaderLines(List<Map.Entry<String, String>> lines) {

    private static final HeaderLines NONE = new HeaderLines(List.of());
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern LINE_END = Pattern.compile("[\\r\\n\\x00]");

    /**
     * Copies the lines.
     *
     * @param lines names with values, one entry a line
     * @throws IllegalArgumentException if a name is no HTTP token, or a value holds a line end
     */
    public HeaderLines {
        lines = lines.stream()
                .map(line -> Map.entry(checkedName(line.getKey()), checkedValue(line.getKey(), line.getValue())))
                .toList();
    }

    /**
     * Returns a list without lines.
     *
     * @return the empty list
     */
    public static HeaderLines none() {
        return NONE;
    }

    private static String checkedName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("header name must be an HTTP token: '" + name + "'");
        }
        return name;
    }

    // The value is not shown: it may be a secret.
    private static String checkedValue(String name, String value) {
        if (LINE_END.matcher(value).find()) {
            throw new IllegalArgumentException("the value of header '" + name + "' holds a line end");
        }
        return value;
    }

    /**
     * Returns the values of one header.
     *
     * @return the values joined by {@code ", "}, or {@code null} when there is no such header
     */
    public @Nullable String joined(String name) {
        return joined(lines, name);
    }

    static @Nullable String joined(List<Map.Entry<String, String>> lines, String name) {
        return lines.stream()
                .filter(line -> line.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .reduce((one, other) -> one + ", " + other)
                .orElse(null);
    }

    /**
     * Returns all headers by name.
     *
     * @return an unmodifiable map that ignores case
     */
    public Map<String, List<String>> asMap() {
        return Collections.unmodifiableMap(lines.stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey,
                        () -> new TreeMap<>(String.CASE_INSENSITIVE_ORDER),
                        Collectors.mapping(Map.Entry::getValue, Collectors.toUnmodifiableList()))));
    }

    /**
     * Sets a header, in place of the ones of that name.
     *
     * @return lines with that header once
     */
    public HeaderLines with(String name, String value) {
        List<Map.Entry<String, String>> changed = new ArrayList<>(without(name).lines);
        int place = 0;
        while (place < lines.size() && !lines.get(place).getKey().equalsIgnoreCase(name)) {
            place++;
        }
        changed.add(place, Map.entry(name, value));
        return new HeaderLines(changed);
    }

    /**
     * Removes a header.
     *
     * @return lines without that header
     */
    public HeaderLines without(String name) {
        return new HeaderLines(lines.stream()
                .filter(line -> !line.getKey().equalsIgnoreCase(name))
                .toList());
    }
}
