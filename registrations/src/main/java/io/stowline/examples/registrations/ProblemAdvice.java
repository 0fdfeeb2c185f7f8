package io.stowline.examples.registrations;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.bind.annotation.ExceptionHandler;
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

/**
 * An advice that turns failures into problem details. The response of the storage service stays in the log; the problem
 * has the client request id, under which the log has it.
 */
@RestControllerAdvice
class ProblemAdvice extends ResponseEntityExceptionHandler {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

    @ExceptionHandler
    ResponseEntity<ProblemDetail> storage(StorageException e) {
        ProblemType type = ProblemType.of(e);
        log(type, e);
        ProblemDetail problem = type.problem(type.detail());
        problem.setProperty("operation", e.failure().operation());
        problem.setProperty("clientRequestId", e.failure().clientRequestId());
        if (e instanceof OutcomeUnknownException unknown) {
            problem.setProperty("attempts", e.failure().attempts());
            problem.setProperty("unansweredAttempts", e.failure().unansweredAttempts());
            problem.setProperty("readBack", unknown.readBackDetail());
            problem.setProperty("mayBecomeKnown", unknown.mayBecomeKnown());
        }
        return response(type, problem, e.failure().retryAfter());
    }

    @ExceptionHandler
    ResponseEntity<ProblemDetail> other(RuntimeException e) {
        ProblemType type = ProblemType.of(e);
        log(type, e);
        return response(type, type.problem(type.detail()), null);
    }

    private static void log(ProblemType type, RuntimeException e) {
        LOG.atLevel(type == ProblemType.INTERNAL ? Level.ERROR : Level.INFO)
                .setCause(e)
                .log("A request ends with {}", type);
    }

    private static ResponseEntity<ProblemDetail> response(
            ProblemType type, ProblemDetail problem, @Nullable Duration retryAfter) {
        ResponseEntity.BodyBuilder response = ResponseEntity.status(type.status());
        if (type.status() == HttpStatus.SERVICE_UNAVAILABLE) {
            response.header(
                    HttpHeaders.RETRY_AFTER,
                    retryAfter == null
                            ? ProblemType.RETRY_SECONDS
                            : String.valueOf(retryAfter.plusMillis(999).toSeconds()));
        }
        return response.body(problem);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(
            MethodArgumentNotValidException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<Map<String, String>> errors = e.getBindingResult().getFieldErrors().stream()
                .map(error -> error(error.getField(), error.getRejectedValue(), error.getDefaultMessage()))
                .toList();
        return invalid(e, errors, headers, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
            HandlerMethodValidationException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        List<Map<String, String>> errors = e.getParameterValidationResults().stream()
                .flatMap(result -> result.getResolvableErrors().stream()
                        .map(error -> error instanceof FieldError field
                                ? error(field.getField(), field.getRejectedValue(), field.getDefaultMessage())
                                : error(
                                        Objects.requireNonNullElse(
                                                result.getMethodParameter().getParameterName(), "parameter"),
                                        result.getArgument(),
                                        error.getDefaultMessage())))
                .toList();
        return invalid(e, errors, headers, request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleMissingServletRequestParameter(
            MissingServletRequestParameterException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return invalid(
                e,
                List.of(error(e.getParameterName(), "missing", "must be of type " + e.getParameterType())),
                headers,
                request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleTypeMismatch(
            TypeMismatchException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        return invalid(
                e,
                List.of(error(e.getPropertyName(), e.getValue(), UnreadableBody.type(e.getRequiredType()))),
                headers,
                request);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException e, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        UnreadableBody body = UnreadableBody.of(e);
        return invalid(e, List.of(error(body.name(), body.value(), body.limit())), headers, request);
    }

    private @Nullable ResponseEntity<Object> invalid(
            Exception e, List<Map<String, String>> errors, HttpHeaders headers, WebRequest request) {
        ProblemType type = ProblemType.INVALID_INPUT;
        ProblemDetail problem = type.problem(type.detail());
        problem.setProperty("errors", errors);
        return handleExceptionInternal(e, problem, headers, type.status(), request);
    }

    private static Map<String, String> error(@Nullable String name, @Nullable Object value, @Nullable String limit) {
        return Map.of("name", String.valueOf(name), "value", ProblemType.shown(value), "limit", String.valueOf(limit));
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
