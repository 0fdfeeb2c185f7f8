package io.stowline.projection.internal.write;

import io.stowline.projection.internal.edm.PropertyNames;
import io.stowline.projection.internal.edm.TextParsers;
import io.stowline.projection.internal.edm.ValueType;
import io.stowline.projection.internal.type.ComponentType;
import io.stowline.projection.internal.type.Conversion;
import io.stowline.projection.internal.type.Getter;
import io.stowline.projection.internal.type.PropertyDescriptor;
import io.stowline.projection.internal.type.StoredForm;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A writer that hands one component of a value to a writer. A primitive is boxed for a converter only.
 */
@FunctionalInterface
public interface ComponentWriter {

    void write(Object instance, PropertyWriter writer);

    /** A function that hands over a value that is there. */
    @FunctionalInterface
    interface Put {
        void put(PropertyWriter writer, int index, Object value);
    }

    static ComponentWriter of(ComponentType type, Getter getter, PropertyDescriptor property, int index) {
        ValueType rule = type.form().valueType();
        if (type.bits()) {
            return primitive(rule, getter, index);
        }
        Conversion conversion = type.form().conversion();
        Put put = conversion == null
                ? put(rule, property.name())
                : converted(conversion, property.name(), put(rule, property.name()));
        return type.optional() ? optional(put, getter.reference(), index) : reference(put, getter.reference(), index);
    }

    /** Returns a writer of a nested value, which writes nothing for an absent one. */
    static ComponentWriter nested(Function<Object, @Nullable Object> getter, ComponentWriter whole) {
        return (instance, writer) -> {
            Object value = getter.apply(instance);
            Object inner = value instanceof Optional<?> optional ? optional.orElse(null) : value;
            if (inner != null) {
                whole.write(inner, writer);
            }
        };
    }

    private static Put converted(Conversion conversion, String property, Put put) {
        return (writer, index, value) -> put.put(writer, index, conversion.store(property, value));
    }

    private static ComponentWriter reference(Put put, Function<Object, @Nullable Object> getter, int index) {
        return (instance, writer) -> {
            Object value = getter.apply(instance);
            if (value != null) {
                put.put(writer, index, value);
            }
        };
    }

    /** An Optional that is null is as absent as an empty one. */
    private static ComponentWriter optional(Put put, Function<Object, @Nullable Object> getter, int index) {
        return (instance, writer) -> {
            Object value = getter.apply(instance);
            if (value instanceof Optional<?> optional && optional.isPresent()) {
                put.put(writer, index, optional.get());
            }
        };
    }

    private static ComponentWriter primitive(ValueType type, Getter getter, int index) {
        return switch (type.edmType()) {
            case BOOLEAN -> {
                Predicate<Object> read = getter.bool();
                yield (instance, writer) -> writer.bool(index, read.test(instance));
            }
            case INT32 -> {
                ToIntFunction<Object> read = getter.int32();
                yield (instance, writer) -> writer.int32(index, read.applyAsInt(instance));
            }
            case INT64 -> {
                ToLongFunction<Object> read = getter.int64();
                yield (instance, writer) -> writer.int64(index, read.applyAsLong(instance));
            }
            case DOUBLE -> {
                ToDoubleFunction<Object> read = getter.doubleValue();
                yield (instance, writer) -> writer.doubleValue(index, read.applyAsDouble(instance));
            }
            case STRING, DATETIME, GUID, BINARY -> throw new IllegalStateException(type + " has no primitive form");
        };
    }

    private static Put put(ValueType type, String property) {
        return switch (type) {
            case STRING -> (writer, index, value) -> writer.string(index, (String) value);
            case BOOLEAN -> (writer, index, value) -> writer.bool(index, (Boolean) value);
            case BYTE, SHORT, INT -> (writer, index, value) -> writer.int32(index, ((Number) value).intValue());
            case LONG -> (writer, index, value) -> writer.int64(index, (Long) value);
            case FLOAT, DOUBLE -> (writer, index, value) -> writer.doubleValue(index, ((Number) value).doubleValue());
            case INSTANT -> (writer, index, value) -> writer.dateTime(index, (Instant) value);
            case OFFSET_DATE_TIME ->
                (writer, index, value) -> writer.dateTime(index, ((OffsetDateTime) value).toInstant());
            case GUID -> (writer, index, value) -> writer.guid(index, (UUID) value);
            case BYTES -> (writer, index, value) -> writer.binary(index, (byte[]) value);
            case DURATION, BIG_INTEGER -> (writer, index, value) -> writer.string(index, value.toString());
            case LOCAL_DATE ->
                (writer, index, value) -> writer.string(index, TextParsers.localDate(property, (LocalDate) value));
            case BIG_DECIMAL ->
                (writer, index, value) -> writer.string(index, TextParsers.decimal(property, (BigDecimal) value));
            case ENUM -> (writer, index, value) -> writer.string(index, ((Enum<?>) value).name());
        };
    }

    /** A writer that hands the components of a value to a writer: of the mapped class itself, since a subclass has more than is known here. */
    public static final class InstanceWriter implements ComponentWriter {

        private final Class<?> type;
        private final ComponentWriter[] components;

        public InstanceWriter(Class<?> type, List<ComponentWriter> components) {
            this.type = type;
            this.components = components.toArray(ComponentWriter[]::new);
        }

        @Override
        public void write(Object instance, PropertyWriter writer) {
            if (instance.getClass() != type) {
                throw new IllegalArgumentException("a " + instance.getClass().getName() + " is not written as the "
                        + type.getName() + " that is mapped: what the subclass adds would be lost");
            }
            for (ComponentWriter component : components) {
                component.write(instance, writer);
            }
        }
    }

    /**
     * A writer that hands the entries of a property bag to a writer.
     *
     * @param getter gives the bag
     * @param taken the names of the other components' properties
     */
    public record BagWriter(Function<Object, @Nullable Object> getter, Set<String> taken) implements ComponentWriter {

        @Override
        public void write(Object instance, PropertyWriter writer) {
            Object bag = getter.apply(instance);
            if (bag != null) {
                ((Map<?, ?>) bag).forEach((name, value) -> write((String) name, value, writer));
            }
        }

        private void write(@Nullable String name, @Nullable Object value, PropertyWriter writer) {
            if (name == null) {
                throw new IllegalArgumentException("a name in the property bag is null");
            }
            PropertyNames.check(name);
            if (taken.contains(name)) {
                throw new IllegalArgumentException(
                        "property " + name + " of the bag is that of a component too; set the component");
            }
            if (value != null) {
                writer.other(name, stored(name, value));
            }
        }

        private static Object stored(String name, Object value) {
            try {
                return StoredForm.ofValue(value);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("property " + name + " of the bag: " + e.getMessage(), e);
            }
        }
    }
}
