package io.stowline.spring.boot.outbox;

import io.stowline.queue.QueueConsumer;
import io.stowline.spring.boot.outbox.OutboxRelays.AccountRelay;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * An indicator that shows whether the relays of outboxes get responses, and how many hints wait. It sends nothing. It is down when a relay
 * has had no response to its polls for longer than it may; hints that wait or are poison leave it up, since a restart sends none of them.
 */
final class StowlineRelaysHealthIndicator extends AbstractHealthIndicator {

    /** The longest wait of a relay between two polls. */
    private static final Duration MAX_POLL_DELAY = Duration.ofMillis(9_500);

    private final Supplier<List<AccountRelay>> relays;
    private final Duration longest;

    StowlineRelaysHealthIndicator(Supplier<List<AccountRelay>> relays, Duration pollAge) {
        super("The health of the outbox relays is not known");
        this.relays = relays;
        this.longest = pollAge.plus(MAX_POLL_DELAY);
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        for (AccountRelay relay : relays.get()) {
            QueueConsumer.Stats stats = relay.consumer().stats();
            boolean paused = relay.consumer().isPaused();
            boolean silent = !paused && stats.pollAge().compareTo(longest) > 0;
            if (silent) {
                builder.down();
            }
            String reason = stats.pollFailure();
            String problem = reason == null ? "unanswered" : "failing";
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("state", silent ? problem : paused ? "paused" : "running");
            details.put("unansweredFor", stats.pollAge().toSeconds() + " s");
            details.put("hints", stats.backlog());
            details.put("oldestHintAge", stats.oldestMessageAge().toSeconds() + " s");
            details.put("poisoned", stats.poisoned());
            if (reason != null) {
                details.put("reason", reason);
            }
            builder.withDetail(relay.account(), details);
        }
    }
}
