package io.stowline.testkit.memory;

import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.wire.BatchBody;
import io.stowline.testkit.internal.wire.BatchResponse;
import io.stowline.testkit.internal.wire.EntityKeys;
import io.stowline.testkit.internal.wire.StorageRequest;
import io.stowline.testkit.memory.MemoryTable.RowAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Entity group transaction: all of its operations are carried out, or none. Serves one request. */
record TableBatch(MemoryTables tables) {

    private static final int MAX_OPERATIONS = 100;

    StubResponse response(StorageRequest request) {
        List<StorageRequest> operations = operations(request);
        StorageRequest first = operations.get(0);
        if (operations.size() == 1 && first.method().equals("GET")) {
            throw RefusedOperation.unknown(request);
        }
        MemoryTable table = tables.table(first.address().table());
        Map<RowAddress, Map<String, EdmProperty>> before = table.copy();
        List<StubResponse> responses = new ArrayList<>();
        Set<@Nullable String> rowKeys = new HashSet<>();
        for (StorageRequest operation : operations) {
            try {
                check(operation, first, rowKeys);
                responses.add(tables.respond(operation));
            } catch (RefusedOperation refusal) {
                table.restore(before);
                return BatchResponse.of(List.of(refusal.at(responses.size()).response(operation)));
            }
        }
        return BatchResponse.of(responses);
    }

    private static List<StorageRequest> operations(StorageRequest request) {
        BatchBody batch = BatchBody.of(request)
                .filter(BatchBody::complete)
                .orElseThrow(() -> new RefusedOperation(
                        400, "InvalidInput", "The batch has no boundary, no end, or a part without a request."));
        int size = batch.operations().size();
        if (size == 0 || size > MAX_OPERATIONS) {
            throw new RefusedOperation(
                    400, "InvalidInput", "The batch has " + size + " operations; 1 to 100 are allowed.");
        }
        return batch.operations();
    }

    private static void check(StorageRequest operation, StorageRequest first, Set<@Nullable String> rowKeys) {
        EntityKeys keys = EntityKeys.of(operation);
        if (!Objects.equals(keys.partitionKey(), EntityKeys.of(first).partitionKey())
                || !operation.address().table().equalsIgnoreCase(first.address().table())) {
            throw new RefusedOperation(
                    400,
                    "CommandsInBatchActOnDifferentPartitions",
                    "All commands in a batch must operate on same entity group.");
        }
        if (!rowKeys.add(keys.rowKey())) {
            throw new RefusedOperation(
                    400, "InvalidDuplicateRow", "The batch request contains multiple changes with same row key.");
        }
    }
}
