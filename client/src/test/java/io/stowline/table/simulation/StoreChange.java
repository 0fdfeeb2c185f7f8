package io.stowline.table.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.stowline.table.internal.request.EntityVerb;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One operation as its bytes ask for it.
 *
 * @param verb what is to be done
 * @param key the entity
 * @param ifMatch the version that it is for, {@code *} for any that is there, {@code null} for an upsert or insert
 * @param properties what it writes, without the keys
 * @param op the number of the operation of ours that it carries, 0 for none
 */
record StoreChange(
        EntityVerb verb, SimulatedKey key, @Nullable String ifMatch, Map<String, JsonNode> properties, int op) {

    StoreChange of(int number) {
        return new StoreChange(verb, key, ifMatch, properties, number);
    }

    @Override
    public String toString() {
        return verb + " " + key + (op == 0 ? "" : " #" + op) + (ifMatch == null ? "" : " if " + ifMatch);
    }
}
