package io.stowline.table.simulation;

/** Which entity. */
record Key(String partition, String row) {

    @Override
    public String toString() {
        return partition + "/" + row;
    }
}
