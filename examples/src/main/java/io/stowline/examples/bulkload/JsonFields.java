package io.stowline.examples.bulkload;

import com.azure.json.JsonProviders;
import com.azure.json.JsonReader;
import com.azure.json.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/** The values of a JSON object; arrays and objects inside it are their JSON as text, and nulls are left out. */
final class JsonFields {

    private JsonFields() {}

    /**
     * Reads one object.
     *
     * @throws IOException if the text is not one whole object; the message has one line
     */
    static Map<String, Object> parse(String text) throws IOException {
        try (JsonReader json = JsonProviders.createReader(text)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object");
            }
            Map<String, Object> values = fields(json);
            if (json.nextToken() != JsonToken.END_DOCUMENT) {
                throw new IOException("more text after the JSON object");
            }
            return values;
        } catch (IOException | RuntimeException e) {
            throw new IOException(firstLine(e), e);
        }
    }

    private static Map<String, Object> fields(JsonReader json) throws IOException {
        Map<String, Object> values = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            if (json.currentToken() != JsonToken.FIELD_NAME) {
                throw new IOException("the JSON object does not end");
            }
            String name = json.getFieldName();
            switch (json.nextToken()) {
                case STRING -> values.put(name, json.getString());
                case NUMBER -> values.put(name, new BigDecimal(json.getText()));
                case BOOLEAN -> values.put(name, json.getBoolean());
                case START_OBJECT, START_ARRAY -> values.put(name, json.readChildren());
                default -> values.remove(name);
            }
        }
        return values;
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("not JSON");
    }
}
