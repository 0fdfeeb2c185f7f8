package io.stowline.transport.internal.http;

import com.azure.core.http.HttpResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What came over the connection is not the answer to this request: of this request there is none (OUTCOME-0). */
public final class StrayResponseException extends IOException {

    private static final long serialVersionUID = 1L;
    private static final String VERSION = "HTTP/1.";
    /** Anything else may be a header that holds a secret, in the wrong place. */
    private static final Pattern ID = Pattern.compile("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

    private StrayResponseException(String message) {
        super(message);
    }

    public static StrayResponseException other(String sent, String echoed) {
        String shown = ID.matcher(echoed).matches() ? echoed : "a text that is no id (not shown)";
        return new StrayResponseException(
                "the answer is to another request: its x-ms-client-request-id is " + shown + " instead of " + sent);
    }

    public static StrayResponseException early(int status) {
        return new StrayResponseException(
                "the answer " + status + " is not to this request: it came before the request was written whole");
    }

    public static StrayResponseException glued(int status) {
        return new StrayResponseException("the answer " + status
                + " is not to this request: its head is the beginning of one answer and the whole of another");
    }

    /** What is wrong with the id of an answer, or {@code null}. */
    public static @Nullable StrayResponseException against(@Nullable String sent, @Nullable String echoed) {
        return sent == null || echoed == null || echoed.equalsIgnoreCase(sent) ? null : other(sent, echoed);
    }

    /** The same of an answer over an HTTP client that is not ours. */
    public static @Nullable StrayResponseException against(HttpResponse response) {
        return against(
                response.getRequest().getHeaders().getValue(StorageResponse.CLIENT_REQUEST_ID),
                response.getHeaderValue(StorageResponse.CLIENT_REQUEST_ID));
    }

    /** Whether a status line stands within a text: {@code HTTP/1.1 409}, but not {@code HTTP/1.1 gateway} as in {@code Via}. */
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
