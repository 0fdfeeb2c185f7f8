package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.stowline.Stowline;
import io.stowline.error.NotFoundException;
import io.stowline.error.StorageException;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.SendResult;
import io.stowline.retry.Backoff;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PoisonRedriveIT {

    private static final int MESSAGES = 40;

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .retry(retry -> retry.backoff(Backoff.none()))
            .build();
    private final MessageQueue<String> orders = storage.queue("orders");

    @BeforeEach
    void poison() {
        orders.create();
        for (int i = 0; i < MESSAGES; i++) {
            orders.send("order " + i);
            orders.hold(orders.receive().orElseThrow()).poison("for the test");
        }
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private void theNextOneMovesTheRest() {
        long left = orders.poison().count();
        assertThat(left).isPositive();
        assertThat(orders.poison().redrive(message -> true)).isEqualTo(left);
        assertThat(orders.approximateCount()).isEqualTo(MESSAGES);
        assertThat(orders.poison().count()).isZero();
    }

    @Test
    @DisplayName("QUEUE-3: a filter that throws leaves no message hidden")
    void aFilterThatThrows() {
        assertThatIllegalStateException()
                .isThrownBy(() -> orders.poison().redrive(message -> {
                    if (message.body().equals("order 20")) {
                        throw new IllegalStateException("filter");
                    }
                    return true;
                }))
                .withMessage("filter");

        theNextOneMovesTheRest();
    }

    @Test
    @DisplayName("QUEUE-3: a refused send leaves no message hidden, and none in both queues")
    void aRefusedSend() {
        memory.refuseNext("POST", "/orders/messages", 503, "ServerBusy");
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> orders.poison().redrive(message -> true));

        theNextOneMovesTheRest();
    }

    @Test
    @DisplayName("QUEUE-3: without the queue that they go back to, messages stay, and the failure says so")
    void withoutTheTarget() {
        orders.drop();
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> orders.poison().redrive(message -> true));
        orders.create();

        theNextOneMovesTheRest();
    }

    @Test
    @DisplayName("QUEUE-3: without a poison queue there is nothing to move")
    void withoutPoison() {
        MessageQueue<String> clean = storage.queue("clean");
        clean.create();

        assertThat(clean.poison().redrive(message -> true)).isZero();
    }

    @Test
    @DisplayName("QUEUE-3: any reason is kept, whatever XML can carry of it, and so are id and origin")
    void keepsOddReasons() {
        orders.send("odd");
        MessageLease<String> lease = orders.hold(orders.receive().orElseThrow());
        lease.poison("a\uFFFE\uD800" + "b".repeat(200_000));

        assertThat(orders.poison().redrive(message -> {
                    if (message.id().equals(Optional.of(lease.id()))) {
                        assertThat(message.reason().orElseThrow())
                                .startsWith("a\uFFFD\uFFFDb")
                                .hasSizeLessThan(2_000);
                        return true;
                    }
                    return false;
                }))
                .isEqualTo(1);
    }

    @Test
    void refusesIdsThatAreNone() {
        for (String id : new String[] {"", ".", ".."}) {
            SendResult odd =
                    new SendResult(orders.name(), id, "receipt", Instant.EPOCH, Instant.EPOCH, Instant.EPOCH, false);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> orders.delete(odd))
                    .withMessageContaining("'" + id + "'");
        }
        assertThatNullPointerException()
                .isThrownBy(() -> orders.send("text", settings -> null))
                .withMessage("the result of settings");
    }
}
