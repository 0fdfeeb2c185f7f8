package io.stowline.spring.boot.resilience4j;

import io.github.resilience4j.core.EventConsumer;
import io.github.resilience4j.core.EventProcessor;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import io.github.resilience4j.retry.event.RetryEvent;
import io.github.resilience4j.retry.event.RetryOnErrorEvent;
import io.github.resilience4j.retry.event.RetryOnIgnoredErrorEvent;
import io.github.resilience4j.retry.event.RetryOnRetryEvent;
import io.github.resilience4j.retry.event.RetryOnSuccessEvent;
import io.stowline.observe.AttemptReason;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.retry.AttemptEnd;
import io.stowline.retry.RetrySettings;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * A view of a client's retries on one service as a {@link Retry}: configuration, counts and events for those who watch Resilience4j. A call is a request with all
 * its attempts. It repeats no calls itself. Thread-safe.
 */
final class ServiceRetry implements Retry, OperationListener {

    private final String name;
    private final RetryConfig config;
    private final Map<String, String> tags;
    private final Events events = new Events();
    private final Counts counts = new Counts();

    /**
     * Makes the view.
     *
     * @param tags the tags of its registry, and no others: a registry of Prometheus refuses meters of one name with different tags
     */
    ServiceRetry(String name, RetrySettings settings, Map<String, String> tags) {
        this.name = name;
        this.config = RetryConfig.custom()
                .maxAttempts(settings.retries() + 1)
                .intervalFunction(settings.backoff())
                .build();
        this.tags = tags;
    }

    /** Counts a request and publishes its events. They come at its end, when its waits are known. */
    @Override
    public void onRequestEnd(RequestEnd request) {
        List<AttemptEnd> attempts = request.attempts();
        if (attempts.isEmpty()) {
            return;
        }
        int retries = attempts.size() - 1;
        AttemptReason reason = AttemptReason.of(attempts.get(retries), request.existenceCheck());
        boolean succeeded = reason == AttemptReason.SUCCESS || reason == AttemptReason.ABSENT;
        counts.add(succeeded, retries);
        if (events.hasConsumers()) {
            for (int retry = 1; retry <= retries; retry++) {
                long waited = attempts.get(retry).waitedBefore().toMillis();
                events.processEvent(new RetryOnRetryEvent(name, retry, failure(request, retry - 1), waited));
            }
            if (!succeeded) {
                events.processEvent(failed(request, retries));
            } else if (retries > 0) {
                events.processEvent(new RetryOnSuccessEvent(name, retries, failure(request, retries - 1)));
            }
        }
    }

    private RetryEvent failed(RequestEnd request, int retries) {
        ShownFailure last = failure(request, retries);
        return switch (request.stop()) {
            case RETRIES_EXHAUSTED, DEADLINE, HINT_BEYOND_DEADLINE -> new RetryOnErrorEvent(name, retries + 1, last);
            case SUCCEEDED, NOT_RETRYABLE, BODY_NOT_REPLAYABLE, QUOTA_EMPTY -> new RetryOnIgnoredErrorEvent(name, last);
        };
    }

    private static ShownFailure failure(RequestEnd request, int index) {
        String stop = index == request.attempts().size() - 1 ? request.stop().name() : "";
        return new ShownFailure(request.name(), request.attempts().get(index), stop, request.clientRequestId());
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public <T> Context<T> context() {
        throw refusal();
    }

    @Override
    public <T> AsyncContext<T> asyncContext() {
        throw refusal();
    }

    private UnsupportedOperationException refusal() {
        return new UnsupportedOperationException(
                "The Retry '" + name + "' shows the retries that the client of Stowline makes itself, by the"
                        + " properties under 'stowline.retry'; it repeats no calls. Use a Retry of"
                        + " another name, or none.");
    }

    @Override
    public RetryConfig getRetryConfig() {
        return config;
    }

    @Override
    public Map<String, String> getTags() {
        return tags;
    }

    @Override
    public EventPublisher getEventPublisher() {
        return events;
    }

    @Override
    public Metrics getMetrics() {
        return counts;
    }

    /** The numbers of requests, by their end and by whether they were retried. */
    private static final class Counts implements Metrics {

        private final LongAdder succeededAtOnce = new LongAdder();
        private final LongAdder succeededAfterRetry = new LongAdder();
        private final LongAdder failedAtOnce = new LongAdder();
        private final LongAdder failedAfterRetry = new LongAdder();

        void add(boolean succeeded, int retries) {
            if (succeeded) {
                (retries == 0 ? succeededAtOnce : succeededAfterRetry).increment();
            } else {
                (retries == 0 ? failedAtOnce : failedAfterRetry).increment();
            }
        }

        @Override
        public long getNumberOfSuccessfulCallsWithoutRetryAttempt() {
            return succeededAtOnce.sum();
        }

        @Override
        public long getNumberOfFailedCallsWithoutRetryAttempt() {
            return failedAtOnce.sum();
        }

        @Override
        public long getNumberOfSuccessfulCallsWithRetryAttempt() {
            return succeededAfterRetry.sum();
        }

        @Override
        public long getNumberOfFailedCallsWithRetryAttempt() {
            return failedAfterRetry.sum();
        }

        @Override
        public long getNumberOfTotalCalls() {
            return succeededAtOnce.sum() + succeededAfterRetry.sum() + failedAtOnce.sum() + failedAfterRetry.sum();
        }
    }

    private static final class Events extends EventProcessor<RetryEvent> implements EventPublisher {

        @Override
        public EventPublisher onRetry(EventConsumer<RetryOnRetryEvent> consumer) {
            registerConsumer(RetryOnRetryEvent.class.getName(), consumer);
            return this;
        }

        @Override
        public EventPublisher onSuccess(EventConsumer<RetryOnSuccessEvent> consumer) {
            registerConsumer(RetryOnSuccessEvent.class.getName(), consumer);
            return this;
        }

        @Override
        public EventPublisher onError(EventConsumer<RetryOnErrorEvent> consumer) {
            registerConsumer(RetryOnErrorEvent.class.getName(), consumer);
            return this;
        }

        @Override
        public EventPublisher onIgnoredError(EventConsumer<RetryOnIgnoredErrorEvent> consumer) {
            registerConsumer(RetryOnIgnoredErrorEvent.class.getName(), consumer);
            return this;
        }
    }

    /** A failed attempt as events show it: verb and reason, no keys and names. Has no stack trace: the attempt is not an exception. */
    static final class ShownFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private ShownFailure(String verb, AttemptEnd attempt, String stop, String clientRequestId) {
            super(
                    verb + ": " + attempt.reason() + " [attempt " + attempt.number()
                            + (attempt.ambiguous() ? ", perhaps applied" : "")
                            + (stop.isEmpty()
                                    ? ""
                                    : ", " + stop.toLowerCase(Locale.ROOT).replace('_', ' '))
                            + "; client-request-id " + clientRequestId + "]",
                    null,
                    false,
                    false);
        }
    }
}
