package io.stowline.ring.internal.blob;

import io.stowline.blob.BlobInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * One version of a blob in one of its homes, with its stage, which stands in the metadata.
 *
 * @param info the facts, without the stage
 * @param stage the stage
 * @param term the number of the mover that has set it; 0 for an open blob
 */
public record BlobPlace(BlobInfo info, BlobStage stage, long term) {

    /** The name of the metadata that hold a stage. */
    public static final String MARK = "stowlinering";

    /** Returns the place of a blob that was read. */
    public static BlobPlace of(BlobInfo stored) {
        String mark = stored.metadata().get(MARK);
        if (mark == null) {
            return new BlobPlace(stored, BlobStage.OPEN, 0);
        }
        int dot = mark.indexOf('.');
        return new BlobPlace(
                shown(stored), BlobStage.valueOf(mark.substring(0, dot)), Long.parseLong(mark.substring(dot + 1)));
    }

    private static BlobInfo shown(BlobInfo stored) {
        Map<String, String> metadata = new HashMap<>(stored.metadata());
        metadata.keySet().removeIf(MARK::equalsIgnoreCase);
        return new BlobInfo(
                stored.name(),
                stored.size(),
                stored.etag(),
                stored.lastModified(),
                stored.type(),
                stored.headers(),
                stored.contentMd5(),
                metadata,
                stored.tier(),
                stored.versionId(),
                stored.copyStatus(),
                stored.origin());
    }

    /** Returns metadata with a stage; an open blob has none. */
    static Map<String, String> marked(Map<String, String> metadata, BlobStage stage, long term) {
        Map<String, String> marked = new HashMap<>(metadata);
        if (stage != BlobStage.OPEN) {
            marked.put(MARK, stage + "." + term);
        }
        return marked;
    }

    /** Returns the version. */
    public String etag() {
        return info.etag();
    }

    /** Returns whether applications may read it. */
    public boolean isReadable() {
        return stage == BlobStage.OPEN || stage == BlobStage.FROZEN;
    }

    /** Returns whether it waits for a mover, so that applications must not write it. */
    public boolean isFrozen() {
        return stage == BlobStage.FROZEN || stage == BlobStage.CLOSED;
    }

    /** Returns whether a mover has set this stage. */
    boolean is(BlobStage other, long mover) {
        return stage == other && term == mover;
    }
}
