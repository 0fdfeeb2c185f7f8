package io.stowline.transport.internal.error;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import io.stowline.transport.internal.http.ResponseBounds;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error response. The table service writes {@code {"odata.error":{"code":…,"message":{"value":…}}}}, but
 * refuses some requests in XML all the same, and proxies send HTML or nothing. Only the beginning is read, once, from
 * left to right.
 */
record ErrorBody(
        @Nullable String code,
        String message,
        int index,
        @Nullable String requestId) {

    private static final String BYTE_ORDER_MARK = "\uFEFF";
    private static final String HEADER = "HeaderName";
    private static final int MAX = 300;
    private static final Pattern INDEX = Pattern.compile("^(\\d{1,5}):");
    private static final Pattern REQUEST_ID =
            Pattern.compile("RequestId:\\s*([0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\\b");

    static ErrorBody parse(String body) {
        int from = body.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
        String text = body.substring(from, Math.min(body.length(), from + ResponseBounds.ERROR_TEXT))
                .strip();
        ErrorBody parsed = read(text);
        // A front end of the service has its id in the text only.
        Matcher id = REQUEST_ID.matcher(text);
        return id.find() ? new ErrorBody(parsed.code, parsed.message, parsed.index, id.group(1)) : parsed;
    }

    private static ErrorBody read(String text) {
        if (text.isEmpty()) {
            return new ErrorBody(null, "the response has no body", -1, null);
        }
        Fields fields = new Fields();
        if (text.startsWith("{")) {
            try (JsonReader reader = JsonProviders.createReader(text)) {
                fields.json(reader);
            } catch (IOException | IllegalStateException e) {
                // The text may be cut: what stood before the fault counts.
                return fields.message == null ? unreadable(fields.code, text) : of(fields);
            }
        } else {
            fields.xml(text);
        }
        return fields.code == null && fields.message == null ? unreadable(null, text) : of(fields);
    }

    private static ErrorBody of(Fields fields) {
        String text = fields.message == null ? "" : fields.message;
        Matcher index = INDEX.matcher(text);
        String header = ServiceError.plain(fields.header);
        return new ErrorBody(
                ServiceError.plain(fields.code),
                oneLine(text) + (header == null ? "" : " (header " + header + ")"),
                index.find() ? Integer.parseInt(index.group(1)) : -1,
                null);
    }

    private static ErrorBody unreadable(@Nullable String code, String text) {
        return new ErrorBody(ServiceError.plain(code), "the response says: " + oneLine(text), -1, null);
    }

    /** Cut before the "RequestId:" and "Time:" lines that the service appends; they are reported elsewhere. */
    private static String oneLine(String text) {
        int end = text.indexOf("\nRequestId:");
        String line = (end < 0 ? text : text.substring(0, end))
                .replaceAll("\\s+", " ")
                .strip();
        return line.length() <= MAX ? line : line.substring(0, MAX) + "…";
    }

    /** The first "code", the first text of "message" (or its "value") and the first "HeaderName" at any depth. */
    private static final class Fields {
        private @Nullable String code;
        private @Nullable String message;
        private @Nullable String header;

        void json(JsonReader reader) throws IOException {
            String field = "";
            for (JsonToken token = reader.nextToken();
                    token != JsonToken.END_DOCUMENT && token != null;
                    token = reader.nextToken()) {
                if (token == JsonToken.FIELD_NAME) {
                    field = reader.getFieldName();
                } else if (token == JsonToken.STRING) {
                    take(field, reader.getString());
                }
            }
        }

        /** Elements that hold text only count, wherever they stand. */
        void xml(String text) {
            int end = text.indexOf('>');
            while (end >= 0 && (code == null || message == null || header == null)) {
                int next = text.indexOf('<', end);
                if (next < 0) {
                    return;
                }
                String name = name(text, text.lastIndexOf('<', end) + 1, end);
                if (name.equalsIgnoreCase("code")
                        || name.equalsIgnoreCase("message")
                        || name.equalsIgnoreCase(HEADER)) {
                    take(name, text.substring(end + 1, next));
                }
                end = text.indexOf('>', next);
            }
        }

        private static String name(String text, int from, int to) {
            int begin = from;
            int end = from;
            while (end < to && !Character.isWhitespace(text.charAt(end))) {
                if (text.charAt(end) == ':') {
                    begin = end + 1;
                }
                end++;
            }
            return text.substring(begin, end);
        }

        private void take(String field, String value) {
            if (code == null && field.equalsIgnoreCase("code")) {
                code = value;
            } else if (header == null && field.equalsIgnoreCase(HEADER)) {
                header = value;
            } else if (message == null && (field.equalsIgnoreCase("message") || field.equals("value"))) {
                message = value;
            }
        }
    }
}
