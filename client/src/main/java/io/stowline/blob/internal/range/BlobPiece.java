package io.stowline.blob.internal.range;

import io.stowline.blob.BlobInfo;
import io.stowline.transport.internal.error.FailureFacts;
import java.util.Arrays;

/** A range of a blob that has arrived whole. Its bytes belong to who reads it; there are none if they went to a file. */
public final class BlobPiece {

    private final PinnedVersion version;
    private final long offset;
    private final byte[] bytes;
    private final FailureFacts.Ids ids;

    BlobPiece(PinnedVersion version, long offset, byte[] bytes, FailureFacts.Ids ids) {
        this.version = version;
        this.offset = offset;
        this.bytes = bytes;
        this.ids = ids;
    }

    /** Returns the version that all pieces of one download are of. */
    public PinnedVersion version() {
        return version;
    }

    /** Returns the blob, in that version. */
    public BlobInfo info() {
        return version.info();
    }

    /** Returns its position in the blob. */
    public long offset() {
        return offset;
    }

    public byte[] bytes() {
        return bytes;
    }

    /** Returns the part between two offsets of the blob; itself if that is all of it. */
    public BlobPiece part(long from, int count) {
        byte[] whole = bytes;
        int begin = (int) (from - offset);
        return count == whole.length
                ? this
                : new BlobPiece(version, from, Arrays.copyOfRange(whole, begin, begin + count), ids);
    }

    /** Returns the ids of the request that read it. */
    public FailureFacts.Ids ids() {
        return ids;
    }
}
