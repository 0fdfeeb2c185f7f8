package io.stowline.blob.internal.rule;

import io.stowline.error.internal.PrintableText;
import io.stowline.projection.InvalidValueException;
import io.stowline.transport.internal.request.Request;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The service's rules for the tags of a blob (its page "Set Blob Tags"). Stateless. */
public final class TagRules {

    private static final int MAX = 10;

    private static final int MAX_NAME = 128;
    private static final int MAX_VALUE = 256;
    private static final String OTHERS = " +-./:=_";

    private TagRules() {}

    /**
     * Checks the tags of a blob.
     *
     * @param tags names and values
     * @return a copy of them, in the order of their names
     * @throws IllegalArgumentException if there are more than 10, or a name or value is too long or has a character that is not allowed
     */
    public static Map<String, String> check(Map<String, String> tags) {
        Objects.requireNonNull(tags, "tags");
        if (tags.size() > MAX) {
            throw new InvalidValueException("a blob has at most " + MAX + " tags, not " + tags.size());
        }
        TreeMap<String, String> checked = new TreeMap<>();
        tags.forEach((name, value) -> checked.put(name(name), value(name, value)));
        return Collections.unmodifiableMap(checked);
    }

    /**
     * Checks the name of a tag.
     *
     * @throws IllegalArgumentException if it has not 1 to 128 characters that are allowed
     */
    public static String name(String name) {
        Objects.requireNonNull(name, "name");
        if (name.isEmpty() || name.length() > MAX_NAME) {
            throw new InvalidValueException("the name of a tag has 1 to " + MAX_NAME + " characters, but '"
                    + PrintableText.of(name) + "' has " + name.length());
        }
        return allowed("the name of the tag '" + PrintableText.of(name) + "'", name);
    }

    /**
     * Checks the value of a tag.
     *
     * @param name its name, for the error
     * @throws IllegalArgumentException if it has more than 256 characters, or one that is not allowed
     */
    public static String value(String name, String value) {
        Objects.requireNonNull(value, "value");
        if (value.length() > MAX_VALUE) {
            throw new InvalidValueException("the value of a tag has at most " + MAX_VALUE + " characters, but that of '"
                    + PrintableText.of(name) + "' has " + value.length());
        }
        return allowed("the value of the tag '" + PrintableText.of(name) + "'", value);
    }

    private static String allowed(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain && OTHERS.indexOf(c) < 0) {
                throw new InvalidValueException(
                        what + " has the character U+" + String.format(Locale.ROOT, "%04X", (int) c) + " at " + i
                                + "; tags have letters, digits, space and + - . / : = _ only");
            }
        }
        return text;
    }

    /** Returns the tags in the form of an upload's header. */
    public static String header(Map<String, String> tags) {
        return tags.entrySet().stream()
                .map(tag -> Request.encoded(tag.getKey()) + "=" + Request.encoded(tag.getValue()))
                .collect(Collectors.joining("&"));
    }
}
