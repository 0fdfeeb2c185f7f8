package io.stowline.records;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A blob whose records cannot be read: it is not of the format, or was deleted or changed. The stream's position is before it, or in it. */
public final class RecordReadException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String blob;

    /**
     * Makes the exception.
     *
     * @param blob the blob's name
     * @param reason why, and the way out
     * @param cause the cause, if there is one
     */
    public RecordReadException(String blob, String reason, @Nullable Throwable cause) {
        super("the records of the blob " + blob + " cannot be read: " + reason, cause);
        this.blob = Objects.requireNonNull(blob, "blob");
    }

    /**
     * Returns the blob.
     *
     * @return its name
     */
    public String blob() {
        return blob;
    }
}
