package io.stowline.logback;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.status.Status;
import io.stowline.logback.DiscardedEvents.DiscardReason;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DiscardedEventsTest {

    private final LoggerContext context = new LoggerContext();
    private final RecordAppender appender = new RecordAppender();
    /** Close to the overflow, which a JVM may begin at. */
    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);

    private final DiscardedEvents discarded = new DiscardedEvents(appender, time::get);

    @BeforeEach
    void name() {
        appender.setContext(context);
        appender.setName("BLOBS");
    }

    private List<String> messages() {
        return context.getStatusManager().getCopyOfStatusList().stream()
                .map(Status::getMessage)
                .toList();
    }

    private void pass(Duration duration) {
        time.addAndGet(duration.toNanos());
    }

    @Test
    @DisplayName("each reason has a message at once, and then one a minute with the number so far")
    void oneMessageAMinute() {
        for (int i = 0; i < 100; i++) {
            discarded.add(DiscardReason.FULL, new IllegalStateException("64 MiB"));
            discarded.add(DiscardReason.UNENCODED, null);
        }
        assertThat(messages())
                .containsExactly(
                        "Appender [BLOBS]: Log events are discarded, since the writer has no room for them: 64 MiB; 1 so far",
                        "Appender [BLOBS]: Log events are discarded, since they cannot be encoded; 2 so far");

        pass(Duration.ofMinutes(1).minusNanos(1));
        discarded.add(DiscardReason.FULL, null);
        assertThat(messages()).hasSize(2);

        pass(Duration.ofNanos(1));
        discarded.add(DiscardReason.FULL, null);
        assertThat(messages()).hasSize(3).last().asString().endsWith("; 202 so far");
    }

    @Test
    @DisplayName("the rest is reported at the end, once")
    void rest() {
        discarded.reportRest();
        assertThat(messages()).isEmpty();

        discarded.add(DiscardReason.FULL, null);
        discarded.add(DiscardReason.FULL, null);
        discarded.reportRest();
        discarded.reportRest();

        assertThat(messages()).hasSize(2).last().asString().contains("2 log events were discarded");
        assertThat(discarded.total()).isEqualTo(2);
    }

    @Test
    @DisplayName("after a wait in vain others do not wait, until an event finds room")
    void waits() {
        assertThat(discarded.hasWaitedInVain()).isFalse();
        discarded.waitedInVain();
        assertThat(discarded.hasWaitedInVain()).isTrue();
        discarded.roomFound();
        assertThat(discarded.hasWaitedInVain()).isFalse();
    }
}
