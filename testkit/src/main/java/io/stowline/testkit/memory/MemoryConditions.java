package io.stowline.testkit.memory;

import io.stowline.testkit.internal.wire.StorageRequest;
import org.jspecify.annotations.Nullable;

/** Conditions of a request on the ETag of a blob. */
final class MemoryConditions {

    private MemoryConditions() {}

    /** Checks the conditions of a write to a blob that may not exist. */
    static void checkWrite(StorageRequest request, @Nullable MemoryBlob known) {
        if (known != null) {
            if ("*".equals(request.header("If-None-Match"))) {
                throw new RefusedOperation(409, "BlobAlreadyExists", "The specified blob already exists.");
            }
            check(request, known.version());
        } else if (request.header("If-Match") != null) {
            throw unmet();
        }
    }

    static void check(StorageRequest request, MemoryVersion version) {
        String match = quoted(request.header("If-Match"));
        String noneMatch = quoted(request.header("If-None-Match"));
        boolean read = request.method().equals("GET") || request.method().equals("HEAD");
        if (match != null && !match.equals("*") && !match.equals(version.etag())) {
            throw unmet();
        }
        if (noneMatch != null && (noneMatch.equals("*") || noneMatch.equals(version.etag()))) {
            throw read ? new RefusedOperation(304, "ConditionNotMet", "The condition was not met.") : unmet();
        }
        if (request.header("If-Modified-Since") != null || request.header("If-Unmodified-Since") != null) {
            throw RefusedOperation.unknown(request);
        }
    }

    /** Microsoft's clients send an ETag without its quotation marks, and the service takes it. */
    static @Nullable String quoted(@Nullable String etag) {
        return etag == null || etag.equals("*") || etag.startsWith("\"") ? etag : "\"" + etag + "\"";
    }

    private static RefusedOperation unmet() {
        return new RefusedOperation(
                412, "ConditionNotMet", "The condition specified using HTTP conditional header(s) is not met.");
    }
}
