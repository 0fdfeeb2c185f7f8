package io.stowline.spring.boot.resource;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobDownload;
import io.stowline.blob.BlobInfo;
import io.stowline.error.ConflictException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** A version of a blob: its facts, and its bytes if they are few. Immutable and thread-safe. */
final class PinnedBlob {

    /** The bytes that one request reads beside the facts. */
    static final int SMALL = 64 << 10;

    private final BlobInfo info;
    private final byte @Nullable [] content;

    private PinnedBlob(BlobInfo info, byte @Nullable [] content) {
        this.info = info;
        this.content = content;
    }

    /** Makes the version that a listing names. */
    static PinnedBlob listed(BlobInfo info) {
        return new PinnedBlob(info, null);
    }

    /** Reads the present version. One request gives the facts and the first bytes, so that a small blob cannot change between two. */
    static PinnedBlob read(BlobContainer container, String name) throws IOException {
        try (BlobDownload first = container.openDownload(
                name, o -> o.asStored().parallelism(1).rangeSize(SMALL).range(0, SMALL))) {
            boolean whole = first.info().size() <= SMALL;
            return new PinnedBlob(first.info(), whole ? first.stream().readAllBytes() : null);
        } catch (ConflictException contentIsUnreadable) {
            // Archived, or the target of a copy that has not ended: its facts are readable.
            return new PinnedBlob(container.info(name), null);
        }
    }

    BlobInfo info() {
        return info;
    }

    /** Opens the content of this version. */
    InputStream open(BlobContainer container, String location) {
        return content == null ? new PinnedStream(container, info, location) : new ByteArrayInputStream(content);
    }

    /** Opens the content for a reader of a part, which is requested at once. */
    InputStream open(BlobContainer container, String location, long from, long length) throws IOException {
        return content == null
                ? new PinnedStream(container, info, location).expect(from, length)
                : new ByteArrayInputStream(content);
    }
}
