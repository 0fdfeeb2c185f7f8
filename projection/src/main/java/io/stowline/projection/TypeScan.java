package io.stowline.projection;

import java.lang.annotation.Annotation;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the components of one record class by the rules of {@link EntityType}, and refuses what breaks them. */
final class TypeScan {

    private static final List<Class<? extends Annotation>> ROLES =
            List.of(PartitionKey.class, RowKey.class, Timestamp.class, Ignore.class, Property.class);

    private final Class<?> type;
    private final TypeAccess access;
    private final List<MethodHandle> arguments = new ArrayList<>();

    private final Map<String, PropertyDescriptor> properties = new LinkedHashMap<>();
    private final List<Slot> slots = new ArrayList<>();
    private final List<ComponentWrite> writes = new ArrayList<>();

    private @Nullable KeyComponent partitionKey;
    private @Nullable KeyComponent rowKey;
    private @Nullable TimestampComponent timestamp;

    private TypeScan(Class<?> type) {
        this.type = type;
        access = new TypeAccess(type);
    }

    static TypeShape shape(Class<?> type) {
        if (!type.isRecord()) {
            throw new UnmappableTypeException(type, null, "it is not a record", null);
        }
        TypeScan scan = new TypeScan(type);
        scan.scan();
        return new TypeShape(
                List.copyOf(scan.properties.values()),
                List.copyOf(scan.slots),
                List.copyOf(scan.writes),
                scan.partitionKey,
                scan.rowKey,
                scan.timestamp,
                scan.arguments.size(),
                scan.assembly());
    }

    private void scan() {
        RecordComponent[] components = type.getRecordComponents();
        for (int position = 0; position < components.length; position++) {
            scan(components[position], position);
        }
        if (properties.isEmpty() && partitionKey == null && rowKey == null && timestamp == null) {
            throw new UnmappableTypeException(type, null, "no component of it is read or written", null);
        }
        if (properties.size() > PropertyLimits.MAX_PROPERTIES) {
            throw new UnmappableTypeException(
                    type,
                    null,
                    "it has " + properties.size() + " properties; the limit is " + PropertyLimits.MAX_PROPERTIES,
                    null);
        }
    }

    /** The JVM's limit on the parameters of a handle is a little under 255, with long and double counting twice. */
    private MethodHandle assembly() {
        try {
            return Assembly.compose(access.constructor(), arguments);
        } catch (UnmappableTypeException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new UnmappableTypeException(
                    type, null, "its " + arguments.size() + " components are more than a method handle takes", e);
        }
    }

    private void scan(RecordComponent component, int position) {
        Class<? extends Annotation> role = role(component);
        if (role == PartitionKey.class) {
            partitionKey = key(component, position, partitionKey);
        } else if (role == RowKey.class) {
            rowKey = key(component, position, rowKey);
        } else if (role == Timestamp.class) {
            timestamp = timestamp(component, position);
        } else if (role == Ignore.class) {
            arguments.add(Assembly.nothing(component.getType()));
        } else {
            property(component, position);
        }
    }

    private @Nullable Class<? extends Annotation> role(RecordComponent component) {
        Class<? extends Annotation> found = null;
        for (Class<? extends Annotation> role : ROLES) {
            if (!component.isAnnotationPresent(role)) {
                continue;
            }
            if (found != null) {
                throw refused(
                        component, "it is marked both @" + found.getSimpleName() + " and @" + role.getSimpleName());
            }
            found = role;
        }
        return found;
    }

    private KeyComponent key(RecordComponent component, int position, @Nullable KeyComponent other) {
        if (other != null) {
            throw refused(component, "it is a second key of this role beside component " + other.component());
        }
        if (component.getType() != String.class) {
            throw refused(component, component.getGenericType().getTypeName() + " cannot be a key; a key is a String");
        }
        arguments.add(Assembly.value(position, String.class, false));
        return new KeyComponent(
                component.getName(), position, access.getter(component).reference());
    }

    private TimestampComponent timestamp(RecordComponent component, int position) {
        if (timestamp != null) {
            throw refused(component, "it is a second @Timestamp");
        }
        Class<?> javaType = component.getType();
        if (javaType != Instant.class && javaType != OffsetDateTime.class) {
            throw refused(
                    component,
                    component.getGenericType().getTypeName()
                            + " cannot be a timestamp; it is an Instant or an OffsetDateTime");
        }
        arguments.add(Assembly.value(position, javaType, false));
        return new TimestampComponent(position, javaType == OffsetDateTime.class);
    }

    private void property(RecordComponent component, int position) {
        ComponentType resolved = resolve(component);
        Property renamed = component.getAnnotation(Property.class);
        String name = checkedName(component, renamed == null ? component.getName() : renamed.value());
        boolean primitive = component.getType().isPrimitive();
        int index = properties.size();
        PropertyDescriptor other = properties.put(
                name, new PropertyDescriptor(name, resolved.valueType().edmType(), component.getName(), !primitive));
        if (other != null) {
            throw refused(component, "its property " + name + " is that of component " + other.component() + " too");
        }
        String wanted = resolved.javaType().getSimpleName() + " (component " + component.getName() + " of "
                + type.getName() + ")";
        Slot.Target target = new Slot.Target(name, position, wanted, primitive);
        slots.add(Slots.of(resolved.valueType(), resolved.javaType(), target));
        arguments.add(Assembly.value(position, component.getType(), resolved.optional()));
        writes.add(ComponentWrite.of(resolved.valueType(), access.getter(component), index));
    }

    private ComponentType resolve(RecordComponent component) {
        try {
            return ComponentType.of(component);
        } catch (IllegalArgumentException e) {
            throw refused(component, String.valueOf(e.getMessage()));
        }
    }

    private String checkedName(RecordComponent component, String name) {
        try {
            return PropertyNames.check(name);
        } catch (IllegalArgumentException e) {
            throw refused(
                    component,
                    e.getMessage() + "; @Property gives another name, @PartitionKey, @RowKey and"
                            + " @Timestamp mark the service's own properties");
        }
    }

    private UnmappableTypeException refused(RecordComponent component, String reason) {
        return new UnmappableTypeException(type, component.getName(), reason, null);
    }
}
