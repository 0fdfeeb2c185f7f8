package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageLease.LeaseLostException;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@DisplayName("QUEUE-2: a held message is renewed, however short the lease of its receive is")
class ShortLeaseTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final MovedClock clock = new MovedClock();
    private final MemoryStorage memory = MemoryStorage.create(clock);
    private final ClaimCheckQueue reports = new ClaimCheckQueue(memory);
    private final MessageQueue<byte[]> queue = reports.queue;

    @BeforeEach
    void send() {
        queue.send(new byte[1]);
    }

    @AfterEach
    void close() {
        reports.close();
    }

    @Test
    @DisplayName("a lease of 1 s is renewed at once")
    void renewed() {
        try (MessageLease<byte[]> held = queue.hold(queue.receive(1, SECOND).get(0))) {
            held.retryIn(Duration.ofMinutes(1));
        }
        assertThat(memory.requests())
                .filteredOn(request -> request.startsWith("PUT") && request.contains("/reports/messages/"))
                .hasSize(2);
    }

    @Test
    @DisplayName("a lease that has ended is renewed if no other client has received the message")
    void afterTheEnd() {
        ReceivedMessage<byte[]> message = queue.receive(1, SECOND).get(0);
        clock.pass(SECOND.multipliedBy(2));
        try (MessageLease<byte[]> held = queue.hold(message)) {
            held.complete();
        }
        assertThat(queue.approximateCount()).isZero();
    }

    @Test
    @DisplayName("a lease that cannot be renewed is named with the time of its receive")
    void refused() throws Exception {
        memory.refuseNext("PUT", "/reports/messages", 403, "AuthorizationFailure");
        MessageLease<byte[]> held = queue.hold(queue.receive(1, SECOND).get(0));
        CountDownLatch lost = new CountDownLatch(1);
        held.onLost(lost::countDown);
        lost.await();

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(held::complete)
                .withMessageContaining("PT1S");
    }
}
