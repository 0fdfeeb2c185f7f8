package io.stowline.blob.internal.upload;

import io.stowline.blob.internal.base.Md5;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import reactor.core.publisher.Mono;

/** A part of a content that is uploaded, in one or more pieces of memory unless it lies in a file. It can be sent again and again until it has arrived. */
class UploadBlock {

    /** The most of them that a blob takes. */
    static final int MAX = StorageLimits.BLOB_MAX_BLOCKS;

    /** The bytes of an id: all ids of a blob must be of one length, and those of Microsoft's Java client have this one. */
    static final int ID_LENGTH = 36;

    private static final byte[] TAG = "stowline-block-1".getBytes(StandardCharsets.US_ASCII);

    private final int index;
    private final List<ByteBuffer> pieces;
    private final int size;
    private final long reservedBytes;

    /**
     * The block at a place.
     *
     * @param index its place, from 0
     * @param pieces its content, not changed later
     * @param reservedBytes the memory that is free when it is gone
     */
    UploadBlock(int index, List<ByteBuffer> pieces, long reservedBytes) {
        this(index, pieces, pieces.stream().mapToInt(ByteBuffer::remaining).sum(), reservedBytes);
    }

    /** A block of this size. */
    UploadBlock(int index, List<ByteBuffer> pieces, int size, long reservedBytes) {
        this.index = index;
        this.pieces = List.copyOf(pieces);
        this.size = size;
        this.reservedBytes = reservedBytes;
    }

    final int index() {
        return index;
    }

    final int size() {
        return size;
    }

    final long reservedBytes() {
        return reservedBytes;
    }

    /** Returns the memory of its content. */
    final List<ByteBuffer> pieces() {
        return pieces;
    }

    /** Returns whether {@link #digest} has still to be called for the digest of the whole content. */
    boolean undigested() {
        return true;
    }

    /** Returns an error that describes the change, if the content has another MD5 now than the one that was sent. */
    Mono<Void> unchanged() {
        return Mono.empty();
    }

    /** Adds the content to a digest. */
    void digest(MessageDigest digest) {
        pieces.forEach(piece -> digest.update(piece.duplicate()));
    }

    /** Returns the MD5 of the content. */
    byte[] md5() {
        MessageDigest digest = Md5.begin();
        digest(digest);
        return digest.digest();
    }

    /** Returns an id of index and content, by which another run finds the block; the service's list shows no more. */
    final String id(byte[] md5) {
        ByteBuffer id = ByteBuffer.allocate(ID_LENGTH).putInt(index).put(md5).put(TAG);
        return Base64.getEncoder().encodeToString(id.array());
    }

    RequestBody body() {
        return RequestBody.of(pieces);
    }
}
