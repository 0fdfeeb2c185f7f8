package io.stowline.benchmarks.side.stub;

/**
 * A part of a content.
 *
 * @param first the first byte
 * @param last the last byte, included
 */
record ByteRange(long first, long last) {

    long length() {
        return last - first + 1;
    }
}
