package io.stowline.error.internal;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Meaning of a status and error code: one row of the table for retries, exceptions, writers, batches of blobs and meters. A row with
 * codes comes before the row of its status, and that one before the row of its class of statuses, which has one digit.
 */
@SuppressWarnings("ImmutableEnumChecker") // unmodifiable sets
public enum StatusMeaning {
    DAMAGED(400, ExceptionKind.BAD_REQUEST, Culprit.OPERATION, "Md5Mismatch Crc64Mismatch", Trait.PASSES),
    OVERFULL(400, ExceptionKind.BAD_REQUEST, Culprit.ENTITY, "TooManyProperties EntityTooLarge"),
    INVALID_ENTITY(
            400,
            ExceptionKind.BAD_REQUEST,
            Culprit.ENTITY,
            "InvalidInput InvalidValueType KeyValueTooLarge OutOfRangeInput PropertiesNeedValue PropertyNameInvalid"
                    + " PropertyNameTooLong PropertyValueTooLarge DuplicatePropertiesSpecified"),
    WRONG_SIGNATURE(403, ExceptionKind.AUTHENTICATION, Culprit.TABLE, "AuthenticationFailed"),
    /** A rule of the verb, and not of its caller. */
    ROOT_BLOB(403, ExceptionKind.BAD_REQUEST, Culprit.TABLE, "OperationNotAllowedOnRootBlob"),
    ENTITY_MISSING(404, ExceptionKind.NOT_FOUND, Culprit.ENTITY, "ResourceNotFound EntityNotFound"),
    TABLE_MISSING(404, ExceptionKind.NOT_FOUND, Culprit.TABLE, "TableNotFound"),
    CONTAINER_MISSING(404, ExceptionKind.NOT_FOUND, Culprit.OPERATION, "QueueNotFound ContainerNotFound"),
    ENTITY_EXISTS(409, ExceptionKind.CONFLICT, Culprit.ENTITY, "EntityAlreadyExists"),
    NEW_ACCOUNT(409, ExceptionKind.CONFLICT, Culprit.OPERATION, "AccountBeingCreated", Trait.PASSES),
    TABLE_BEING_DELETED(409, ExceptionKind.CONFLICT, Culprit.TABLE, "TableBeingDeleted", Trait.PASSES_FOR_CREATION),
    CONTAINER_BEING_DELETED(
            409,
            ExceptionKind.CONFLICT,
            Culprit.OPERATION,
            "QueueBeingDeleted ContainerBeingDeleted",
            Trait.PASSES_FOR_CREATION),
    ENTITY_CHANGED(412, ExceptionKind.PRECONDITION, Culprit.ENTITY, "UpdateConditionNotSatisfied ConditionNotMet"),
    TIMED_OUT(
            500,
            ExceptionKind.THROTTLED,
            Culprit.SIZE,
            "OperationTimedOut",
            Trait.PASSES,
            Trait.UNRESOLVED,
            Trait.THROTTLES),
    BUSY(503, ExceptionKind.THROTTLED, Culprit.NONE, "ServerBusy", Trait.PASSES, Trait.THROTTLES),

    UNCHANGED(304, ExceptionKind.PRECONDITION, Culprit.NONE, "", Trait.UNRESOLVED),
    UNAUTHORIZED(401, ExceptionKind.AUTHENTICATION, Culprit.TABLE, ""),
    FORBIDDEN(403, ExceptionKind.AUTHENTICATION, Culprit.TABLE, ""),
    MISSING(404, ExceptionKind.NOT_FOUND, Culprit.OPERATION, ""),
    REQUEST_TIMEOUT(408, ExceptionKind.SERVER_ERROR, Culprit.NONE, "", Trait.PASSES, Trait.UNRESOLVED),
    CONFLICT(409, ExceptionKind.CONFLICT, Culprit.OPERATION, ""),
    CONDITION_FAILED(412, ExceptionKind.PRECONDITION, Culprit.OPERATION, ""),
    BODY_TOO_LONG(413, ExceptionKind.BAD_REQUEST, Culprit.SIZE, ""),
    TOO_MANY_REQUESTS(429, ExceptionKind.THROTTLED, Culprit.NONE, "", Trait.PASSES, Trait.THROTTLES),
    NOT_IMPLEMENTED(501, ExceptionKind.BAD_REQUEST, Culprit.NONE, ""),
    UNAVAILABLE(503, ExceptionKind.THROTTLED, Culprit.NONE, "", Trait.PASSES, Trait.UNRESOLVED),
    HTTP_VERSION_REFUSED(505, ExceptionKind.BAD_REQUEST, Culprit.NONE, ""),

