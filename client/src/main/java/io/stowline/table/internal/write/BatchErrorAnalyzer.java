package io.stowline.table.internal.write;

import io.stowline.transport.internal.error.ServiceError;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rules by which a refused batch judges its operations: one of them is to blame, or none can ever succeed. */
public final class BatchErrorAnalyzer {

    private static final Set<String> OF_ONE_OPERATION = Set.of(
            "EntityAlreadyExists",
            "ResourceNotFound",
            "EntityNotFound",
            "UpdateConditionNotSatisfied",
            "ConditionNotMet",
            "EntityTooLarge",
            "InvalidInput",
            "InvalidValueType",
            "KeyValueTooLarge",
            "OutOfRangeInput",
            "PropertiesNeedValue",
            "PropertyNameInvalid",
            "PropertyNameTooLong",
            "PropertyValueTooLarge",
            "TooManyProperties",
            "DuplicatePropertiesSpecified");

    private static final Set<String> OF_TOO_MUCH_IN_ONE = Set.of("TooManyProperties", "EntityTooLarge");

    private static final Set<String> OF_THE_TABLE = Set.of("TableNotFound", "TableBeingDeleted", "AccountIsDisabled");

    private BatchErrorAnalyzer() {}

    /** Returns whether the refusal names one of {@code size} operations, so that the others may go without it. */
    public static boolean names(ServiceError refusal, int size) {
        int index = refusal.index();
        return size > 1 && index >= 0 && index < size && OF_ONE_OPERATION.contains(String.valueOf(refusal.code()));
    }

    /**
     * Returns whether one operation is to blame for the end of a transaction of {@code size}, and not the service, the
     * table or the key.
     */
    public static boolean blames(ServiceError refusal, int size) {
        int status = refusal.status();
        boolean indexed = size == 1 || (refusal.index() >= 0 && refusal.index() < size);
        boolean logical = status >= 400 && status < 500 && status != 408 && status != 413 && status != 429;
        return indexed && logical && !dooms(refusal);
    }

    /**
     * Returns whether fewer operations at a time may succeed: the body was too long, or the service ran out of time.
     */
    public static boolean tooMuch(ServiceError refusal) {
        return refusal.status() == 413 || (refusal.status() == 500 && "OperationTimedOut".equals(refusal.code()));
    }

    /** Returns whether none of the writer's operations can succeed. */
    public static boolean dooms(ServiceError refusal) {
        return dooms(refusal.status(), refusal.code());
    }

    /** Returns whether an entity has no room for all its properties. */
    static boolean full(@Nullable String code) {
        return code != null && OF_TOO_MUCH_IN_ONE.contains(code);
    }

    public static boolean dooms(int status, @Nullable String code) {
        return status == 401 || status == 403 || OF_THE_TABLE.contains(String.valueOf(code));
    }
}
