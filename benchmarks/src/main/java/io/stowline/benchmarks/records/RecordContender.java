package io.stowline.benchmarks.records;

/** A way to store records, which is measured in rounds. */
interface RecordContender extends AutoCloseable {

    /**
     * Stores records, and returns when all of them are stored.
     *
     * @param records how many
     * @return how many requests it took
     */
    long store(int records) throws Exception;

    @Override
    void close();
}
