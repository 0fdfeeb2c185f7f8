package io.stowline.observe;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import io.stowline.observe.StowlineObservation.HighCardinality;
import io.stowline.outcome.WriteResult;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How observations of operations are named and tagged. Its methods are the default; override some of them and give the result to
 * {@link MicrometerListener#with} or register it with the observation registry. Implementations are thread-safe.
 */
@SuppressWarnings("exports") // Micrometer is optional: who uses this class requires it
public interface StowlineObservationConvention extends GlobalObservationConvention<StowlineObservationContext> {

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof StowlineObservationContext;
    }

    @Override
    default String getName() {
        return "stowline.operation";
    }

    @Override
    default String getContextualName(StowlineObservationContext context) {
        return context.operation().service() + ' ' + context.operation().name();
    }

    @Override
    default KeyValues getLowCardinalityKeyValues(StowlineObservationContext context) {
        return EndTags.of(context.operation(), outcome(context), exception(context));
    }

    @Override
    default KeyValues getHighCardinalityKeyValues(StowlineObservationContext context) {
        String id = context.clientRequestId();
        return KeyValues.of(
                HighCardinality.RESOURCE.withValue(context.operation().resource()),
                HighCardinality.CLIENT_REQUEST_ID.withValue(id == null ? KeyValue.NONE_VALUE : id),
                HighCardinality.ATTEMPTS.withValue(Integer.toString(context.attempts())));
    }

    private static String outcome(StowlineObservationContext context) {
        OperationEnd end = context.end();
        if (end == null) {
            return KeyValue.NONE_VALUE;
        }
        return switch (end.kind()) {
            case SUCCEEDED -> success(end.written());
            case FAILED, UNKNOWN, CANCELLED -> end.kind().name().toLowerCase(Locale.ROOT);
        };
    }

    private static String success(@Nullable WriteResult written) {
        if (written == null) {
            return "success";
        }
        return switch (written.outcome()) {
            case CONFIRMED -> "success";
            case RECOVERED -> "recovered";
            case ABSENT -> "absent";
        };
    }

    private static String exception(StowlineObservationContext context) {
        OperationEnd end = context.end();
        Throwable error = end == null ? null : end.error();
        return error == null ? KeyValue.NONE_VALUE : error.getClass().getSimpleName();
    }
}
