package io.stowline.testkit.memory;

import io.stowline.testkit.internal.wire.StorageRequest;

/** The types of blobs. */
enum BlobKind {
    BLOCK("BlockBlob"),
    APPEND("AppendBlob"),
    PAGE("PageBlob");

    private final String wireName;

    BlobKind(String wireName) {
        this.wireName = wireName;
    }

    String wireName() {
        return wireName;
    }

    static BlobKind of(StorageRequest request) {
        String given = request.header("x-ms-blob-type");
        for (BlobKind kind : values()) {
            if (kind.wireName.equals(given)) {
                return kind;
            }
        }
        throw RefusedOperation.unknown(request);
    }
}
