package io.stowline.table;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operation that a writer with a journal accepted and the service refused for good.
 *
 * @param id its record in the journal
 * @param verb what it was to do, such as {@code insertOrReplace}
 * @param partitionKey the entity's partition
 * @param rowKey the entity's key there
 * @param ifMatch the version that it was for, or {@code null} if it is not bound to one
 * @param json the properties as they were sent; empty for a deletion
 * @param accepted when it was accepted, by the machine's clock
 * @param rejected when it was refused, by the machine's clock
 * @param reason why, in one line
 */
public record RejectedOperation(
        long id,
        String verb,
        String partitionKey,
        String rowKey,
        @Nullable String ifMatch,
        String json,
        Instant accepted,
        Instant rejected,
        String reason) {

    /**
     * Checks that everything that is always known is there.
     *
     * @param id its record in the journal
     * @param verb what it was to do
     * @param partitionKey the entity's partition
     * @param rowKey the entity's key there
     * @param ifMatch the version that it was for, or {@code null}
     * @param json the properties as they were sent
     * @param accepted when it was accepted
     * @param rejected when it was refused
     * @param reason why
     */
    public RejectedOperation {
        Objects.requireNonNull(verb, "verb");
        Objects.requireNonNull(partitionKey, "partitionKey");
        Objects.requireNonNull(rowKey, "rowKey");
        Objects.requireNonNull(json, "json");
        Objects.requireNonNull(accepted, "accepted");
        Objects.requireNonNull(rejected, "rejected");
        Objects.requireNonNull(reason, "reason");
    }
}
