package io.stowline.table.simulation;

/** The key of an entity. */
record SimulatedKey(String partition, String row) {

    @Override
    public String toString() {
        return partition + "/" + row;
    }
}
