package io.stowline.testkit.internal.service;

import io.stowline.testkit.SentRequest;
import io.stowline.testkit.StubResponse;
import io.stowline.testkit.internal.Stage;
import io.stowline.testkit.internal.wire.BatchResponse;
import io.stowline.testkit.internal.wire.ServiceErrorBody;
import io.stowline.testkit.internal.wire.TableAddress;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A slow deletion of tables, queues and containers: they cannot be created again for a number of tries, which get a 409.
 *
 * <p>Until then any use of a table gets a 409 too (page "Delete Table"); queues and containers are not found (pages "Delete
 * Queue" and "Delete Container"), as the emulator does by itself.
 */
public final class DeletionDelay implements Stage {

    private final int tries;
    private final Map<Deletable, Integer> left = new ConcurrentHashMap<>();

    /**
     * Makes the stage.
     *
     * @param tries how many requests to create a deleted resource are refused
     */
    public DeletionDelay(int tries) {
        this.tries = tries;
    }

    @Override
    public StubResponse response(SentRequest request, Next next) throws IOException {
        Optional<Deletable> created = Deletable.created(request);
        if (created.isPresent() && refuses(created.get())) {
            return conflict(created.get());
        }
        Optional<Deletable> used = Deletable.usedTable(request);
        if (used.isPresent() && left.containsKey(used.get())) {
            return TableAddress.of(request.path()).isBatch() ? batchConflict(used.get()) : conflict(used.get());
        }
        StubResponse response = next.response(request);
        if (response.status() < 300) {
            Deletable.deleted(request).ifPresent(deleted -> left.put(deleted, tries));
        }
        return response;
    }

    private boolean refuses(Deletable resource) {
        boolean refused = left.containsKey(resource);
        left.computeIfPresent(resource, (same, tryCount) -> tryCount == 1 ? null : tryCount - 1);
        return refused;
    }

    private static StubResponse conflict(Deletable resource) {
        return ServiceErrorBody.response(resource.service(), 409, resource.errorCode(), resource.errorText());
    }

    private static StubResponse batchConflict(Deletable resource) {
        return BatchResponse.failed(409, resource.errorCode(), 0, resource.errorText());
    }
}
