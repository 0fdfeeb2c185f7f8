package io.stowline.testkit.internal;

import java.util.Locale;

/** The bodies in which the services tell what went wrong. */
public final class ServiceErrorBody {

    private ServiceErrorBody() {}

    /**
     * Returns an error in the form of the blob and the queue service.
     *
     * @param code the error code
     * @param message the text
     * @return an XML document
     */
    public static String xml(String code, String message) {
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?><Error><Code>" + escapedXml(code) + "</Code><Message>"
                + escapedXml(message) + "</Message></Error>";
    }

    /**
     * Returns an error in the form of the table service.
     *
     * @param code the error code
     * @param message the text
     * @return a JSON document
     */
    public static String json(String code, String message) {
        return "{\"odata.error\":{\"code\":\"" + escapedJson(code) + "\",\"message\":{\"lang\":\"en-US\",\"value\":\""
                + escapedJson(message) + "\"}}}";
    }

    private static String escapedXml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String escapedJson(String text) {
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                escaped.append('\\').append((char) c);
            } else if (c < ' ') {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", c));
            } else {
                escaped.append((char) c);
            }
        });
        return escaped.toString();
    }
}
