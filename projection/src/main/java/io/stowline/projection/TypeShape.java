package io.stowline.projection;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a scan found out of a record class; the index in the first three lists is the property's. Immutable. */
record TypeShape(
        List<PropertyDescriptor> properties,
        List<Slot> slots,
        List<ComponentWrite> writes,
        @Nullable KeyComponent partitionKey,
        @Nullable KeyComponent rowKey,
        @Nullable TimestampComponent timestamp,
        int components,
        MethodHandle assembly) {

    List<String> select() {
        List<String> names = new ArrayList<>();
        if (partitionKey != null) {
            names.add(PropertyNames.PARTITION_KEY);
        }
        if (rowKey != null) {
            names.add(PropertyNames.ROW_KEY);
        }
        if (timestamp != null) {
            names.add(PropertyNames.TIMESTAMP);
        }
        for (PropertyDescriptor property : properties) {
            names.add(property.name());
        }
        return List.copyOf(names);
    }
}
