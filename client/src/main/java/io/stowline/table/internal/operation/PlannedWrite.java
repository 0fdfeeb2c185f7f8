package io.stowline.table.internal.operation;

import io.stowline.table.StoredEntity;
import io.stowline.table.TableOperation;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.TableRequests;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a transaction before it is committed.
 *
 * @param member the type of its row
 * @param operation the operation as the application gave it, or {@code null} if the library added it
 * @param entity the operation on the row itself
 */
public record PlannedWrite<T>(
        TableMember<T> member, @Nullable TableOperation<T, ?> operation, EncodedOperation entity) {

    static <T> PlannedWrite<T> of(TableMember<T> member, TableOperation<T, ?> operation) {
        return new PlannedWrite<>(member, operation, member.encode(operation));
    }

    /** Returns the operation with its type and its row, for messages. */
    String words() {
        return entity.verb().label() + type() + " "
                + TableRequests.resource(member.context().operations().table(), entity.partitionKey(), entity.rowKey());
    }

    private String type() {
        if (operation == null) {
            return "";
        }
        StoredEntity<T> stored = operation.stored();
        T value = stored == null ? operation.value() : stored.value();
        return " of " + member.context().codec().typeName(value);
    }
}
