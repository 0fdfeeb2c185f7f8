package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.stowline.transport.ReadOrigin;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the service that has arrived whole.
 *
 * @param status its status
 * @param headers its headers
 * @param body its body; empty if there is none
 * @param origin which of the account's places gave it
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier on the hot path; nobody compares answers
public record Answer(int status, Headers headers, byte[] body, ReadOrigin origin) {

    /** The headers, looked up where they are. */
    @FunctionalInterface
    public interface Headers {

        /**
         * One header.
         *
         * @param name its name
         * @return its value, or {@code null} if it is not there
         */
        @Nullable
        String value(HttpHeaderName name);
    }

    /**
     * An answer of the primary.
     *
     * @param status its status
     * @param headers its headers
     * @param body its body; empty if there is none
     */
    public Answer(int status, HttpHeaders headers, byte[] body) {
        this(status, headers::getValue, body, ReadOrigin.primary());
    }

    /**
     * The body as text.
     *
     * @return the text, read as UTF-8
     */
    public String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /**
     * One header.
     *
     * @param name its name
     * @return its value, or {@code null}; a header that is present and empty gives the empty string
     */
    public @Nullable String header(HttpHeaderName name) {
        return headers.value(name);
    }

    /**
     * The service's clock when it answered.
     *
     * @return the time, or {@code null} if it did not say
     */
    public @Nullable Instant date() {
        return HttpDates.parse(header(HttpHeaderName.DATE));
    }
}
