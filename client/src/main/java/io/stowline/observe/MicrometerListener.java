package io.stowline.observe;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.caching.ResponseCache;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Tells Micrometer: each operation is an observation ({@link StowlineObservation}), attempts, outcomes and the state of the client are
 * meters ({@link StowlineMeters}). Needs {@code micrometer-core} and {@code micrometer-observation}.
 *
 * <p>An operation's parent is the observation in the Reactor context of whoever subscribed, else the current one of the thread.
 * Its own observation lies in the Reactor context of its requests. It is not the current one of any thread.
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
     * A listener with the default names, unless the observation registry has a convention for {@link StowlineObservationContext}.
     *
     * @param observations is told of operations; {@link ObservationRegistry#NOOP} for none
     * @param meters holds the meters
     * @return the listener
     */
    public static MicrometerListener of(ObservationRegistry observations, MeterRegistry meters) {
        return new MicrometerListener(
                Objects.requireNonNull(observations, "observations"), Objects.requireNonNull(meters, "meters"), null);
    }

    /**
     * The same listener with another convention, which goes before those of the observation registry.
     *
     * @param given names and tags observations
     * @return the listener
     */
    public MicrometerListener with(StowlineObservationConvention given) {
        return new MicrometerListener(observations, meters, Objects.requireNonNull(given, "convention"));
    }

    @Override
    public void opened(ServiceState state) {
        shared.open(meters, state);
    }

    @Override
    public void closed(ServiceState state) {
        shared.close(meters, state);
    }

    @Override
    public void cacheOpened(String account, ResponseCache cache) {
        shared.caches().open(meters, account, cache);
    }

    @Override
    public void cacheClosed(String account, ResponseCache cache) {
        shared.caches().close(meters, cache);
    }

    @Override
    public OperationListener started(OperationInfo operation, ContextView context) {
        StowlineObservationContext seen = new StowlineObservationContext(operation);
        Observation observation =
                StowlineObservation.OPERATION.observation(convention, DEFAULT, () -> seen, observations);
        if (context.getOrDefault(MicrometerOperation.KEY, null) instanceof Observation parent) {
            observation.parentObservation(parent);
        }
        return new MicrometerOperation(observation.start(), seen, shared.of(operation));
    }
}
