package io.stowline.ring;

import io.stowline.table.EntityKey;
import java.util.List;
import java.util.stream.Collectors;

/** Signals entities where no move has left any, and which a move would remove. Nothing of them was changed. */
public final class StrayEntitiesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<EntityKey> keys;

    /**
     * Creates the exception from the entities.
     *
     * @param table the table
     * @param place words for where they are
     * @param keys some of their keys
     */
    public StrayEntitiesException(String table, String place, List<EntityKey> keys) {
        super("the table " + OneLine.of(table) + " has entities " + OneLine.of(place) + ", such as "
                + keys.stream()
                        .map(key -> OneLine.of(key.partitionKey() + "/" + key.rowKey()))
                        .collect(Collectors.joining(", "))
                + ": write what is missing through the ring, and delete them there by client(account)");
        this.keys = List.copyOf(keys);
    }

    /**
     * Returns some of the keys.
     *
     * @return at most ten of a partition; unmodifiable, and empty after serialization
     */
    public List<EntityKey> keys() {
        return keys == null ? List.of() : keys;
    }
}
