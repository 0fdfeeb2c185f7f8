package io.stowline.transport.internal.http;

import com.azure.core.http.HttpResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The failure of a connection whose bytes are not the response to this request: this request has none (OUTCOME-0). */
public final class StrayResponseException extends IOException {

    private static final long serialVersionUID = 1L;
    private static final String VERSION = "HTTP/1.";
    /** Any other text may be a header with a secret, in the wrong place. */
    private static final Pattern ID = Pattern.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    private StrayResponseException(String message) {
        super(message);
    }

    public static StrayResponseException other(String sent, String echoed) {
        String shown = ID.matcher(echoed).matches() ? echoed : "a text that is no id (not shown)";
        return new StrayResponseException(
                "the response is to another request: its x-ms-client-request-id is " + shown + " instead of " + sent);
    }

    public static StrayResponseException early(int status) {
        return new StrayResponseException(
                "the response " + status + " is not to this request: it came before the request was written whole");
    }

    public static StrayResponseException glued(int status) {
        return new StrayResponseException("the response " + status
                + " is not to this request: its head is the beginning of one response and the whole of another");
    }

    /** Returns the fault of a response's id, or {@code null}. */
    public static @Nullable StrayResponseException against(@Nullable String sent, @Nullable String echoed) {
        return sent == null || echoed == null || echoed.equalsIgnoreCase(sent) ? null : other(sent, echoed);
    }

    /** Returns the fault of a response over another HTTP client, or {@code null}. */
    public static @Nullable StrayResponseException against(HttpResponse response) {
        return against(
                DirectRequest.header(response.getRequest(), StorageResponse.CLIENT_REQUEST_ID),
                response.getHeaderValue(StorageResponse.CLIENT_REQUEST_ID));
    }

    /**
     * Returns whether a status line stands within a text: {@code HTTP/1.1 409}, but not {@code HTTP/1.1 gateway} as in
     * {@code Via}.
     */
    public static boolean statusLine(String text) {
        for (int at = text.indexOf(VERSION); at >= 0; at = text.indexOf(VERSION, at + 1)) {
            int code = at + VERSION.length() + 2;
            if (code + 2 < text.length()
                    && text.charAt(code - 1) == ' '
                    && Character.isDigit(text.charAt(code))
                    && Character.isDigit(text.charAt(code + 1))
                    && Character.isDigit(text.charAt(code + 2))) {
                return true;
            }
        }
        return false;
    }
}
