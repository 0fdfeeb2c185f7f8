package io.stowline.blob;

/**
 * A range of a page blob's bytes, aligned to pages of 512 bytes.
 *
 * @param offset where it begins
 * @param length how many bytes it has
 */
public record PageRange(long offset, long length) {

    /**
     * Returns where the range ends.
     *
     * @return the first byte behind it
     */
    public long end() {
        return offset + length;
    }
}