    /** Another attempt would meet the redirection of a gateway again. */
    REDIRECTED(3, ExceptionKind.PROTOCOL, Culprit.NONE, "", Trait.UNRESOLVED),
    REFUSED(4, ExceptionKind.BAD_REQUEST, Culprit.OPERATION, ""),
    FAULT(5, ExceptionKind.SERVER_ERROR, Culprit.NONE, "", Trait.PASSES, Trait.UNRESOLVED),
    /** The service has no such status: something else has responded in its place, or nothing has. */
    FOREIGN(0, ExceptionKind.PROTOCOL, Culprit.NONE, "", Trait.PASSES, Trait.UNRESOLVED);

    private static final StatusMeaning[] ROWS = values();

    private final int status;
    private final ExceptionKind exception;
    private final Culprit culprit;
    private final Set<String> codes;
    private final Set<Trait> traits;

    StatusMeaning(int status, ExceptionKind exception, Culprit culprit, String codes, Trait... traits) {
        this.status = status;
        this.exception = exception;
        this.culprit = culprit;
        this.codes = codes.isEmpty() ? Set.of() : Set.of(codes.split(" "));
        this.traits = Set.of(traits);
    }

    /**
     * Finds the row of a response.
     *
     * @param status its status, or 0 where none came
     * @param code the service's error code, or {@code null} if it has none
     */
    public static StatusMeaning of(int status, @Nullable String code) {
        for (StatusMeaning row : ROWS) {
            if ((row.status == status || row.status == status / 100)
                    && (row.codes.isEmpty() || row.codes.contains(String.valueOf(code)))) {
                return row;
            }
        }
        return FOREIGN;
    }

    /** Returns whether the row is that of this error code. */
    public boolean has(@Nullable String code) {
        return code != null && codes.contains(code);
    }

    /** Returns the exception of a refusal. */
    public ExceptionKind exception() {
        return exception;
    }

    /** Returns the cause of the end of a batch. */
    public Culprit culprit() {
        return culprit;
    }

    /**
     * Returns whether another attempt may succeed.
     *
     * @param creation whether the request creates a table, queue or container
     */
    public boolean passes(boolean creation) {
        return traits.contains(Trait.PASSES) || (creation && traits.contains(Trait.PASSES_FOR_CREATION));
    }

    /** Returns whether a write that ended so may have been carried out. */
    public boolean unresolved() {
        return traits.contains(Trait.UNRESOLVED);
    }

    /** Returns whether the load was too much for the service. */
    public boolean throttles() {
        return traits.contains(Trait.THROTTLES);
    }

    /** Returns whether the service could not serve the request, whatever it was. */
    public boolean ofService() {
        return this == REQUEST_TIMEOUT || this == TOO_MANY_REQUESTS || status / 100 == 5 || this == FAULT;
    }

    /** Returns whether the table, queue or container itself is missing. */
    public boolean lacksContainer() {
        return this == TABLE_MISSING || this == CONTAINER_MISSING;
    }

    /** The exceptions of refusals. */
    public enum ExceptionKind {
        BAD_REQUEST,
        AUTHENTICATION,
        NOT_FOUND,
        CONFLICT,
        PRECONDITION,
        THROTTLED,
        SERVER_ERROR,
        PROTOCOL
    }

    /** The causes of the end of a batch. */
    public enum Culprit {
        /** One entity, whose operation the refusal may name: the others succeed without it. */
        ENTITY,
        /** One operation, but the rest may fail for the same cause. */
        OPERATION,
        /** The number of operations: fewer at a time may succeed. */
        SIZE,
        /** The table or the right to it: no operation of the writer succeeds. */
        TABLE,
        /** The service, or the way to it. */
        NONE
    }

    private enum Trait {
        PASSES,
        PASSES_FOR_CREATION,
        UNRESOLVED,
        THROTTLES
    }
}
