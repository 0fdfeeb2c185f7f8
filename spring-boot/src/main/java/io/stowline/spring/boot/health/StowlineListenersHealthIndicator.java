package io.stowline.spring.boot.health;

import io.stowline.spring.boot.listener.QueueListenerContainer;
import io.stowline.spring.boot.listener.StowlineQueueListenerRegistry;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * An indicator that shows whether the listeners of queues get responses. It sends nothing. It is down when a listener has had room for
 * messages, and no response to a poll, for longer than it may; listeners that are busy, paused or stopped are up.
 */
final class StowlineListenersHealthIndicator extends AbstractHealthIndicator {

    private final StowlineQueueListenerRegistry registry;
    private final Duration longest;

    StowlineListenersHealthIndicator(StowlineQueueListenerRegistry registry, Duration longest) {
        super("The health of the queue listeners is not known");
        this.registry = registry;
        this.longest = longest;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        builder.up();
        for (QueueListenerContainer listener : registry.listeners()) {
            Duration unanswered = listener.unansweredFor();
            boolean silent = unanswered.compareTo(longest.plus(listener.maxPollDelay())) > 0;
            if (silent) {
                builder.down();
            }
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("queue", listener.queue());
            String reason = listener.stats().pollFailure();
            details.put("state", silent ? reason == null ? "unanswered" : "failing" : state(listener));
            details.put("unansweredFor", unanswered.toSeconds() + " s");
            if (reason != null) {
                details.put("reason", reason);
            }
            builder.withDetail(listener.id(), details);
        }
    }

    private static String state(QueueListenerContainer listener) {
        if (!listener.isRunning()) {
            return "stopped";
        }
        return listener.isPaused() ? "paused" : "running";
    }
}
