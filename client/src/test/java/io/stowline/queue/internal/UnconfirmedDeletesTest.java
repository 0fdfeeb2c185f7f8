package io.stowline.queue.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.MessageView.MessageHeader;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
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

    private MessageHeader expiring(String id, long seconds) {
        return new MessageHeader("orders", id, 1, now, now.plusSeconds(seconds));
    }

    @Test
    @DisplayName("OUTCOME-7: a message that stays for long keeps no expired one behind it")
    void forgetsByExpiry() {
        completed.remember(expiring("long", 3_600));
        completed.remember(expiring("short", 60));
        now = now.plusSeconds(61);
        completed.remember(expiring("new", 60));

        assertThat(completed.size()).isEqualTo(2);
        assertThat(completed.holds(expiring("long", 3_600))).isTrue();
        assertThat(completed.holds(expiring("short", 60))).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-7: no more than 10,000 are remembered; those that expire first go")
    void isBounded() {
        for (int i = 0; i < UnconfirmedDeletes.MAX + 5; i++) {
            completed.remember(expiring("id-" + i, 60 + (i % 2 == 0 ? 0 : 60)));
        }

        assertThat(completed.size()).isEqualTo(10_000);
        assertThat(completed.holds(message("orders", "id-0"))).isFalse();
        assertThat(completed.holds(message("orders", "id-8"))).isFalse();
        assertThat(completed.holds(message("orders", "id-1"))).isTrue();
        assertThat(completed.holds(message("orders", "id-10"))).isTrue();
    }

    @Property(tries = 200)
    @Label("OUTCOME-7: what is remembered is what has been remembered last, neither forgotten nor expired")
    void remembersAsAMapDoes(@ForAll Random random) {
        Map<String, Instant> expected = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            String id = "id-" + random.nextInt(20);
            if (random.nextInt(3) == 0) {
                completed.forget(expiring(id, 0));
                expected.remove(id);
            } else {
                MessageHeader message = expiring(id, random.nextInt(100));
                completed.remember(message);
                expected.values().removeIf(expiry -> expiry.isBefore(now));
                expected.put(id, message.expiresAt());
            }
            now = now.plusSeconds(random.nextInt(10));
        }

        assertThat(completed.size()).isEqualTo(expected.size());
        for (int i = 0; i < 20; i++) {
            assertThat(completed.holds(expiring("id-" + i, 0))).isEqualTo(expected.containsKey("id-" + i));
        }
    }

    @Test
    void countsWhatWasRemoved() {
        completed.countRemoved();
        completed.countRemoved();

        assertThat(completed.removed()).isEqualTo(2);
    }
}
