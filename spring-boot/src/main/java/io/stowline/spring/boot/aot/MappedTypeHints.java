package io.stowline.spring.boot.aot;

import io.stowline.projection.Converted;
import io.stowline.projection.Nested;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.core.ResolvableType;

/**
 * Hints for the types of entities and of the values that are nested in them: all that the mapping reads, which is more than a codec of JSON does. A
 * sealed type is mapped as the types that it permits.
 */
final class MappedTypeHints {

    private final ReflectionHints hints;
    private final Set<Class<?>> seen = new LinkedHashSet<>();

    MappedTypeHints(ReflectionHints hints) {
        this.hints = hints;
    }

    void register(Class<?> type) {
        if (type.isPrimitive() || type.isArray() || type.isEnum() || isOfTheJdk(type) || !seen.add(type)) {
            return;
        }
        hints.registerType(
                type,
                MemberCategory.INVOKE_DECLARED_CONSTRUCTORS,
                MemberCategory.INVOKE_DECLARED_METHODS,
                MemberCategory.INVOKE_PUBLIC_METHODS,
                MemberCategory.ACCESS_DECLARED_FIELDS);
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                register(permitted);
            }
        }
        if (type.isRecord()) {
            for (RecordComponent component : type.getRecordComponents()) {
                register(component, ResolvableType.forType(component.getGenericType()));
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            for (Parameter parameter : constructor.getParameters()) {
                register(parameter, ResolvableType.forType(parameter.getParameterizedType()));
            }
        }
    }

    private void register(AnnotatedElement component, ResolvableType declared) {
        Converted converted = component.getAnnotation(Converted.class);
        if (converted != null) {
            hints.registerType(converted.value(), MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
        }
        if (component.isAnnotationPresent(Nested.class)) {
            Class<?> nested = declared.hasGenerics() ? declared.getGeneric(0).resolve() : declared.resolve();
            if (nested != null) {
                register(nested);
            }
        }
    }

    private static boolean isOfTheJdk(Class<?> type) {
        return type.getName().startsWith("java.");
    }
}
