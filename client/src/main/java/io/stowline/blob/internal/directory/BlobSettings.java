package io.stowline.blob.internal.directory;

import io.stowline.blob.BlobInfo;
import io.stowline.blob.UploadSettings;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How one blob of a directory is uploaded. Made by the public classes, which know the application's settings. Thread-safe. */
@FunctionalInterface
public interface BlobSettings {

    /**
     * The settings of one blob.
     *
     * @param source the blob that it is a copy of, or {@code null} if it is made of a file
     * @param condition which blob of that name it may replace
     * @param modified when its content was last modified
     */
    UploadSettings of(String name, @Nullable BlobInfo source, ReplacedVersion condition, Instant modified);

    /**
     * Which blob an upload may replace.
     *
     * @param any whether it replaces whatever is there
     * @param etag the only version that it replaces, or {@code null}
     */
    record ReplacedVersion(boolean any, @Nullable String etag) {

        static final ReplacedVersion NONE = new ReplacedVersion(false, null);
        static final ReplacedVersion ANY = new ReplacedVersion(true, null);

        static ReplacedVersion only(String etag) {
            return new ReplacedVersion(false, etag);
        }
    }
}
