package io.stowline.queue.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class DeliveryLedgerTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final DeliveryHistories histories = new DeliveryHistories(time);
    private final DeliveryLedger ledger = new DeliveryLedger(histories, "orders", 5);

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
        DeliveryLedger patient = new DeliveryLedger(histories, "orders", 50);

        assertThat(patient.poison(delivery("a", 100))).isNull();
        assertThat(patient.poison(delivery("a", 101))).isNotNull();
    }

    @Test
    @DisplayName("QUEUE-3: consumers of one client share the counts of their queue, and each has its own limit")
    void shared() {
        DeliveryLedger second = new DeliveryLedger(histories, "orders", 2);
        DeliveryLedger other = new DeliveryLedger(histories, "invoices", 2);
        ledger.failed("a");
        ledger.failed("a");
        ledger.done("b");

        assertThat(second.poison(delivery("a", 3))).isEqualTo("failed 2 times");
        assertThat(ledger.poison(delivery("a", 3))).isNull();
        assertThat(second.isDone("b")).isTrue();
        assertThat(other.failures("a")).isZero();
        assertThat(other.isDone("b")).isFalse();
    }

    @Test
    @DisplayName(
            "QUEUE-3: a client remembers 10,000 messages that are to be handled, the latest used ones, and 10,000 that"
                    + " are done")
    void forgets() {
        ledger.failed("first");
        ledger.failed("used");
        for (int i = 0; i < DeliveryHistories.MAX - 1; i++) {
            ledger.failed("m" + i);
            ledger.done("d" + i);
            assertThat(ledger.failures("used")).isEqualTo(1);
        }

        assertThat(ledger.failures("first")).isZero();
        assertThat(ledger.failures("m1")).isEqualTo(1);
        for (int i = 0; i < DeliveryHistories.MAX; i++) {
            ledger.done("e" + i);
        }
        assertThat(ledger.isDone("d1")).isFalse();
        assertThat(ledger.failures("used")).isEqualTo(1);
        assertThat(histories.size()).isEqualTo(2 * DeliveryHistories.MAX);
    }

    @Test
    @DisplayName(
            "the last failure of a message is known to all consumers of the client until it ends; a thousand are kept")
    void failures() {
        IllegalStateException last = new IllegalStateException("last");
        ledger.because("a", new IllegalStateException("first"));
        ledger.because("a", last);
        ledger.because("b", last);
        DeliveryLedger second = new DeliveryLedger(histories, "orders", 2);
        assertThat(second.failure("a")).isSameAs(last);
        assertThat(new DeliveryLedger(histories, "invoices", 2).failure("a")).isNull();
        ledger.done("b");
        assertThat(ledger.failure("b")).isNull();
        for (int i = 0; i < DeliveryHistories.MAX_FAILURES - 1; i++) {
            ledger.because("m" + i, last);
        }
        assertThat(ledger.failure("a")).isSameAs(last);
        ledger.because("one more", last);
        assertThat(ledger.failure("a")).isNull();
    }

    @Test
    @DisplayName("QUEUE-3: counts outlive the longest time that a message can be hidden; both are forgotten with age")
    void ages() {
        ledger.failed("a");
        ledger.done("b");
        time.advanceTimeBy(Duration.ofDays(7));
        ledger.done("c");
        assertThat(ledger.failures("a")).isEqualTo(1);
        assertThat(ledger.isDone("b")).isFalse();

        time.advanceTimeBy(Duration.ofDays(2));
        ledger.failed("d");
        assertThat(ledger.failures("a")).isZero();
        assertThat(histories.size()).isEqualTo(2);
    }
}
