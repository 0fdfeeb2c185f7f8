package io.stowline.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UnconfirmedDeletesTest {

    private Instant now = Instant.parse("2024-02-29T12:00:00Z");
    private final UnconfirmedDeletes completed = new UnconfirmedDeletes(new Clock() {
        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    });

    private MessageHeader message(String queue, String id) {
        return new MessageHeader(queue, id, 1, now, now.plusSeconds(60));
    }

    @Test
    @DisplayName("OUTCOME-7: messages are known by queue and id, until they are forgotten")
    void knowsMessages() {
        completed.remember(message("orders", "1"));

        assertThat(completed.holds(message("orders", "1"))).isTrue();
        assertThat(completed.holds(message("others", "1"))).isFalse();
        assertThat(completed.holds(message("orders", "2"))).isFalse();
        completed.forget(message("orders", "1"));
        assertThat(completed.holds(message("orders", "1"))).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-7: expired messages are forgotten")
    void forgetsExpiredMessages() {
        completed.remember(message("orders", "1"));
        now = now.plusSeconds(61);
        completed.remember(message("orders", "2"));

        assertThat(completed.size()).isEqualTo(1);
        assertThat(completed.holds(message("orders", "2"))).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-7: no more than 10,000 are remembered, the newest")
    void isBounded() {
        for (int i = 0; i < UnconfirmedDeletes.MAX + 5; i++) {
            completed.remember(message("orders", "id-" + i));
        }

        assertThat(completed.size()).isEqualTo(10_000);
        assertThat(completed.holds(message("orders", "id-4"))).isFalse();
        assertThat(completed.holds(message("orders", "id-5"))).isTrue();
    }

    @Test
    void countsWhatWasRemoved() {
        completed.countRemoved();
        completed.countRemoved();

        assertThat(completed.removed()).isEqualTo(2);
    }
}
