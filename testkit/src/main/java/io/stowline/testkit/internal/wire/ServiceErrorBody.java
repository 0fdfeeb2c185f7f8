package io.stowline.testkit.internal.wire;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.stowline.testkit.StorageService;
import io.stowline.testkit.StubResponse;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Body in which a service describes an error. */
public final class ServiceErrorBody {

    private ServiceErrorBody() {}

    /** Makes the response of a service that refuses. */
    public static StubResponse response(@Nullable StorageService service, int status, String code, String message) {
        return service == StorageService.TABLE
                ? StubResponse.tableError(status, code, message)
                : StubResponse.error(status, code, message);
    }

    /**
     * Writes the form of the blob and the queue service.
     *
     * @param more further elements by name
     */
    public static String xml(String code, String message, Map<String, String> more) {
        StringBuilder xml = new StringBuilder(XmlDocument.HEAD + "<Error>")
                .append(XmlDocument.element("Code", code))
                .append(XmlDocument.element("Message", message));
        more.forEach((name, text) -> xml.append(XmlDocument.element(name, text)));
        return xml.append("</Error>").toString();
    }

    /** Writes the form of the table service. */
    public static String json(String code, String message) {
        return "{\"odata.error\":{\"code\":" + quoted(code) + ",\"message\":{\"lang\":\"en-US\",\"value\":"
                + quoted(message) + "}}}";
    }

    private static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
