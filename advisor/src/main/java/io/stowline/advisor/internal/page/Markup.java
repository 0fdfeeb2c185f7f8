package io.stowline.advisor.internal.page;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * A document of HTML that grows, in which each text is escaped and each element ends. It is well-formed XML, too. Used by one thread.
 *
 * <p>Characters that are not printed, and those that change the direction of a text, stand as escapes such as {@code \u202E}. Words of a
 * script that runs from right to left are isolated. So a name cannot move the text beside it.
 */
final class Markup {

    private final StringBuilder html = new StringBuilder(64 << 10);
    private final Deque<String> open = new ArrayDeque<>();

    /** Adds the declaration of the document. */
    Markup doctype() {
        html.append("<!DOCTYPE html>\n");
        return this;
    }

    /**
     * Begins an element.
     *
     * @param attributes names and values in turn
     */
    Markup begin(String element, Object... attributes) {
        tag(element, attributes).append('>');
        open.push(element);
        return this;
    }

    /** Adds an element that has no content, such as {@code rect}. */
    Markup empty(String element, Object... attributes) {
        tag(element, attributes).append("/>");
        return this;
    }

    /** Ends the element that has begun last. */
    Markup end() {
        html.append("</").append(open.pop()).append(">");
        return this;
    }

    /** Adds an element with a text. */
    Markup element(String element, String text, Object... attributes) {
        return begin(element, attributes).text(text).end();
    }

    /** Adds a text, escaped. */
    Markup text(String text) {
        boolean isolated = false;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int point = text.codePointAt(i);
            boolean rightToLeft = isRightToLeft(point, isolated);
            if (rightToLeft != isolated) {
                html.append(rightToLeft ? "<bdi>" : "</bdi>");
            }
            isolated = rightToLeft;
            escape(point);
        }
        if (isolated) {
            html.append("</bdi>");
        }
        return this;
    }

    /** Adds the style sheet of the library, which has neither {@code <} nor {@code &}. */
    Markup style(String css) {
        html.append("<style>").append(css).append("</style>");
        return this;
    }

    private StringBuilder tag(String element, Object... attributes) {
        html.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            html.append(' ').append(attributes[i]).append("=\"");
            Object value = attributes[i + 1];
            String text = value instanceof Double size ? String.format(Locale.ROOT, "%.1f", size) : value.toString();
            text.codePoints().forEach(this::escape);
            html.append('"');
        }
        return html;
    }

    private void escape(int point) {
        switch (point) {
            case '&' -> html.append("&amp;");
            case '<' -> html.append("&lt;");
            case '>' -> html.append("&gt;");
            case '"' -> html.append("&quot;");
            case '\'' -> html.append("&#39;");
            default -> {
                if (isPrintable(point)) {
                    html.appendCodePoint(point);
                } else {
                    html.append(String.format(Locale.ROOT, point > 0xFFFF ? "\\u{%X}" : "\\u%04X", point));
                }
            }
        }
    }

    private static boolean isPrintable(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    /** A mark goes with the letter before it. */
    private static boolean isRightToLeft(int point, boolean before) {
        return switch (Character.getDirectionality(point)) {
            case Character.DIRECTIONALITY_RIGHT_TO_LEFT,
                    Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC,
                    Character.DIRECTIONALITY_ARABIC_NUMBER -> true;
            case Character.DIRECTIONALITY_NONSPACING_MARK -> before;
            default -> false;
        };
    }

    @Override
    public String toString() {
        if (!open.isEmpty()) {
            throw new IllegalStateException("elements without an end: " + open);
        }
        return html.toString();
    }
}
