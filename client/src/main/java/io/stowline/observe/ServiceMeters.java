package io.stowline.observe;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.StopReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one service of one account in one registry. All clients of that account share them: counters count for all, gauges
 * are sums. Counting is thread-safe; opening and closing is its owner's business. Does not hold its registry.
 */
final class ServiceMeters {

    private static final List<String> BREAKER_STATES =
            List.of("closed", "open", "half_open", "forced_open", "disabled", "metrics_only");
    private static final String OFF = "off";
    private static final String QUEUE = "queue";
    private static final String TABLE = "table";
    private static final List<String> QUERY_CLASSES =
            List.of("point", "row-range", "partition", "partition-range", "table-scan");
    private static final double MILLIS = 1_000;

    private final Tags tags;
    private final List<Meter> added = new ArrayList<>();
    private final List<ServiceState> states = new CopyOnWriteArrayList<>();
    private final Map<AttemptReason, Counter> attempts = new EnumMap<>(AttemptReason.class);
    private final Map<WriteOutcome, Map<Evidence, Counter>> writes = new EnumMap<>(WriteOutcome.class);
    private final Map<ConsumerEvent.Result, Counter> deliveries = new EnumMap<>(ConsumerEvent.Result.class);
    private final Map<String, Density> densities = new HashMap<>();
    private final Counter unanswered;
    private final Counter retries;
    private final Counter quotaRefusals;
    private final Counter unknown;
    private final Counter repeated;
    private boolean withBreakers;

    /** The entities of one class of queries. */
    private record Density(Counter returned, Counter scanned) {}

    ServiceMeters(MeterRegistry registry, String account, String service) {
        this.tags = Tags.of(
                StowlineMeters.MeterKey.ACCOUNT.asString(),
                account,
                StowlineMeters.MeterKey.SERVICE.asString(),
                service);
        for (AttemptReason reason : AttemptReason.values()) {
            attempts.put(
                    reason,
                    counter(registry, StowlineMeters.ATTEMPTS, with(StowlineMeters.MeterKey.REASON, reason.tag())));
        }
        this.unanswered = counter(registry, StowlineMeters.UNANSWERED, tags);
        this.retries = counter(registry, StowlineMeters.RETRIES, tags);
        this.quotaRefusals = counter(registry, StowlineMeters.QUOTA_REFUSALS, tags);
        for (WriteOutcome outcome : WriteOutcome.values()) {
            writes.put(outcome, byEvidence(registry, outcome));
        }
        this.unknown = counter(registry, StowlineMeters.WRITES, ended("unknown", "none"));
        this.repeated = counter(registry, StowlineMeters.REPEATED, tags);
        gauges(registry);
        if (service.equals(QUEUE)) {
            consumers(registry);
        }
        if (service.equals(TABLE)) {
            queries(registry);
        }
    }

    private void queries(MeterRegistry registry) {
        for (String queryClass : QUERY_CLASSES) {
            Tags searched = with(StowlineMeters.MeterKey.QUERY_CLASS, queryClass);
            densities.put(
                    queryClass,
                    new Density(
                            counter(registry, StowlineMeters.QUERY_RETURNED, searched),
                            counter(registry, StowlineMeters.QUERY_SCANNED, searched)));
        }
    }

    private void consumers(MeterRegistry registry) {
        for (ConsumerEvent.Result result : ConsumerEvent.Result.values()) {
            Tags ended = with(StowlineMeters.MeterKey.RESULT, lower(result));
            deliveries.put(result, counter(registry, StowlineMeters.DELIVERIES, ended));
        }
        gauge(registry, StowlineMeters.CONSUMERS_HANDLERS, ServiceState::handlersRunning);
        gauge(registry, StowlineMeters.CONSUMERS_MESSAGES, ServiceState::messagesInHand);
        gauge(registry, StowlineMeters.CONSUMERS_BACKLOG, ServiceState::queueBacklog);
        longest(registry, StowlineMeters.CONSUMERS_POLL_AGE, ServiceState::pollAge);
        longest(registry, StowlineMeters.CONSUMERS_MESSAGE_AGE, ServiceState::oldestMessageAge);
        gauge(registry, StowlineMeters.OUTBOX_RELAYS, ServiceState::relaysRunning);
        gauge(registry, StowlineMeters.OUTBOX_HINTS, ServiceState::outboxHints);
        longest(registry, StowlineMeters.OUTBOX_HINT_AGE, ServiceState::oldestHintAge);
        gauge(registry, StowlineMeters.OUTBOX_POISONED, ServiceState::hintsPoisoned);
    }

    private Map<Evidence, Counter> byEvidence(MeterRegistry registry, WriteOutcome outcome) {
        Map<Evidence, Counter> counters = new EnumMap<>(Evidence.class);
        for (Evidence evidence : Evidence.values()) {
            // only the service itself confirms, and a response needs no read-back
            if ((outcome == WriteOutcome.CONFIRMED) == (evidence == Evidence.RESPONSE)) {
                Tags ended = ended(lower(outcome), lower(evidence));
                counters.put(evidence, counter(registry, StowlineMeters.WRITES, ended));
            }
        }
        return counters;
    }

