package io.stowline.blob.internal.directory;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.BlobHeaders;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.UploadSettings;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The source of the settings of a directory's uploads. Made by the client room, which knows the application's
 * settings. Thread-safe.
 */
@FunctionalInterface
public interface BlobSettings {

    /**
     * Returns the settings of one blob.
     *
     * @param source the blob that it is a copy of, or {@code null} if it is made of a file
     * @param condition which blob of that name it may replace
     * @param modified when its content was last modified
     */
    UploadSettings of(String name, @Nullable BlobInfo source, ReplacedVersion condition, Instant modified);

    /**
     * The blob that an upload may replace.
     *
     * @param any whether it replaces whatever is there
     * @param etag the only version that it replaces, or {@code null}
     * @param kept the properties that the blob keeps, or {@code null}
     */
    record ReplacedVersion(
            boolean any, @Nullable String etag, @Nullable KeptProperties kept) {

        static final ReplacedVersion NONE = new ReplacedVersion(false, null, null);
        static final ReplacedVersion ANY = new ReplacedVersion(true, null, null);

        static ReplacedVersion only(String etag) {
            return new ReplacedVersion(false, etag, null);
        }

        ReplacedVersion keeping(KeptProperties properties) {
            return new ReplacedVersion(any, etag, properties);
        }
    }

    /**
     * The properties of a blob that are not its content.
     *
     * @param tier the tier that was set for it, or {@code null} for the default one of the account
     */
    record KeptProperties(
            BlobHeaders headers,
            Map<String, String> metadata,
            Map<String, String> tags,
            @Nullable AccessTier tier) {}
}
