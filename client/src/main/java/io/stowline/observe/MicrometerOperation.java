package io.stowline.observe;

import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/** Tells one operation to its observation and to the meters of its service. */
final class MicrometerOperation implements OperationListener {

    /**
     * Where an observation lies in a Reactor context: the key of Micrometer's {@code ObservationThreadLocalAccessor}, which cannot be
     * loaded without the library context-propagation.
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
    public void attempted(RequestEnd request) {
        seen.add(request);
        if (meters != null) {
            meters.attempted(request);
        }
    }

    @Override
    public void ended(OperationEnd end) {
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
