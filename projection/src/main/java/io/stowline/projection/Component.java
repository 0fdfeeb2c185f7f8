package io.stowline.projection;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * One component of a record, or one parameter of an immutable class's constructor.
 *
 * @param name its name
 * @param named whether that is its own name; where the class does not hold it, {@link Property} gives it
 * @param declared its type
 * @param marks what it is marked with
 * @param getter reads its value
 */
record Component(String name, boolean named, Type declared, AnnotatedElement marks, Getter getter) {

    /** The type without its parameters. */
    Class<?> rawType() {
        return getter.type();
    }

    boolean has(Class<? extends Annotation> mark) {
        return marks.isAnnotationPresent(mark);
    }

    <A extends Annotation> @Nullable A mark(Class<A> mark) {
        return marks.getAnnotation(mark);
    }

    /** The name of its property, before it is checked. */
    String propertyName() {
        Property renamed = mark(Property.class);
        return renamed == null ? name : renamed.value();
    }
}
