package io.stowline.benchmarks.correctness;

/** The keys of an entity. */
record Key(String partition, String row) {

    /** The opposite of {@link #toString}. */
    static Key of(String text) {
        int slash = text.indexOf('/');
        return new Key(text.substring(0, slash), text.substring(slash + 1));
    }

    @Override
    public String toString() {
        return partition + "/" + row;
    }
}
