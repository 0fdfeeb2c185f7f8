package io.stowline.spring.boot.web;

import java.io.Serializable;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponse;

/**
 * An exception that ends a request with a problem of a {@link ProblemType}: of an argument that Stowline resolves, or thrown by the application.
 *
 * <pre>{@code
 * void check(int from, int to) {
 *     if (from > to) {
 *         throw ProblemException.invalid("from", from, "at most 'to', which is " + to);
 *     }
 * }
 * }</pre>
 */
public final class ProblemException extends RuntimeException implements ErrorResponse {

    private static final long serialVersionUID = 1L;

    private static final int MAX_SHOWN = 200;
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private final ProblemType type;
    private final String detail;
    private final @Nullable RefusedValue refused;

    private record RefusedValue(String name, Serializable value, String limit) implements Serializable {}

    /**
     * Creates the exception.
     *
     * @param type the type of the problem
     * @param detail what happened, as clients of the application may know it
     */
    public ProblemException(ProblemType type, String detail) {
        this(type, detail, null);
    }

    private ProblemException(ProblemType type, String detail, @Nullable RefusedValue refused) {
        super(printable(Objects.requireNonNull(detail, "detail")));
        this.type = Objects.requireNonNull(type, "type");
        this.detail = printable(detail);
        this.refused = refused;
    }

    /**
     * Returns the problem of a value that is not allowed. It has {@code name}, {@code value} and {@code limit} as properties.
     *
     * @param name the name of the parameter, header or property
     * @param value the value, of which 200 characters are shown; {@code null} if it is missing
     * @param limit what is allowed, such as {@code 1 to 1000}
     * @return the exception, of type {@link ProblemType#INVALID_INPUT}
     */
    public static ProblemException invalid(String name, @Nullable Object value, String limit) {
        Serializable shown = value instanceof Number number ? number : shown(String.valueOf(value));
        return new ProblemException(
                ProblemType.INVALID_INPUT,
                name + " must be " + limit + ", not " + shown,
                new RefusedValue(name, shown, limit));
    }

    private static String shown(String value) {
        return printable(value.length() <= MAX_SHOWN ? value : value.substring(0, MAX_SHOWN) + "..");
    }

    /** Control characters would forge lines of a log. */
    private static String printable(String text) {
        return UNPRINTABLE.matcher(text).replaceAll("?");
    }

    /**
     * Returns the type of the problem.
     *
     * @return the type
     */
    public ProblemType type() {
        return type;
    }

    @Override
    public HttpStatusCode getStatusCode() {
        return type.status();
    }

    /**
     * Returns the problem without its {@code type}, whose prefix is a setting of the application.
     *
     * @return status, title, detail and properties
     */
    @Override
    public ProblemDetail getBody() {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(type.status(), detail);
        problem.setTitle(type.title());
        if (refused != null) {
            problem.setProperty("name", refused.name());
            problem.setProperty("value", refused.value());
            problem.setProperty("limit", refused.limit());
        }
        return problem;
    }
}
