package io.stowline.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.NullObservation;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.caching.ResponseCache;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * A listener that reports to Micrometer. Each operation is an observation named {@code stowline.operation}; attempts, outcomes and the
 * client's state are meters. Needs {@code micrometer-core} and {@code micrometer-observation}.
 *
 * <p>An operation's parent is the observation in the Reactor context of its subscriber, else the current one of the thread. Its own
 * observation lies in the Reactor context of its requests, and is not the current one of any thread. That of the handling
 * of a message is the current one of the thread of a blocking handler.
 *
 * <p>The meters of a service of an account come with the first client and leave the registry with the last one that is closed. Clients
 * of one account share them, whether they share this listener or not: counters count for all of them, gauges are sums.
 *
 * <p>Immutable and thread-safe.
 */
@SuppressWarnings("exports") // Micrometer is optional: who uses this class requires it
public final class MicrometerListener implements StowlineListener {

    private static final StowlineObservationConvention DEFAULT = new StowlineObservationConvention() {};

    private final ObservationRegistry observations;
    private final MeterRegistry meters;
    private final SharedMeters shared;
    private final @Nullable StowlineObservationConvention convention;

    private MicrometerListener(
            ObservationRegistry observations,
            MeterRegistry meters,
            @Nullable StowlineObservationConvention convention) {
        this.observations = observations;
        this.meters = meters;
        this.shared = SharedMeters.of(meters);
        this.convention = convention;
    }

    /**
     * Returns a listener with the default names, unless the observation registry has a convention for {@link StowlineObservationContext}.
     *
     * @param observations receives operations; {@link ObservationRegistry#NOOP} for none
     * @param meters holds the meters
     * @return the listener
     */
    public static MicrometerListener of(ObservationRegistry observations, MeterRegistry meters) {
        return new MicrometerListener(
                Objects.requireNonNull(observations, "observations"), Objects.requireNonNull(meters, "meters"), null);
    }

    /**
     * Returns the same listener with another convention, which goes before those of the observation registry. It names handlings of
     * messages, too, which those of the registry do not.
     *
     * @param given names and tags observations
     * @return the listener
     */
    public MicrometerListener withConvention(StowlineObservationConvention given) {
        return new MicrometerListener(observations, meters, Objects.requireNonNull(given, "convention"));
    }

    @Override
    public void onServiceOpened(ServiceState state) {
        shared.open(meters, state);
    }

    @Override
    public void onServiceClosed(ServiceState state) {
        shared.close(meters, state);
    }

    @Override
    public void onCacheOpened(String account, ResponseCache cache) {
        shared.caches().open(meters, account, cache);
    }

    @Override
    public void onCacheClosed(String account, ResponseCache cache) {
        shared.caches().close(meters, cache);
    }

    @Override
    public void onConsumerEvent(ConsumerEvent event) {
        shared.delivered(event);
    }

    @Override
    public void onQueryPage(QueryPageEvent event) {
        shared.queried(event);
    }

    @Override
    public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
        StowlineObservationContext seen = new StowlineObservationContext(operation);
        Observation observation = operation.isHandling()
                ? handling(seen)
                : StowlineObservation.OPERATION.observation(convention, DEFAULT, () -> seen, observations);
        if (context.getOrDefault(MicrometerOperation.KEY, null) instanceof Observation parent) {
            observation.parentObservation(parent);
        } else if (observations.getCurrentObservation() instanceof NullObservation) {
            observation.parentObservation(null);
        }
        return new MicrometerOperation(observation.start(), seen, shared.of(operation));
    }

    @Override
    @SuppressWarnings("try") // the scope is closed, and not used
    public void runDetached(Runnable work) {
        if (observations.getCurrentObservation() == null) {
            work.run();
            return;
        }
        try (Observation.Scope none = new NullObservation(observations).start().openScope()) {
            work.run();
        }
    }

    private Observation handling(StowlineObservationContext seen) {
        HandlingConvention names = new HandlingConvention(convention == null ? DEFAULT : convention);
        return Observation.createNotStarted(names, () -> new HandlingContext(seen), observations);
    }

    /** One operation, reported to its observation and to the meters of its service. */
    static final class MicrometerOperation implements OperationListener {

        /**
         * The key of an observation in a Reactor context, that of Micrometer's {@code ObservationThreadLocalAccessor},
         * which cannot be loaded without the library context-propagation.
         */
        static final String KEY = "micrometer.observation";

        private final Observation observation;
        private final StowlineObservationContext seen;
        private final @Nullable ServiceMeters meters;

        MicrometerOperation(Observation observation, StowlineObservationContext seen, @Nullable ServiceMeters meters) {
            this.observation = observation;
            this.seen = seen;
            this.meters = meters;
        }

        @Override
        public Context context(Context context) {
            return observation.isNoop() ? context : context.put(KEY, observation);
        }

        @Override
        public Map<String, String> headers() {
            return seen.carried();
        }

        @Override
        @SuppressWarnings("try") // the scope is closed, and not used
        public void run(Runnable code) {
            try (Observation.Scope scope = observation.openScope()) {
                code.run();
            }
        }

        @Override
        public void onRequestEnd(RequestEnd request) {
            seen.add(request);
            if (meters != null) {
                meters.attempted(request);
            }
        }

        @Override
        public void onOperationEnd(OperationEnd end) {
            seen.end(end);
            if (end.error() != null) {
                observation.error(end.error());
            }
            observation.stop();
            if (meters != null) {
                meters.ended(end);
            }
        }
    }
}
