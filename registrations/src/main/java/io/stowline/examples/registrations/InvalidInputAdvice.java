package io.stowline.examples.registrations;

import io.stowline.spring.boot.web.ProblemType;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;

/** An advice that names the parameters and properties of a request that are not allowed, each with its value and its limit. */
@RestControllerAdvice
class InvalidInputAdvice extends ResponseEntityExceptionHandler {

    private static final int SHOWN_CHARACTERS = 200;

    @Override
    protected @Nullable ResponseEntity<Object> handleExceptionInternal(
            Exception e, @Nullable Object body, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        ProblemType type = ProblemType.INVALID_INPUT;
        List<Map<String, String>> errors = errors(e).toList();
        if (errors.isEmpty() || !status.isSameCodeAs(type.status())) {
            return super.handleExceptionInternal(e, body, headers, status, request);
        }
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, "see errors for names, values and limits");
        problem.setType(URI.create("/problems/invalid-input"));
        problem.setTitle(type.title());
        problem.setProperty("errors", errors);
        return super.handleExceptionInternal(e, problem, headers, status, request);
    }

    private static Stream<Map<String, String>> errors(Exception e) {
        if (e instanceof MethodArgumentNotValidException invalid) {
            return invalid.getBindingResult().getFieldErrors().stream().map(InvalidInputAdvice::error);
        }
        if (e instanceof HandlerMethodValidationException invalid) {
            return invalid.getParameterValidationResults().stream().flatMap(InvalidInputAdvice::errors);
        }
        if (e instanceof MissingServletRequestParameterException missing) {
            return Stream.of(
                    error(missing.getParameterName(), "missing", "must be of type " + missing.getParameterType()));
        }
        if (e instanceof TypeMismatchException wrong) {
            return Stream.of(
                    error(wrong.getPropertyName(), wrong.getValue(), UnreadableBody.type(wrong.getRequiredType())));
        }
        if (e instanceof HttpMessageNotReadableException unreadable) {
            UnreadableBody body = UnreadableBody.of(unreadable);
            return Stream.of(error(body.name(), body.value(), body.limit()));
        }
        return Stream.empty();
    }

    private static Stream<Map<String, String>> errors(ParameterValidationResult result) {
        String name = Objects.requireNonNullElse(result.getMethodParameter().getParameterName(), "parameter");
        return result.getResolvableErrors().stream()
                .map(error -> error instanceof FieldError field
                        ? error(field)
                        : error(name, result.getArgument(), error.getDefaultMessage()));
    }

    private static Map<String, String> error(FieldError error) {
        return error(error.getField(), error.getRejectedValue(), error.getDefaultMessage());
    }

    private static Map<String, String> error(@Nullable String name, @Nullable Object value, @Nullable String limit) {
        return Map.of("name", String.valueOf(name), "value", shown(value), "limit", String.valueOf(limit));
    }

    /** Returns a value for problems and reports: not longer than 200 characters. */
    static String shown(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() <= SHOWN_CHARACTERS ? text : text.substring(0, SHOWN_CHARACTERS) + "..";
    }

    /**
     * The fault of an unreadable body.
     *
     * @param name the property, or {@code body}
     * @param value the value, its kind, or its place
     * @param limit the allowed values
     */
    private record UnreadableBody(String name, @Nullable Object value, String limit) {

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
}
