package io.stowline.table;

import java.util.Objects;

/**
 * The keys of one entity: its partition, and its row there.
 *
 * @param partitionKey the partition
 * @param rowKey the key there
 */
public record EntityKey(String partitionKey, String rowKey) {

    /**
     * Holds both keys. Whether the service allows them is checked where they are used.
     *
     * @param partitionKey the partition
     * @param rowKey the key there
     */
    public EntityKey {
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(rowKey, "rowKey");
    }
}
