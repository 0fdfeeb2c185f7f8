package io.stowline.testkit.internal.strict.table;

import io.stowline.testkit.StrictRule;
import io.stowline.testkit.internal.strict.access.SasCheck;
import io.stowline.testkit.internal.strict.rule.RefusedException;
import io.stowline.testkit.internal.strict.rule.Rulebook;
import io.stowline.testkit.internal.strict.rule.StrictCheck;
import io.stowline.testkit.internal.wire.BatchBody;
import io.stowline.testkit.internal.wire.EntityKeys;
import io.stowline.testkit.internal.wire.StorageRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An entity group transaction: its form, and each of its operations in order.
 *
 * @param operationCheck the check of each operation
 */
public record BatchCheck(StrictCheck operationCheck) implements StrictCheck {

    private static final int MAX_BYTES = 4 * 1024 * 1024;
    private static final int MAX_OPERATIONS = 100;

    @Override
    public void check(StorageRequest request, Rulebook rules) {
        if (request.method().equals("POST") && request.address().isBatch()) {
            if (request.body().length() > MAX_BYTES) {
                rules.refuse(
                        StrictRule.BATCH_SIZE,
                        "The request body is too large and exceeds the maximum permissible limit.");
            }
            BatchBody.of(request).ifPresent(batch -> check(request, batch, rules));
        }
    }

    private void check(StorageRequest request, BatchBody batch, Rulebook rules) {
        checkForm(batch, rules);
        batch.operations().forEach(operation -> SasCheck.checkBatch(request, operation, rules));
        if (batch.operations().size() > MAX_OPERATIONS) {
            at(
                    MAX_OPERATIONS - 1,
                    () -> rules.refuse(
                            StrictRule.BATCH_OPERATIONS,
                            "The batch request operation exceeds the maximum 100 changes per change set."));
        }
        checkOperations(request, batch.operations(), rules);
    }

    private static void checkForm(BatchBody batch, Rulebook rules) {
        if (batch.operations().isEmpty() || batch.emptyChangeSets() > 0) {
            rules.refuse(StrictRule.BATCH_EMPTY, "The batch holds no operation.");
        }
        if (batch.changeSets() > 1) {
            rules.refuse(StrictRule.BATCH_CHANGE_SETS, "The batch holds more than one change set.");
        }
        if (batch.queries() > 0 && batch.operations().size() > 1) {
            rules.refuse(StrictRule.BATCH_QUERY_WITH_OTHERS, "A query must be the only operation of its batch.");
        }
    }

    private void checkOperations(StorageRequest request, List<StorageRequest> operations, Rulebook rules) {
        Group group = new Group(rules);
        for (int i = 0; i < operations.size(); i++) {
            StorageRequest operation = operations.get(i);
            at(i, () -> {
                group.add(operation);
                SasCheck.checkOperation(request, operation, rules);
                operationCheck.check(operation, rules);
            });
        }
    }

    private static void at(int index, Runnable check) {
        try {
            check.run();
        } catch (RefusedException e) {
            throw e.atOperation(index);
        }
    }

    /** The rules on the operations of one transaction: what they share, and what differs. */
    private static final class Group {

        private static final String ONE_GROUP = "All commands in a batch must operate on same entity group.";
        private static final String ONCE =
                "The batch request contains multiple changes with same row key. An entity can appear"
                        + " only once in a batch request.";

        private final Rulebook rules;
        private final Set<Map.Entry<String, EntityKeys>> changed = new HashSet<>();
        private @Nullable String table;
        private @Nullable String partitionKey;

        Group(Rulebook rules) {
            this.rules = rules;
        }

        void add(StorageRequest operation) {
            String name = operation.address().table().toLowerCase(Locale.ROOT);
            if (table != null && !table.equals(name)) {
                rules.refuse(StrictRule.BATCH_TABLES, ONE_GROUP);
            }
            table = name;
            EntityKeys keys = EntityKeys.of(operation);
            checkPartition(keys);
            if (!operation.isRead() && keys.areComplete() && !changed.add(Map.entry(name, keys))) {
                rules.refuse(StrictRule.BATCH_DUPLICATE, ONCE);
            }
        }

        private void checkPartition(EntityKeys keys) {
            String partition = keys.partitionKey();
            if (partitionKey != null && partition != null && !partitionKey.equals(partition)) {
                rules.refuse(StrictRule.BATCH_PARTITIONS, ONE_GROUP);
            }
            partitionKey = partition == null ? partitionKey : partition;
        }
    }
}
