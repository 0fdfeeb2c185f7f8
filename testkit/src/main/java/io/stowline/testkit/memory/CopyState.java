package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;

/**
 * State of a copy onto a blob. Immutable.
 *
 * @param total the bytes of the source
 */
record CopyState(String id, String status, long total) {

    static CopyState pending(String id, long total) {
        return new CopyState(id, "pending", total);
    }

    boolean isPending() {
        return status.equals("pending");
    }

    boolean isSuccess() {
        return status.equals("success");
    }

    CopyState ended(String end) {
        return new CopyState(id, end, total);
    }

    StubResponse on(StubResponse response) {
        return response.header("x-ms-copy-id", id)
                .header("x-ms-copy-status", status)
                .header("x-ms-copy-progress", (isSuccess() ? total : 0) + "/" + total);
    }
}
