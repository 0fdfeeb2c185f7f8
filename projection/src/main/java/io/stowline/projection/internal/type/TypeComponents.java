package io.stowline.projection.internal.type;

import io.stowline.projection.Property;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.projection.internal.type.KotlinMetadata.KotlinConstructor;
import io.stowline.projection.internal.type.KotlinMetadata.KotlinParameter;
import io.stowline.projection.internal.type.MappedComponent.Argument;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The components and the constructor of a type.
 *
 * @param components its components in the order of the constructor's parameters
 * @param constructor makes a value of them; with default arguments also of masks, and of a marker that is null
 * @param masks the number of masks, after the components: bit {@code i % 32} of mask {@code i / 32} is set where component {@code i} takes
 *     its default argument
 */
public record TypeComponents(List<MappedComponent> components, TypeConstructor constructor, int masks) {

    /** Returns the class of the marker, which the constructor takes after the masks if there are any. */
    public Optional<Class<?>> marker() {
        Class<?>[] parameters = constructor.constructor().getParameterTypes();
        return masks == 0 ? Optional.empty() : Optional.of(parameters[parameters.length - 1]);
    }

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
            RecordComponent[] declared = type.getRecordComponents();
            Constructor<?> canonical = canonical(declared);
            ConstructorArguments arguments = ConstructorArguments.of(canonical);
            Parameter[] parameters = canonical.getParameters();
            List<MappedComponent> components = new ArrayList<>();
            for (RecordComponent component : declared) {
                int index = components.size();
                components.add(component(component, parameters[index], arguments.of(index, component.getType())));
            }
            return new TypeComponents(List.copyOf(components), arguments.constructor(access), arguments.masks());
        }

        /** The annotations of a record of Kotlin are those of the parameters alone. */
        private MappedComponent component(RecordComponent component, Parameter parameter, Argument argument) {
            return new MappedComponent(
                    component.getName(),
                    true,
                    component.getGenericType(),
                    List.of(component, parameter),
                    access.getter(component.getType(), component::getAccessor),
                    argument);
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

    /**
     * A constructor with what is known of its default arguments.
     *
     * @param declared the constructor with the components
     * @param synthetic takes the masks, too; null if there are no default arguments
     * @param kotlin the constructor in Kotlin; null if it is not known
     */
    private record ConstructorArguments(
            Constructor<?> declared,
            @Nullable Constructor<?> synthetic,
            @Nullable KotlinConstructor kotlin) {

        static ConstructorArguments of(Constructor<?> declared) {
            return new ConstructorArguments(
                    declared,
                    DefaultArguments.of(declared),
                    KotlinMetadata.constructor(declared.getDeclaringClass(), declared.getParameterCount()));
        }

        int masks() {
            return synthetic == null ? 0 : DefaultArguments.masks(declared.getParameterCount());
        }

        TypeConstructor constructor(TypeAccess access) {
            return access.constructor(synthetic == null ? declared : synthetic);
        }

        /**
         * Without metadata a null takes its default argument if there is one, and a missing primitive is refused as in Java. An
         * {@code Optional} without a value is empty, not null.
         */
        Argument of(int index, Class<?> type) {
            KotlinParameter parameter =
                    kotlin == null ? null : kotlin.parameters().get(index);
            if (parameter == null) {
                return synthetic == null || type.isPrimitive() ? Argument.PLAIN : Argument.MASKED;
            }
            if (parameter.hasDefault() && synthetic != null) {
                return Argument.MASKED;
            }
            return parameter.nullable() || type.isPrimitive() || type == Optional.class
                    ? Argument.PLAIN
                    : Argument.REQUIRED;
        }
    }

    /** A reader of the components of an immutable class: the parameters of its one public constructor. */
    private static final class ClassComponents {

        private static final String ADVICE =
                "; use a record, or an immutable class whose one public constructor takes all components";

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
            ConstructorArguments arguments = ConstructorArguments.of(constructor);
            for (Parameter parameter : constructor.getParameters()) {
                components.add(component(
                        parameter, components.size() + 1, arguments.of(components.size(), parameter.getType())));
            }
            return new TypeComponents(List.copyOf(components), arguments.constructor(access), arguments.masks());
        }

        private static Constructor<?> constructor(Class<?> type) {
            boolean inner = type.isLocalClass()
                    || type.isAnonymousClass()
                    || (type.isMemberClass() && !Modifier.isStatic(type.getModifiers()));
            boolean plain = !type.isPrimitive() && !type.isArray() && !type.isEnum();
            if (!plain || inner || Modifier.isAbstract(type.getModifiers())) {
                throw refused(type, "it is not a record and cannot be instantiated");
            }
            if (KotlinMetadata.hidesPrimary(type)) {
                throw new UnmappableTypeException(
                        type,
                        null,
                        "its primary constructor is private or protected; the mapping calls that one, so make it public or"
                                + " internal",
                        null);
            }
            List<Constructor<?>> constructors = declared(type);
            if (constructors.isEmpty() && Arrays.stream(type.getConstructors()).anyMatch(DefaultArguments::isHidden)) {
                throw new UnmappableTypeException(
                        type,
                        null,
                        "Kotlin's compiler hides its constructor, which takes a value class; use the type inside of the value"
                                + " class",
                        null);
            }
            if (constructors.size() != 1) {
                throw refused(type, "it is not a record and has " + constructors.size() + " public constructors");
            }
            if (constructors.get(0).getParameterCount() == 0) {
                throw refused(type, "it is not a record and its constructor takes nothing; setters are not called");
            }
            return constructors.get(0);
        }

        /**
         * The primary constructor of a class of Kotlin. Without metadata, the one with default arguments beside those that its compiler adds:
         * one that takes nothing if all arguments have a default, and those of {@code @JvmOverloads}.
         */
        private static List<Constructor<?>> declared(Class<?> type) {
            List<Constructor<?>> declared = Arrays.<Constructor<?>>stream(type.getConstructors())
                    .filter(each -> !each.isSynthetic())
                    .toList();
            List<Constructor<?>> primary =
                    declared.stream().filter(ClassComponents::isPrimary).toList();
            List<Constructor<?>> withDefaults = declared.stream()
                    .filter(each -> DefaultArguments.of(each) != null)
                    .filter(each -> declared.stream().allMatch(other -> DefaultArguments.isLeftOut(other, each)))
                    .toList();
            return primary.size() == 1 ? primary : withDefaults.size() == 1 ? withDefaults : declared;
        }

        private static boolean isPrimary(Constructor<?> constructor) {
            KotlinConstructor kotlin =
                    KotlinMetadata.constructor(constructor.getDeclaringClass(), constructor.getParameterCount());
            return kotlin != null && kotlin.primary();
        }

        private MappedComponent component(Parameter parameter, int number, Argument argument) {
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
            return new MappedComponent(name, parameter.isNamePresent(), declared, List.of(parameter), getter, argument);
        }

        private static UnmappableTypeException refused(Class<?> type, String reason) {
            return new UnmappableTypeException(type, null, reason + ADVICE, null);
        }
    }
}
