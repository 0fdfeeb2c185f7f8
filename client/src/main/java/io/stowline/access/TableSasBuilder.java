package io.stowline.access;

/**
 * A builder of signatures for the entities of one table, or a range of their keys. The table itself is not created or deleted by them. A query gives only
 * entities of the range; a write outside it is refused.
 *
 * @param <R> the result of signing
 */
public interface TableSasBuilder<R> extends SasBuilder<TableSasBuilder<R>, R> {

    /**
     * Allows reading entities and querying.
     *
     * @return this builder
     */
    TableSasBuilder<R> canQuery();

    /**
     * Allows inserting new entities.
     *
     * @return this builder
     */
    TableSasBuilder<R> canInsert();

    /**
     * Allows changing entities that are there.
     *
     * @return this builder
     */
    TableSasBuilder<R> canUpdate();

    /**
     * Allows {@code insertOrReplace} and {@code insertOrMerge}, which need both the permission to insert and that to update.
     *
     * @return this builder
     */
    default TableSasBuilder<R> canUpsert() {
        return canInsert().canUpdate();
    }

    /**
     * Allows deleting entities.
     *
     * @return this builder
     */
    TableSasBuilder<R> canDelete();

    /**
     * Bounds the access to one partition.
     *
     * @param partitionKey its key
     * @return this builder
     */
    default TableSasBuilder<R> partition(String partitionKey) {
        return partitions(partitionKey, partitionKey);
    }

    /**
     * Bounds the access to a range of partitions.
     *
     * @param first the first partition key
     * @param last the last one, which belongs to the range
     * @return this builder
     * @throws IllegalArgumentException if the range is empty
     */
    TableSasBuilder<R> partitions(String first, String last);

    /**
     * Bounds the access to a range of keys, which begins in the first partition and ends in the last one.
     *
     * @param firstPartitionKey the partition key of the first entity
     * @param firstRowKey its row key
     * @param lastPartitionKey the partition key of the last entity
     * @param lastRowKey its row key; the entity belongs to the range
     * @return this builder
     * @throws IllegalArgumentException if the range is empty
     */
    TableSasBuilder<R> entities(
            String firstPartitionKey, String firstRowKey, String lastPartitionKey, String lastRowKey);

    /**
     * Signs for a stored access policy of the table; see {@link BlobServiceSasBuilder#byPolicy}.
     *
     * @param policy its identifier
     * @return this builder
     * @throws IllegalArgumentException if it is empty or longer than 64 characters
     */
    TableSasBuilder<R> byPolicy(String policy);
}
