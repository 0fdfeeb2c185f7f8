package io.stowline.blob.internal.download;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.DownloadSettings;
import io.stowline.blob.internal.base.BlobContext;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;

/** Puts the ranges of a small blob together, in whatever order they arrive. Serves one download; safe for threads that bring different ranges. */
public final class InMemoryDownload {

    private final DownloadVerifier content;
    private final ReadPlan plan;
    private final BlobPiece first;
    private final byte[] bytes;

    /** A download whose first range is there; an {@link IllegalStateException} if all of it is more than the limit. */
    InMemoryDownload(BlobContext scope, ReadPlan plan, DownloadSettings settings, BlobPiece first) {
        this.content = new DownloadVerifier(scope, "download", plan, settings.checksum());
        this.plan = plan;
        this.first = first;
        BlobInfo facts = first.facts();
        long length = Math.max(0, plan.end(facts.size()) - plan.from());
        if (length > settings.limit()) {
            throw beyond(scope.resource(facts.name()), length, settings.limit());
        }
        this.bytes = length == first.bytes().length ? first.bytes() : new byte[(int) length];
        if (bytes != first.bytes()) {
            add(first);
        }
    }

    /** The error of a blob that is too large. */
    public static IllegalStateException beyond(String resource, long size, int limit) {
        return new IllegalStateException(resource + " has " + size + " bytes, more than the limit of " + limit
                + " for a download into memory; downloadTo and open have none");
    }

    /**
     * A range that is not there.
     *
     * @param offset where in the blob it begins
     * @param count its bytes
     */
    record Missing(long offset, int count) {}

    /** The ranges after the first one. */
    Flux<Missing> missing() {
        int done = first.bytes().length;
        int size = plan.rangeSize();
        int ranges = (bytes.length - done + size - 1) / size;
        return Flux.range(0, ranges).map(i -> {
            int at = done + i * size;
            return new Missing(plan.from() + at, Math.min(size, bytes.length - at));
        });
    }

    int length() {
        return bytes.length;
    }

    void add(BlobPiece piece) {
        System.arraycopy(piece.bytes(), 0, bytes, (int) (piece.offset() - plan.from()), piece.bytes().length);
    }

    /** The content, after its checks. */
    byte[] checked() {
        content.add(first.facts(), first.ids(), ByteBuffer.wrap(bytes));
        content.checked();
        return bytes;
    }
}
