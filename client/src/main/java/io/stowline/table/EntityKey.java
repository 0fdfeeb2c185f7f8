package io.stowline.table;

import io.stowline.error.internal.PrintableText;
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

    @Override
    public String toString() {
        return PrintableText.of("EntityKey[partitionKey=" + partitionKey + ", rowKey=" + rowKey + "]");
    }
}
