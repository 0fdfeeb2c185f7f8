package io.stowline.ring.internal.queue;

import io.stowline.queue.QueueConsumer;
import io.stowline.ring.RingConsumer;
import io.stowline.ring.internal.place.AccountWork;
import io.stowline.ring.internal.place.OpenWork;
import io.stowline.ring.internal.place.RingMember;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** {@link RingConsumer} over the consumers of all accounts. */
final class DefaultRingConsumer implements RingConsumer {

    private static final Duration STOP_TIME = Duration.ofSeconds(20);

    private final String queue;
    private final Map<RingMember, QueueConsumer> consumers;
    private final OpenWork work;

    DefaultRingConsumer(String queue, Map<RingMember, QueueConsumer> consumers, OpenWork work) {
        this.queue = queue;
        this.consumers = consumers;
        this.work = work;
    }

    @Override
    public String queue() {
        return queue;
    }

    @Override
    public Map<String, QueueConsumer> consumers() {
        Map<String, QueueConsumer> named = new LinkedHashMap<>();
        consumers.forEach((member, consumer) -> named.put(member.name(), consumer));
        return Collections.unmodifiableMap(named);
    }

    @Override
    public void pause() {
        consumers.values().forEach(QueueConsumer::pause);
    }

    @Override
    public void resume() {
        consumers.values().forEach(QueueConsumer::resume);
    }

    @Override
    public boolean isPaused() {
        return consumers.values().stream().allMatch(QueueConsumer::isPaused);
    }

    @Override
    public QueueConsumer.Stats stats() {
        List<QueueConsumer.Stats> all =
                consumers.values().stream().map(QueueConsumer::stats).toList();
        return new QueueConsumer.Stats(
                (int) sum(all, QueueConsumer.Stats::handlersRunning),
                (int) sum(all, QueueConsumer.Stats::messagesInHand),
                sum(all, QueueConsumer.Stats::completed),
                sum(all, QueueConsumer.Stats::retried),
                sum(all, QueueConsumer.Stats::poisoned),
                sum(all, QueueConsumer.Stats::poisonFailed),
                sum(all, QueueConsumer.Stats::released),
                sum(all, QueueConsumer.Stats::lost),
                sum(all, QueueConsumer.Stats::backlog),
                longest(all, QueueConsumer.Stats::pollAge),
                longest(all, QueueConsumer.Stats::oldestMessageAge),
                pollFailure());
    }

    private @Nullable String pollFailure() {
        for (Map.Entry<RingMember, QueueConsumer> entry : consumers.entrySet()) {
            String failure = entry.getValue().stats().pollFailure();
            if (failure != null) {
                return entry.getKey().name() + ": " + failure;
            }
        }
        return null;
    }

    private static <R> long sum(List<R> figures, ToLongFunction<R> figure) {
        return figures.stream().mapToLong(figure).sum();
    }

    private static Duration longest(List<QueueConsumer.Stats> all, Function<QueueConsumer.Stats, Duration> age) {
        return all.stream().map(age).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    @Override
    public boolean canAwaitStop() {
        return consumers.values().stream().allMatch(QueueConsumer::canAwaitStop);
    }

    @Override
    public QueueConsumer.StopReport stop(Duration atMost) {
        if (!canAwaitStop()) {
            throw new IllegalStateException("this thread cannot wait for the stop of the consumer of " + queue
                    + ", such as one of its handlers; stop it in another thread");
        }
        List<QueueConsumer.StopReport> reports =
                AccountWork.onEach(consumers.keySet(), member -> Objects.requireNonNull(consumers.get(member))
                        .stopAsync(atMost));
        work.ended(this);
        return new QueueConsumer.StopReport(
                sum(reports, QueueConsumer.StopReport::completed),
                sum(reports, QueueConsumer.StopReport::failed),
                sum(reports, QueueConsumer.StopReport::released),
                sum(reports, QueueConsumer.StopReport::abandoned));
    }

    @Override
    public void close() {
        stop(STOP_TIME);
    }

    @Override
    public String toString() {
        return "RingConsumer[" + queue + "]";
    }
}
