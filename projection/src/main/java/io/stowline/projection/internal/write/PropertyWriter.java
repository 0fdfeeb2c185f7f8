package io.stowline.projection.internal.write;

import io.stowline.projection.EntityType;
import io.stowline.projection.PropertyBag;
import io.stowline.projection.internal.edm.EdmDateTime;
import io.stowline.projection.internal.edm.EdmType;
import io.stowline.projection.internal.edm.PropertyLimits;
import java.time.Instant;
import java.util.UUID;

/**
 * A receiver that takes the properties of one value, by their index in {@link EntityType#properties()}.
 *
 * <p>The calls come in the order of the indexes. A property without a value (a null component, an empty
 * {@code Optional}) gets no call. Limits of sizes and ranges are the implementation's to check: {@link PropertyLimits},
 * {@link EdmDateTime}. What a call throws passes through {@link EntityType#write}.
 */
public interface PropertyWriter {

    /** Takes an {@code Edm.String}; enums and durations are strings already. */
    void string(int index, String value);

    /** Takes an {@code Edm.Boolean}. */
    void bool(int index, boolean value);

    /** Takes an {@code Edm.Int32}. */
    void int32(int index, int value);

    /** Takes an {@code Edm.Int64}. */
    void int64(int index, long value);

    /**
     * Takes an {@code Edm.Double}.
     *
     * @param index the property's index
     * @param value the number; NaN and the infinities are values too
     */
    void doubleValue(int index, double value);

    /**
     * Takes an {@code Edm.DateTime}.
     *
     * @param index the property's index
     * @param value the time, not yet cut to 100 ns and not yet checked against the range
     */
    void dateTime(int index, Instant value);

    /** Takes an {@code Edm.Guid}. */
    void guid(int index, UUID value);

    /**
     * Takes an {@code Edm.Binary}.
     *
     * @param index the property's index
     * @param value the value's own array, not a copy; to be read only
     */
    void binary(int index, byte[] value);

    /**
     * Takes an entry of a {@link PropertyBag}, after all others.
     *
     * @param name the property's name, which is allowed and no other property's
     * @param value a {@code String}, {@code Boolean}, {@code Integer}, {@code Long}, {@code Double}, {@code Instant},
     *     {@code UUID} or {@code byte[]}; {@link EdmType#of} gives its type
     */
    void other(String name, Object value);
}