    private void gauges(MeterRegistry registry) {
        gauge(registry, StowlineMeters.PERMITS_LIMIT, ServiceState::permitLimit);
        gauge(registry, StowlineMeters.PERMITS_USED, ServiceState::permitsInUse);
        gauge(registry, StowlineMeters.PERMITS_WAITING, ServiceState::permitsWaiting);
        gauge(registry, StowlineMeters.PARTITIONS_LIMITED, ServiceState::limitedPartitions);
        gauge(registry, StowlineMeters.WRITERS_ITEMS, ServiceState::bufferedItems);
        gauge(registry, StowlineMeters.WRITERS_BYTES, ServiceState::bufferedBytes);
        gauge(registry, StowlineMeters.WRITERS_PAUSED, ServiceState::pausedWriters);
        gauge(registry, StowlineMeters.QUOTA_AVAILABLE, ServiceState::quotaAvailable);
        gauge(registry, StowlineMeters.QUOTA_CAPACITY, ServiceState::quotaCapacity);
    }

    private Tags ended(String outcome, String evidence) {
        return with(StowlineMeters.MeterKey.OUTCOME, outcome)
                .and(StowlineMeters.MeterKey.EVIDENCE.asString(), evidence);
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private Tags with(StowlineMeters.MeterKey key, String value) {
        return tags.and(key.asString(), value);
    }

    private Counter counter(MeterRegistry registry, StowlineMeters meter, Tags all) {
        Counter counter = Counter.builder(meter.getName())
                .tags(all)
                .baseUnit(meter.getBaseUnit())
                .description(meter.description())
                .register(registry);
        added.add(counter);
        return counter;
    }

    private void gauge(MeterRegistry registry, StowlineMeters meter, ToDoubleFunction<ServiceState> value) {
        gauge(registry, meter, tags, value);
    }

    private void gauge(MeterRegistry registry, StowlineMeters meter, Tags all, ToDoubleFunction<ServiceState> value) {
        register(registry, meter, all, open -> sum(open, value));
    }

    private void longest(MeterRegistry registry, StowlineMeters meter, Function<ServiceState, Duration> time) {
        register(registry, meter, tags, open -> longest(open, time));
    }

    private void register(
            MeterRegistry registry, StowlineMeters meter, Tags all, ToDoubleFunction<List<ServiceState>> value) {
        added.add(Gauge.builder(meter.getName(), states, value)
                .tags(all)
                .baseUnit(meter.getBaseUnit())
                .description(meter.description())
                .strongReference(true)
                .register(registry));
    }

    private static double sum(List<ServiceState> open, ToDoubleFunction<ServiceState> value) {
        double sum = 0;
        for (ServiceState state : open) {
            sum += value.applyAsDouble(state);
        }
        return sum;
    }

    private static double longest(List<ServiceState> open, Function<ServiceState, Duration> time) {
        return open.stream()
                        .map(time)
                        .max(Duration::compareTo)
                        .orElse(Duration.ZERO)
                        .toMillis()
                / MILLIS;
    }

    void open(MeterRegistry registry, ServiceState state) {
        states.add(state);
        if (!withBreakers && !state.breaker().equals(OFF)) {
            withBreakers = true;
            for (String name : BREAKER_STATES) {
                gauge(
                        registry,
                        StowlineMeters.BREAKERS,
                        with(StowlineMeters.MeterKey.STATE, name),
                        open -> open.breaker().equals(name) ? 1 : 0);
            }
        }
    }

    /** Removes a state; returns whether it was the last one, and its meters were removed with it. */
    boolean close(MeterRegistry registry, ServiceState state) {
        if (!states.remove(state) || !states.isEmpty()) {
            return false;
        }
        added.forEach(registry::remove);
        return true;
    }

    void attempted(RequestEnd request) {
        int number = 0;
        for (AttemptEnd attempt : request.attempts()) {
            number++;
            count(attempts.get(AttemptReason.of(attempt, request.existenceCheck())));
            if (attempt.ambiguous()) {
                unanswered.increment();
            }
        }
        if (number > 1) {
            retries.increment(number - 1);
        }
        if (request.stop() == StopReason.QUOTA_EMPTY) {
            quotaRefusals.increment();
        }
    }

    void ended(OperationEnd end) {
        if (end.kind() == OperationEnd.Kind.UNKNOWN) {
            unknown.increment();
        }
        WriteResult written = end.written();
        if (written != null) {
            count(written);
        }
    }

    void delivered(ConsumerEvent event) {
        count(deliveries.get(event.result()));
    }

    void queried(QueryPageEvent event) {
        Density density = densities.get(event.queryClass());
        if (density != null) {
            density.returned().increment(event.returned());
            density.scanned().increment(event.scanned());
        }
    }

    private static void count(@Nullable Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }

    private void count(WriteResult written) {
        count(writes.getOrDefault(written.outcome(), Map.of()).get(written.evidence()));
        if (written.mayHaveRepeated()) {
            repeated.increment();
        }
    }
}
