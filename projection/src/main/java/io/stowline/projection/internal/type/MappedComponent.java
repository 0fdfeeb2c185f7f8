package io.stowline.projection.internal.type;

import io.stowline.projection.Property;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One component of a record, or one parameter of an immutable class's constructor.
 *
 * @param named whether that is its own name; where the class does not hold it, {@link Property} gives it
 * @param marks the elements with its annotations; the first one that has an annotation counts
 * @param getter reads its value
 * @param argument what the constructor takes where there is no value
 */
public record MappedComponent(
        String name, boolean named, Type declared, List<AnnotatedElement> marks, Getter getter, Argument argument) {

    /** The treatment of a missing value by the constructor. */
    public enum Argument {
        /** Takes null, zero or an empty {@code Optional}. */
        PLAIN,
        /** Takes the default argument by a bit of a mask, or null where there is none. */
        MASKED,
        /** Takes no missing value. */
        REQUIRED
    }

    /** Returns the type without its parameters. */
    public Class<?> rawType() {
        return getter.type();
    }

    public boolean has(Class<? extends Annotation> mark) {
        return marks.stream().anyMatch(element -> element.isAnnotationPresent(mark));
    }

    public <A extends Annotation> @Nullable A mark(Class<A> mark) {
        return marks.stream()
                .map(element -> element.getAnnotation(mark))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Returns the name of its property, unchecked. */
    public String propertyName() {
        Property renamed = mark(Property.class);
        return renamed == null ? name : renamed.value();
    }
}
