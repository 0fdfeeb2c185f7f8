package io.stowline.testkit.memory;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.stowline.testkit.internal.wire.EntityBody;
import io.stowline.testkit.internal.wire.EntityBody.BodyProperty;
import io.stowline.testkit.internal.wire.EntityBody.JsonKind;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Form of entities in the JSON of the table service. */
final class EntityJson {

    private static final String TYPE = "@odata.type";

    private EntityJson() {}

    /**
     * Returns the entity in the body of a request. A property that is null is left out, as the service does.
     *
     * @throws RefusedOperation if it is no entity
     */
    static Map<String, EdmProperty> read(StorageRequest request) {
        EntityBody body = request.entity().orElseThrow(() -> invalid("the body is no JSON object"));
        Map<String, EdmProperty> entity = new LinkedHashMap<>();
        for (BodyProperty property : body.properties()) {
            if (property.kind() == JsonKind.NESTED) {
                throw invalid("the property " + property.name() + " is an object or an array");
            }
            if (property.kind() != JsonKind.NULL) {
                entity.put(property.name(), EdmProperty.of(property));
            }
        }
        return entity;
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
