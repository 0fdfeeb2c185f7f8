package io.stowline.table;

/**
 * Where an entity's index row stands.
 *
 * @param index the index
 * @param partitionKey the row's partition
 * @param rowKey its key there
 */
record IndexKey(Index<?> index, String partitionKey, String rowKey) {

    boolean elsewhere() {
        return index.kind() == Index.Kind.ELSEWHERE;
    }

    boolean unique() {
        return index.kind() == Index.Kind.UNIQUE;
    }
}
