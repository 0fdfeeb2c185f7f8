package io.stowline.table.simulation;

/** Which entity. */
record SimulatedKey(String partition, String row) {

    @Override
    public String toString() {
        return partition + "/" + row;
    }
}
