package io.stowline.testkit.internal.wire;

import org.jspecify.annotations.Nullable;

/**
 * The keys of the entity that an operation is about: from its address, or of an insert from its body.
 *
 * @param partitionKey {@code null} when it is not there
 * @param rowKey {@code null} when it is not there
 */
public record EntityKeys(
        @Nullable String partitionKey, @Nullable String rowKey) {

    private static final EntityKeys NONE = new EntityKeys(null, null);

    public static EntityKeys of(StorageRequest operation) {
        TableAddress address = operation.address();
        if (address.isEntity()) {
            return new EntityKeys(address.partitionKey(), address.rowKey());
        }
        return operation.method().equals("POST")
                ? operation.entity().map(EntityKeys::of).orElse(NONE)
                : NONE;
    }

    public boolean areComplete() {
        return partitionKey != null && rowKey != null;
    }

    private static EntityKeys of(EntityBody entity) {
        return new EntityKeys(
                entity.text("PartitionKey").orElse(null), entity.text("RowKey").orElse(null));
    }
}
