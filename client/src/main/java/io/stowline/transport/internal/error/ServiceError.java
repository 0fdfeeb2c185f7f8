package io.stowline.transport.internal.error;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.error.internal.StatusMeaning;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.http.StorageResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The refusal of a service, be it the whole response or one part of a batch's response.
 *
 * @param status the HTTP status
 * @param code the service's error code, from the header or the body
 * @param message the service's text, in one line
 * @param index the operation of a batch that the text names, or -1
 * @param hint the time to wait, if the service gave one
 * @param date the service's clock, if it gave one
 * @param challenge the demand of a refusal in {@code WWW-Authenticate}
 */
public record ServiceError(
        int status,
        @Nullable String code,
        String message,
        int index,
        @Nullable Duration hint,
        @Nullable Instant date,
        @Nullable String requestId,
        @Nullable String challenge) {

    private static final Pattern PLAIN = Pattern.compile("[\\w.-]{1,128}");
    private static final HttpHeaderName ERROR_CODE = HttpHeaderName.fromString("x-ms-error-code");
    private static final HttpHeaderName RETRY_AFTER_MS = HttpHeaderName.fromString("retry-after-ms");
    private static final HttpHeaderName MS_RETRY_AFTER_MS = HttpHeaderName.fromString("x-ms-retry-after-ms");

    /**
     * Reads the refusal of a request, whose proof it may repeat.
     *
     * @param now the client's clock, for a hint that is given as a date in a response that has no date
     */
    public static ServiceError of(StorageResponse response, Instant now) {
        return of(response.status(), response.headers(), response.text(), response::masked, now);
    }

    /**
     * Reads the refusal of one operation of a batch.
     *
     * @param whole the response to the batch, whose request may be repeated
     * @param headers the part's
     * @param body the part's, in JSON, XML or anything else
     * @param now the client's clock, for a hint that is given as a date in a response that has no date
     */
    public static ServiceError ofPart(
            StorageResponse whole, int status, HttpHeaders headers, String body, Instant now) {
        return of(status, StorageResponse.Headers.of(headers), body, whole::masked, now);
    }

    private static ServiceError of(
            int status, StorageResponse.Headers headers, String body, UnaryOperator<String> masked, Instant now) {
        ErrorBody parsed = ErrorBody.parse(masked.apply(body));
        String challenge = headers.value(HttpHeaderName.WWW_AUTHENTICATE);
        String millis = headers.value(RETRY_AFTER_MS);
        Instant date = HttpDates.parse(headers.value(HttpHeaderName.DATE));
        return new ServiceError(
                status,
                named(plain(headers, ERROR_CODE, masked), parsed),
                Redaction.of(parsed.message()),
                parsed.index(),
                HttpDates.hint(
                        millis != null ? millis : headers.value(MS_RETRY_AFTER_MS),
                        headers.value(HttpHeaderName.RETRY_AFTER),
                        date == null ? now : date),
                date,
                requestId(plain(headers, StorageResponse.REQUEST_ID, masked), parsed),
                challenge == null ? null : masked.apply(challenge));
    }

    private static @Nullable String requestId(@Nullable String header, ErrorBody body) {
        return header == null ? body.requestId() : header;
    }

    private static @Nullable String named(@Nullable String header, ErrorBody body) {
        return header == null ? body.code() : header;
    }

    private static @Nullable String plain(
            StorageResponse.Headers headers, HttpHeaderName name, UnaryOperator<String> masked) {
        String value = plain(headers.value(name));
        return value == null ? null : plain(masked.apply(value));
    }

    /** Returns a code or an id, if it is one: it goes into messages and logs unchanged. */
    static @Nullable String plain(@Nullable String name) {
        return name != null && PLAIN.matcher(name).matches() ? name : null;
    }

    /** Returns whether the service does not speak the version that the request named. */
    public boolean refusesVersion() {
        return status == 400
                && is("InvalidHeaderValue")
                && (message.contains("(header x-ms-version)") || message.startsWith("The API version "));
    }

    /** Returns the meaning of its status and code. */
    public StatusMeaning meaning() {
        return StatusMeaning.of(status, code);
    }

    public boolean is(String expected) {
        return expected.equals(code);
    }
}
