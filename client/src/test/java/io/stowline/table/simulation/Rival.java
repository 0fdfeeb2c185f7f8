package io.stowline.table.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.stowline.table.internal.request.EntityVerb;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** The writes of another client to the same entities. */
final class Rival {

    private Rival() {}

    static StoreChange change(Random random, SimulatedKey key, SimulatedStore.@Nullable Row row) {
        return switch (random.nextInt(5)) {
            case 0 -> new StoreChange(EntityVerb.DELETE, key, "*", Map.of(), 0);
            case 1 -> new StoreChange(EntityVerb.INSERT, key, null, own(random), 0);
            case 2 ->
                new StoreChange(EntityVerb.INSERT_OR_MERGE, key, null, Map.of("Theirs", TextNode.valueOf("x")), 0);
            case 3 -> new StoreChange(EntityVerb.INSERT_OR_REPLACE, key, null, copied(row), 0);
            default -> new StoreChange(EntityVerb.INSERT_OR_REPLACE, key, null, own(random), 0);
        };
    }

    private static Map<String, JsonNode> own(Random random) {
        return Map.of("Theirs", TextNode.valueOf(Integer.toString(random.nextInt())));
    }

    /** Reads and writes back what it has read, our mark left out as by a client that does not know it. */
    private static Map<String, JsonNode> copied(SimulatedStore.@Nullable Row row) {
        Map<String, JsonNode> copy = new LinkedHashMap<>(row == null ? Map.of() : row.properties());
        copy.remove("StowlineWrite");
        return copy;
    }
}
