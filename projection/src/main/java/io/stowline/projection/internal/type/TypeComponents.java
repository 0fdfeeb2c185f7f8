package io.stowline.projection.internal.type;

import io.stowline.projection.Property;
import io.stowline.projection.UnmappableTypeException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The components and the constructor of a type.
 *
 * @param components its components in the order of the constructor's parameters
 * @param constructor makes a value of them
 */
public record TypeComponents(List<MappedComponent> components, TypeConstructor constructor) {

    public static TypeComponents of(Class<?> type) {
        return type.isRecord() ? new RecordComponents(type).anatomy() : new ClassComponents(type).anatomy();
    }

    /** A reader of the components of a record. */
    private static final class RecordComponents {

        private final Class<?> type;
        private final TypeAccess access;

        RecordComponents(Class<?> type) {
            this.type = type;
            access = new TypeAccess(type);
        }

        TypeComponents anatomy() {
            RecordComponent[] components = type.getRecordComponents();
            return new TypeComponents(
                    Arrays.stream(components).map(this::component).toList(), access.constructor(canonical(components)));
        }

        private MappedComponent component(RecordComponent component) {
            return new MappedComponent(
                    component.getName(),
                    true,
                    component.getGenericType(),
                    component,
                    access.getter(component.getType(), component::getAccessor));
        }

        private Constructor<?> canonical(RecordComponent[] components) {
            try {
                return type.getDeclaredConstructor(
                        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            } catch (NoSuchMethodException e) {
                throw new UnmappableTypeException(type, null, "its canonical constructor is not found", e);
            }
        }
    }

    /** A reader of the components of an immutable class: the parameters of its one public constructor. */
    private static final class ClassComponents {

        private static final String ADVICE =
                "; use a record, or an immutable class whose one public constructor takes all components";

        private static final String KOTLIN_DEFAULTS = "kotlin.jvm.internal.DefaultConstructorMarker";

        private final Class<?> type;
        private final Constructor<?> constructor;
        private final TypeAccess access;
        private final ComponentValues values;

        ClassComponents(Class<?> type) {
            this.type = type;
            constructor = constructor(type);
            access = new TypeAccess(type);
            values = new ComponentValues(type);
        }

        TypeComponents anatomy() {
            List<MappedComponent> components = new ArrayList<>();
            for (Parameter parameter : constructor.getParameters()) {
                components.add(component(parameter, components.size() + 1));
            }
            return new TypeComponents(List.copyOf(components), access.constructor(constructor));
        }

        private static Constructor<?> constructor(Class<?> type) {
            boolean inner = type.isLocalClass()
                    || type.isAnonymousClass()
                    || (type.isMemberClass() && !Modifier.isStatic(type.getModifiers()));
            boolean plain = !type.isPrimitive() && !type.isArray() && !type.isEnum();
            if (!plain || inner || Modifier.isAbstract(type.getModifiers())) {
                throw refused(type, "it is not a record and cannot be instantiated");
            }
            List<Constructor<?>> constructors = declared(type);
            if (constructors.size() != 1) {
                throw refused(type, "it is not a record and has " + constructors.size() + " public constructors");
            }
            if (constructors.get(0).getParameterCount() == 0) {
                throw refused(type, "it is not a record and its constructor takes nothing; setters are not called");
            }
            return constructors.get(0);
        }

        /**
         * Without the constructors that Kotlin's compiler adds for default arguments: a synthetic one, and one that
         * takes nothing if all arguments have a default.
         */
        private static List<Constructor<?>> declared(Class<?> type) {
            List<Constructor<?>> all = List.of(type.getConstructors());
            boolean hasDefaults = all.stream().anyMatch(ClassComponents::isForDefaults);
            List<Constructor<?>> declared =
                    all.stream().filter(each -> !each.isSynthetic()).toList();
            List<Constructor<?>> taking = declared.stream()
                    .filter(each -> each.getParameterCount() > 0)
                    .toList();
            return hasDefaults && !taking.isEmpty() ? taking : declared;
        }

        private static boolean isForDefaults(Constructor<?> constructor) {
            Class<?>[] parameters = constructor.getParameterTypes();
            return constructor.isSynthetic()
                    && parameters.length > 0
                    && parameters[parameters.length - 1].getName().equals(KOTLIN_DEFAULTS);
        }

        private MappedComponent component(Parameter parameter, int number) {
            Property property = parameter.getAnnotation(Property.class);
            if (!parameter.isNamePresent() && property == null) {
                throw new UnmappableTypeException(
                        type,
                        null,
                        "the name of its constructor's parameter " + number
                                + " is not in the class file; compile it with"
                                + " -parameters, or mark each parameter with @Property",
                        null);
            }
            String name = parameter.isNamePresent() || property == null ? parameter.getName() : property.value();
            Type declared = parameter.getParameterizedType();
            Getter getter = access.getter(parameter.getType(), () -> values.accessor(name, declared));
            return new MappedComponent(name, parameter.isNamePresent(), declared, parameter, getter);
        }

        private static UnmappableTypeException refused(Class<?> type, String reason) {
            return new UnmappableTypeException(type, null, reason + ADVICE, null);
        }
    }
}
