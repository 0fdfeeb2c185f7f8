package io.stowline.table.internal;

import io.stowline.outcome.Marking;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Collects the properties of a row that no Java type describes, by the types that the service sends along. The mark of a write is none
 * of them. For one thread.
 */
final class AnyProperties {

    private final Map<String, String> types = new HashMap<>();
    private Map<String, Object> values = new LinkedHashMap<>();
    private @Nullable String mark;

    /** Takes the service's word for a property's type; as a rule it comes before the property. */
    void typed(String property, String type) throws IOException {
        Object early = values.get(property);
        if (early == null) {
            types.put(property, type);
        } else {
            values.put(property, AnyProperty.read(property, early.toString(), type));
        }
    }

    /** Takes a property: passes over its value, which is of that kind. */
    void property(String name, JsonCursor.Kind kind, JsonCursor json) throws IOException {
        if (name.equals(Marking.PROPERTY)) {
            mark = kind == JsonCursor.Kind.STRING ? json.string() : skipped(json);
            return;
        }
        String type = types.remove(name);
        switch (kind) {
            case STRING -> values.put(name, AnyProperty.read(name, json.string(), type));
            case NUMBER -> values.put(name, AnyProperty.read(name, json.number(), type));
            case BOOLEAN -> values.put(name, json.bool());
            case NULL -> {
                json.skip();
                values.remove(name);
            }
            default -> throw new IOException("property " + name + " holds " + kind + ", which no property type is");
        }
    }

    private static @Nullable String skipped(JsonCursor json) throws IOException {
        json.skip();
        return null;
    }

    /** The mark of the write that the row stems from; to be asked before {@link #take}. */
    @Nullable
    String mark() {
        return mark;
    }

    /** What was collected, for the caller to keep; then nothing is. */
    Map<String, Object> take() {
        Map<String, Object> taken = values;
        values = new LinkedHashMap<>();
        types.clear();
        mark = null;
        return taken;
    }
}
