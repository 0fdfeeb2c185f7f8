package io.stowline.transport.internal;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An answer of the service that has arrived whole.
 *
 * @param status its status
 * @param headers its headers
 * @param body its body; empty if there is none
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier on the hot path; nobody compares answers
public record Answer(int status, HttpHeaders headers, byte[] body) {

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
        return headers.getValue(name);
    }
}
