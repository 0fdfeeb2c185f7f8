package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.Stowline;
import io.stowline.error.ConflictException;
import io.stowline.testkit.memory.MemoryStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Tables, queues and containers that the service is still removing. */
class BeingDeletedTest {

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();

    @AfterEach
    void close() {
        storage.close();
    }

    @Test
    @DisplayName("RETRY-3: what is being deleted does not exist, and there is nothing left to delete")
    void absent() {
        memory.refuseNext("DELETE", "people", 409, "TableBeingDeleted");
        assertThat(storage.table("people").dropIfExists()).isFalse();
        memory.refuseNext("DELETE", "orders", 409, "QueueBeingDeleted");
        assertThat(storage.queue("orders").dropIfExists()).isFalse();
        memory.refuseNext("DELETE", "files", 409, "ContainerBeingDeleted");
        assertThat(storage.container("files").dropIfExists()).isFalse();
        memory.refuseNext("GET", "orders", 409, "QueueBeingDeleted");
        assertThat(storage.queue("orders").exists()).isFalse();
    }

    @Test
    @DisplayName("RETRY-3: a write to what is being deleted says so")
    void write() {
        memory.refuseNext("POST", "orders", 409, "QueueBeingDeleted");
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> storage.queue("orders").send("one"))
                .withMessageContaining("deleted a short time ago")
                .matches(ConflictException::isBeingDeleted);
    }
}
