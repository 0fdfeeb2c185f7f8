package io.stowline.projection;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;

/** Finds the handles of a record's accessors and of its canonical constructor. */
final class TypeAccess {

    private final Class<?> type;
    private final MethodHandles.Lookup lookup;

    TypeAccess(Class<?> type) {
        this.type = type;
        lookup = lookup(type);
    }

    Getter getter(RecordComponent component) {
        try {
            return new Getter(lookup, lookup.unreflect(component.getAccessor()));
        } catch (IllegalAccessException e) {
            throw closed(e);
        }
    }

    MethodHandle constructor() {
        Class<?>[] parameters = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(parameters);
            return lookup.unreflectConstructor(canonical);
        } catch (NoSuchMethodException e) {
            throw new UnmappableTypeException(type, null, "its canonical constructor is not found", e);
        } catch (IllegalAccessException e) {
            throw closed(e);
        }
    }

    /** A public record of an exported package needs no {@code opens}: the public lookup reaches it. */
    private static MethodHandles.Lookup lookup(Class<?> type) {
        TypeAccess.class.getModule().addReads(type.getModule());
        try {
            return MethodHandles.privateLookupIn(type, MethodHandles.lookup());
        } catch (IllegalAccessException e) {
            return MethodHandles.publicLookup();
        }
    }

    private UnmappableTypeException closed(IllegalAccessException cause) {
        Module ours = TypeAccess.class.getModule();
        String to = ours.isNamed() ? " to " + ours.getName() : "";
        return new UnmappableTypeException(
                type,
                null,
                "its module " + type.getModule().getName() + " keeps it closed; add \"opens " + type.getPackageName()
                        + to + ";\" to its module-info.java, or make it public in an exported package",
                cause);
    }
}
