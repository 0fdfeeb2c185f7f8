package io.stowline.testkit.memory;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.stowline.testkit.memory.EdmProperty.EdmKind;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Entities in the JSON of the table service. */
final class EntityJson {

    private static final JsonFactory FACTORY = new JsonFactory();
    private static final String TYPE = "@odata.type";

    private EntityJson() {}

    /**
     * Reads an entity. A property that is null is left out, as the service does.
     *
     * @throws RefusedOperation if it is no entity
     */
    static Map<String, EdmProperty> read(byte[] json) {
        Map<String, String> types = new HashMap<>();
        Map<String, Object> values = new LinkedHashMap<>();
        try (JsonParser parser = FACTORY.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw invalid("the body is no JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                JsonToken token = parser.nextToken();
                if (name.endsWith(TYPE)) {
                    types.put(name.substring(0, name.length() - TYPE.length()), parser.getText());
                } else if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
                    throw invalid("the property " + name + " is an object or an array");
                } else if (token != JsonToken.VALUE_NULL && !name.startsWith("odata.")) {
                    values.put(name, token.isNumeric() ? EdmProperty.number(parser.getText()) : text(parser, token));
                }
            }
        } catch (IOException e) {
            throw invalid("the body is no JSON");
        }
        Map<String, EdmProperty> entity = new LinkedHashMap<>();
        values.forEach((name, value) -> entity.put(name, property(value, types.get(name))));
        return entity;
    }

    private static Object text(JsonParser parser, JsonToken token) throws IOException {
        return token.isBoolean()
                ? new EdmProperty(EdmKind.BOOLEAN, parser.getBooleanValue())
                : EdmProperty.text(parser.getText());
    }

    private static EdmProperty property(Object value, @Nullable String type) {
        EdmProperty plain = (EdmProperty) value;
        EdmKind kind = type == null ? plain.type() : EdmKind.of(type);
        return kind == plain.type() ? plain : EdmProperty.of(kind, plain.value().toString());
    }

    private static RefusedOperation invalid(String why) {
        return new RefusedOperation(400, "InvalidInput", "An error occurred while processing this request: " + why);
    }

    /**
     * Writes an entity.
     *
     * @param names the properties that are wanted, or {@code null} for all
     * @param annotated whether types and ETag are written, as with minimal metadata
     */
    static String write(
            Map<String, EdmProperty> entity, @Nullable Set<String> names, boolean annotated, @Nullable String etag) {
        StringBuilder json = new StringBuilder("{");
        if (annotated && etag != null) {
            field(json, "odata.etag", quoted(etag));
        }
        entity.forEach((name, property) -> {
            if (names == null || names.contains(name)) {
                if (annotated && property.needsAnnotation() && !name.equals("Timestamp")) {
                    field(json, name + TYPE, quoted(property.type().wireName()));
                }
                field(json, name, property.json());
            }
        });
        return json.append('}').toString();
    }

    private static void field(StringBuilder json, String name, String value) {
        json.append(json.length() == 1 ? "" : ",")
                .append(quoted(name))
                .append(':')
                .append(value);
    }

    static String quoted(String text) {
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
    }
}
