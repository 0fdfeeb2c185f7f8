package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.queue.MessageQueue;
import io.stowline.testkit.memory.MemoryStorage;

/** A client of a storage in memory, with a queue whose large bodies are in blobs. */
final class ClaimCheckQueue implements AutoCloseable {

    final Stowline storage;
    final BlobContainer bodies;
    final MessageQueue<byte[]> queue;

    ClaimCheckQueue(MemoryStorage memory) {
        storage = client(memory);
        bodies = storage.container("bodies");
        bodies.create();
        queue = storage.queue("reports", byte[].class).withEnvelope(e -> e.claimCheck(bodies));
        queue.create();
    }

    static Stowline client(MemoryStorage memory) {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build();
    }

    @Override
    public void close() {
        storage.close();
    }
}
