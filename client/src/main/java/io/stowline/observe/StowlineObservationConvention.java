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
 * The names and tags of operation observations. Its methods are the default; override some of them and give the result to
 * {@link MicrometerListener#withConvention}. One in the observation registry serves operations too, but not handlings of messages. Implementations
 * are thread-safe.
 */
@SuppressWarnings("exports") // Micrometer is optional: who uses this class requires it
public interface StowlineObservationConvention extends GlobalObservationConvention<StowlineObservationContext> {

    /**
     * Returns the default with one more key of few values, {@code resource.name}: the table, the queue or the container of an operation.
     * The first names have separate values, and all others are {@code other}, so that programs that make tables by the hour
     * do not fill the registry.
     *
     * @param max the number of names with separate values, at least 1
     * @return the convention
     * @throws IllegalArgumentException if the number is less than 1
     */
    static StowlineObservationConvention withResourceNames(int max) {
        return new BoundedNames(max);
    }

    /**
     * Returns the default with the names of OpenTelemetry's semantic conventions: a span is named by operation and target, such as {@code send
     * orders}, and has attributes such as {@code messaging.system}, {@code db.collection.name}, {@code server.address} and {@code error.type}.
     * Meters keep their names and tags.
     *
     * @return the convention
     */
    static StowlineObservationConvention openTelemetry() {
        return OpenTelemetryConvention.INSTANCE;
    }

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
                id == null ? EndTags.NO_REQUEST : HighCardinality.CLIENT_REQUEST_ID.withValue(id),
                EndTags.attempts(context.attempts()));
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
