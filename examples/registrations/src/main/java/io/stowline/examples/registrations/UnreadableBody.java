package io.stowline.examples.registrations;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;

/**
 * What is wrong with a body that is not read.
 *
 * @param name the property, or {@code body}
 * @param value what it has, its kind, or its place
 * @param limit what it may have
 */
record UnreadableBody(String name, @Nullable Object value, String limit) {

    private static final String BODY = "body";
    private static final Pattern IN_PARENTHESES = Pattern.compile("\\((.*?)\\)");

    static UnreadableBody of(HttpMessageNotReadableException e) {
        if (!(e.getCause() instanceof JacksonException unreadable)) {
            return new UnreadableBody(BODY, "missing", "must be JSON");
        }
        String path = unreadable.getPath().stream()
                .map(JacksonException.Reference::getPropertyName)
                .collect(Collectors.joining("."));
        String name = path.isEmpty() ? BODY : path;
        if (unreadable instanceof InvalidFormatException wrong) {
            return new UnreadableBody(name, wrong.getValue(), type(wrong.getTargetType()));
        }
        if (unreadable instanceof MismatchedInputException wrong) {
            return new UnreadableBody(name, kind(wrong.getCurrentToken()), type(wrong.getTargetType()));
        }
        if (unreadable instanceof InputCoercionException wrong) {
            return new UnreadableBody(name, number(wrong), type(wrong.getTargetType()));
        }
        TokenStreamLocation place = unreadable.getLocation();
        return new UnreadableBody(
                BODY, "line " + place.getLineNr() + ", column " + place.getColumnNr(), "must be JSON");
    }

    /** Jackson has the number in the text of its message only. */
    private static String number(InputCoercionException e) {
        Matcher number = IN_PARENTHESES.matcher(e.getOriginalMessage());
        return number.find() ? number.group(1) : "number";
    }

    private static String kind(@Nullable JsonToken token) {
        if (token == null) {
            return "missing";
        }
        return switch (token) {
            case START_ARRAY -> "array";
            case START_OBJECT -> "object";
            case VALUE_NULL -> "null";
            case VALUE_STRING -> "text";
            case VALUE_TRUE, VALUE_FALSE -> "boolean";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "number";
            default -> "missing";
        };
    }

    static String type(@Nullable Class<?> type) {
        return "must be of type " + (type == null ? "text" : type.getSimpleName());
    }
}
