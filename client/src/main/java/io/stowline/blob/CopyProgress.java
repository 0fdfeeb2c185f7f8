package io.stowline.blob;

import com.azure.storage.blob.models.CopyStatusType;
import java.util.Objects;
import java.util.Optional;

/**
 * The progress of a copy that the service makes, at one moment.
 *
 * <p>Immutable and safe to share between threads.
 *
 * @param status pending, success, failed or aborted
 * @param bytesDone the bytes that the service has copied
 * @param bytesTotal the bytes of the source
 * @param description the reason of a failure, in the words of the service; empty where it gives none
 */
public record CopyProgress(CopyStatusType status, long bytesDone, long bytesTotal, Optional<String> description) {

    /**
     * Checks that no component is missing.
     *
     * @param status pending, success, failed or aborted
     * @param bytesDone the bytes that the service has copied
     * @param bytesTotal the bytes of the source
     * @param description the reason of a failure
     */
    public CopyProgress {
        Objects.requireNonNull(status, "status");
        Objects.requireNonNull(description, "description");
    }
}
