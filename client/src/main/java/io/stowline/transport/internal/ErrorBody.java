package io.stowline.transport.internal;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The body of an error answer. The table service writes {@code {"odata.error":{"code":…,"message":{"value":…}}}}, but answers some
 * requests in XML all the same, and proxies answer in HTML or nothing.
 */
record ErrorBody(@Nullable String code, String message, int index) {

    private static final int LONGEST = 300;
    private static final Pattern XML_CODE = Pattern.compile("<(?:\\w+:)?[Cc]ode>([^<]*)<");
    private static final Pattern XML_MESSAGE = Pattern.compile("<(?:\\w+:)?[Mm]essage[^>]*>([^<]*)<");
    private static final Pattern INDEX = Pattern.compile("^(\\d{1,5}):");

    static ErrorBody parse(String body) {
        String text = body.strip();
        if (text.isEmpty()) {
            return new ErrorBody(null, "the answer has no body", -1);
        }
        if (text.startsWith("{")) {
            try (JsonReader reader = JsonProviders.createReader(text)) {
                Fields fields = new Fields();
                fields.collect(reader);
                return fields.code == null && fields.message == null
                        ? unreadable(text)
                        : of(fields.code, fields.message);
            } catch (IOException | IllegalStateException e) {
                return unreadable(text);
            }
        }
        String code = first(XML_CODE, text);
        String message = first(XML_MESSAGE, text);
        return code == null && message == null ? unreadable(text) : of(code, message);
    }

    private static ErrorBody of(@Nullable String code, @Nullable String message) {
        String text = message == null ? "" : message;
        Matcher index = INDEX.matcher(text);
        return new ErrorBody(
                code == null || code.isEmpty() ? null : code,
                oneLine(text),
                index.find() ? Integer.parseInt(index.group(1)) : -1);
    }

    private static ErrorBody unreadable(String text) {
        return new ErrorBody(null, "the answer says: " + oneLine(text), -1);
    }

    /** The text up to the "RequestId:" and "Time:" lines that the service appends; they are told apart elsewhere. */
    private static String oneLine(String text) {
        int end = text.indexOf("\nRequestId:");
        String line = (end < 0 ? text : text.substring(0, end))
                .replaceAll("\\s+", " ")
                .strip();
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }

    private static @Nullable String first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : null;
    }

    /** The first "code" and the first text of "message" (or its "value") at any depth. */
    private static final class Fields {
        private @Nullable String code;
        private @Nullable String message;

        void collect(JsonReader reader) throws IOException {
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

        private void take(String field, String value) {
            if (code == null && field.equalsIgnoreCase("code")) {
                code = value;
            } else if (message == null && (field.equalsIgnoreCase("message") || field.equals("value"))) {
                message = value;
            }
        }
    }
}
