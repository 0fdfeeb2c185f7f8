package io.stowline.table.simulation;

/** A refusal of the service, with its reason. */
enum Refusal {
    EXISTS(409, "EntityAlreadyExists"),
    MISSING(404, "ResourceNotFound"),
    CHANGED(412, "UpdateConditionNotSatisfied"),
    NO_TABLE(404, "TableNotFound"),
    INVALID(400, "PropertyValueTooLarge"),
    TOO_LARGE(413, "RequestBodyTooLarge"),
    BUSY(503, "ServerBusy"),
    TOO_MANY(429, "TooManyRequests"),
    TIMED_OUT(500, "OperationTimedOut"),
    INTERNAL(500, "InternalError"),
    GATEWAY(502, ""),
    REQUEST_TIMEOUT(408, "");

    private final int status;
    private final String code;

    Refusal(int status, String code) {
        this.status = status;
        this.code = code;
    }

    int status() {
        return status;
    }

    String code() {
        return code;
    }
}
