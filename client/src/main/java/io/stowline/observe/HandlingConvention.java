package io.stowline.observe;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** A convention that names and tags handlings of messages by the convention of operations, so that the meters of both have the same keys. */
record HandlingConvention(StowlineObservationConvention operations) implements ObservationConvention<HandlingContext> {

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof HandlingContext;
    }

    @Override
    public String getName() {
        return operations.getName();
    }

    @Override
    public String getContextualName(HandlingContext context) {
        return operations.getContextualName(context.handling());
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(HandlingContext context) {
        return operations.getLowCardinalityKeyValues(context.handling());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(HandlingContext context) {
        return operations.getHighCardinalityKeyValues(context.handling());
    }
}
