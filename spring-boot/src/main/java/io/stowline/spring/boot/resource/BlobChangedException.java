package io.stowline.spring.boot.resource;

import java.io.IOException;

/**
 * The failure of a read whose {@link BlobResource} is bound to a version that its blob has no longer: another client has replaced or removed
 * it. {@link BlobResource#latest()} reads the present version. The refusal of the service is suppressed.
 */
public final class BlobChangedException extends IOException {

    private static final long serialVersionUID = 1L;

    /** Makes the failure. The refusal is suppressed: as a cause it would find the handlers of those who have sent a condition. */
    BlobChangedException(String location, Throwable refusal) {
        super(location + " was replaced or removed since its facts were read, so that the rest of that version cannot"
                + " be read; latest() reads the present one");
        addSuppressed(refusal);
    }
}
