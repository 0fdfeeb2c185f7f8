package io.stowline.benchmarks.ledger;

/** The keys of an entity. */
record Key(String partition, String row) {

    @Override
    public String toString() {
        return partition + "/" + row;
    }
}
