package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.ServiceErrorBody;
import io.stowline.testkit.internal.wire.StorageRequest;

/** Refusal of an operation by the service. */
final class RefusedOperation extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final String code;

    RefusedOperation(int status, String code, String message) {
        super(message, null, false, false);
        this.status = status;
        this.code = code;
    }

    /** Makes the refusal of an operation that this account does not know. */
    static RefusedOperation unknown(StorageRequest request) {
        return new RefusedOperation(501, "NotImplemented", "MemoryStorage has no " + request);
    }

    /** Returns the refusal of an operation inside a batch. */
    RefusedOperation at(int index) {
        return new RefusedOperation(status, code, index + ":" + getMessage());
    }

    StubResponse response(StorageRequest request) {
        if (status == 304 || request.method().equals("HEAD")) {
            return StubResponse.of(status).header("x-ms-error-code", code);
        }
        return ServiceErrorBody.response(request.service(), status, code, String.valueOf(getMessage()));
    }
}
