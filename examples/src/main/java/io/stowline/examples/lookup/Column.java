package io.stowline.examples.lookup;

/**
 * What looking up one kind of thing came to.
 *
 * @param tally the reads
 * @param requests the requests that were made for them
 * @param bytes the bytes that came over the wire for them
 * @param answer the bytes of one answer without the cache
 */
record Column(Tally tally, long requests, long bytes, long answer) {

    long saved() {
        return tally.reads() - requests;
    }

    long kilobytes() {
        return bytes >> 10;
    }

    long kilobytesSaved() {
        return (tally.reads() * answer - bytes) >> 10;
    }
}
