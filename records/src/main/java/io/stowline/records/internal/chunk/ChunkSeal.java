package io.stowline.records.internal.chunk;

import java.util.Objects;

/**
 * The bytes of a chunk as they are sent, decided before the first of them is.
 *
 * @param blob the blob's name
 * @param position the position in the blob; 0 of a block blob
 * @param length how many bytes are sent
 * @param hash the hash of these bytes, in Base64
 */
public record ChunkSeal(String blob, long position, long length, String hash) {

    public ChunkSeal {
        Objects.requireNonNull(blob, "blob");
        Objects.requireNonNull(hash, "hash");
    }
}
