package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DeliveryLedgerTest {

    private final DeliveryLedger ledger = new DeliveryLedger(5);

    private static MessageHeader delivery(String id, long count) {
        return new MessageHeader("orders", id, count, Instant.EPOCH, Instant.EPOCH);
    }

    @Test
    @DisplayName("QUEUE-3: poison at five failures that are known, or after ten deliveries that are not")
    void limits() {
        assertThat(ledger.poison(delivery("a", 10))).isNull();
        assertThat(ledger.poison(delivery("a", 11))).contains("10 deliveries");
        for (int i = 1; i <= 4; i++) {
            assertThat(ledger.isPoison(ledger.failed("a"))).isFalse();
        }
        assertThat(ledger.poison(delivery("a", 14))).isNull();
        assertThat(ledger.poison(delivery("a", 15))).isNotNull();
        assertThat(ledger.isPoison(ledger.failed("a"))).isTrue();
        assertThat(ledger.poison(delivery("a", 2))).isEqualTo("failed 5 times");
    }

    @Test
    @DisplayName("QUEUE-3: twenty releases of this process are accounted for")
    void releases() {
        for (int i = 0; i < 20; i++) {
            ledger.returned("a");
        }
        assertThat(ledger.poison(delivery("a", 30))).isNull();
        assertThat(ledger.poison(delivery("a", 31))).isNotNull();
    }

    @Test
    @DisplayName("QUEUE-3: with a larger limit of failures twice that many deliveries may be unaccounted for")
    void largerLimit() {
        DeliveryLedger patient = new DeliveryLedger(50);

        assertThat(patient.poison(delivery("a", 100))).isNull();
        assertThat(patient.poison(delivery("a", 101))).isNotNull();
    }

    @Test
    @DisplayName("QUEUE-3: it remembers 10,000 messages, the latest used ones")
    void forgets() {
        ledger.failed("first");
        ledger.done("done");
        for (int i = 0; i < DeliveryLedger.MOST - 1; i++) {
            ledger.failed("m" + i);
            assertThat(ledger.isDone("done")).isTrue();
        }

        assertThat(ledger.failures("first")).isZero();
        assertThat(ledger.failures("m1")).isEqualTo(1);
    }
}
