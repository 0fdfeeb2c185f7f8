package io.stowline.observe;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** A convention that names and tags handlings of messages by the convention of operations, so that the meters of both have the same keys. */
record HandlingConvention(StowlineObservationConvention operations)
        implements ObservationConvention<StowlineHandlingContext> {

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof StowlineHandlingContext;
    }

    @Override
    public String getName() {
        return operations.getName();
    }

    @Override
    public String getContextualName(StowlineHandlingContext context) {
        return operations.getContextualName(context.handling());
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(StowlineHandlingContext context) {
        return operations.getLowCardinalityKeyValues(context.handling());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(StowlineHandlingContext context) {
        return operations.getHighCardinalityKeyValues(context.handling());
    }
}
