package io.stowline.testkit.internal.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JSON object of an entity, read in one pass.
 *
 * @param properties the properties in order, the keys and the Timestamp among them, annotations not
 * @param repeated the names that stand there more than once
 */
public record EntityBody(List<BodyProperty> properties, Set<String> repeated) {

    private static final String TYPE = "@odata.type";
    private static final String CONTROL = "odata.";

    /** The kinds of JSON value. */
    public enum JsonKind {
        TEXT,
        INTEGER,
        FRACTION,
        BOOLEAN,
        NULL,
        NESTED
    }

    /**
     * A property.
     *
     * @param kind the kind of its value
     * @param text the value as text; empty for a nested one
     * @param type the type from its annotation, {@code null} without one
     */
    public record BodyProperty(
            String name,
            JsonKind kind,
            String text,
            @Nullable String type) {

        public boolean isSystem() {
            return isKey() || name.equals("Timestamp");
        }

        public boolean isKey() {
            return name.equals("PartitionKey") || name.equals("RowKey");
        }
    }

    /** Reads an entity; empty when the body is no JSON object. */
    public static Optional<EntityBody> of(Bytes body) {
        if (body.isEmpty()) {
            return Optional.empty();
        }
        try (JsonParser json = body.json()) {
            return json.nextToken() == JsonToken.START_OBJECT ? Optional.of(new Reader(json).read()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Nullable
    public BodyProperty find(String name) {
        for (BodyProperty property : properties) {
            if (property.name().equals(name)) {
                return property;
            }
        }
        return null;
    }

    /** Returns the text of a property; empty when it is not there, or is no string. */
    public Optional<String> text(String name) {
        BodyProperty property = find(name);
        return property == null || property.kind() != JsonKind.TEXT ? Optional.empty() : Optional.of(property.text());
    }

    private static final class Reader {

        private final JsonParser json;
        private final List<BodyProperty> values = new ArrayList<>();
        private final Map<String, String> types = new HashMap<>();
        private final Set<String> names = new HashSet<>();
        private final Set<String> repeated = new HashSet<>();

        Reader(JsonParser json) {
            this.json = json;
        }

        EntityBody read() throws IOException {
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                json.nextToken();
                if (name.endsWith(TYPE)) {
                    types.put(name.substring(0, name.length() - TYPE.length()), json.getText());
                    json.skipChildren();
                } else if (name.startsWith(CONTROL) || name.contains("@" + CONTROL)) {
                    json.skipChildren();
                } else {
                    value(name);
                }
            }
            // An annotation may stand behind its property.
            return new EntityBody(values.stream().map(this::typed).toList(), repeated);
        }

        private void value(String name) throws IOException {
            JsonKind kind = kind(json.currentToken());
            String text = kind == JsonKind.NESTED ? "" : json.getText();
            json.skipChildren();
            if (!names.add(name)) {
                repeated.add(name);
            }
            values.add(new BodyProperty(name, kind, text, null));
        }

        private BodyProperty typed(BodyProperty property) {
            String type = types.get(property.name());
            return type == null ? property : new BodyProperty(property.name(), property.kind(), property.text(), type);
        }

        private static JsonKind kind(JsonToken token) {
            return switch (token) {
                case VALUE_STRING -> JsonKind.TEXT;
                case VALUE_NUMBER_INT -> JsonKind.INTEGER;
                case VALUE_NUMBER_FLOAT -> JsonKind.FRACTION;
                case VALUE_TRUE, VALUE_FALSE -> JsonKind.BOOLEAN;
                case VALUE_NULL -> JsonKind.NULL;
                default -> JsonKind.NESTED;
            };
        }
    }
}
