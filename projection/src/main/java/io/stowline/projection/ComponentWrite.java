package io.stowline.projection;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;

/**
 * Hands one component of a record to a writer. The getter is called through a handle of an exact type, so a primitive
 * is never boxed.
 */
@FunctionalInterface
interface ComponentWrite {

    void write(Object instance, PropertyWriter writer) throws Throwable;

    /** Hands over a value that is there. */
    @FunctionalInterface
    interface Put {
        void put(PropertyWriter writer, int index, Object value);
    }

    static ComponentWrite of(ValueType type, MethodHandle getter, int index) {
        Class<?> declared = getter.type().returnType();
        if (declared.isPrimitive()) {
            return primitive(type, getter, index);
        }
        MethodHandle exact = getter.asType(MethodType.methodType(Object.class, Object.class));
        return declared == Optional.class ? optional(put(type), exact, index) : reference(put(type), exact, index);
    }

    private static ComponentWrite reference(Put put, MethodHandle getter, int index) {
        return (instance, writer) -> {
            Object value = (Object) getter.invokeExact(instance);
            if (value != null) {
                put.put(writer, index, value);
            }
        };
    }

    /** An Optional that is itself null is as absent as an empty one. */
    private static ComponentWrite optional(Put put, MethodHandle getter, int index) {
        return (instance, writer) -> {
            Object value = (Object) getter.invokeExact(instance);
            if (value instanceof Optional<?> optional && optional.isPresent()) {
                put.put(writer, index, optional.get());
            }
        };
    }

    private static ComponentWrite primitive(ValueType type, MethodHandle getter, int index) {
        return switch (type.edmType()) {
            case BOOLEAN -> {
                MethodHandle exact = getter.asType(MethodType.methodType(boolean.class, Object.class));
                yield (instance, writer) -> writer.bool(index, (boolean) exact.invokeExact(instance));
            }
            case INT32 -> {
                MethodHandle exact = getter.asType(MethodType.methodType(int.class, Object.class));
                yield (instance, writer) -> writer.int32(index, (int) exact.invokeExact(instance));
            }
            case INT64 -> {
                MethodHandle exact = getter.asType(MethodType.methodType(long.class, Object.class));
                yield (instance, writer) -> writer.int64(index, (long) exact.invokeExact(instance));
            }
            case DOUBLE -> {
                MethodHandle exact = getter.asType(MethodType.methodType(double.class, Object.class));
                yield (instance, writer) -> writer.doubleValue(index, (double) exact.invokeExact(instance));
            }
            case STRING, DATETIME, GUID, BINARY -> throw new IllegalStateException(type + " has no primitive form");
        };
    }

    private static Put put(ValueType type) {
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
            case DURATION -> (writer, index, value) -> writer.string(index, ((Duration) value).toString());
            case ENUM -> (writer, index, value) -> writer.string(index, ((Enum<?>) value).name());
        };
    }
}
