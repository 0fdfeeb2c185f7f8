package io.stowline.projection.internal.type;

import io.stowline.projection.Converted;
import io.stowline.projection.Default;
import io.stowline.projection.Ignore;
import io.stowline.projection.Nested;
import io.stowline.projection.Property;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Rules on which marks may stand together at one component. */
public final class AnnotationRules {

    /** The marks that one property may have together. */
    private static final Set<Class<? extends Annotation>> OF_PROPERTIES =
            Set.of(Property.class, Converted.class, Default.class);

    private static final List<Class<? extends Annotation>> ALL = Stream.of(
                    Stream.of(SystemProperty.values()).map(SystemProperty::mark),
                    Stream.of(Ignore.class, Nested.class, Property.class, Converted.class, Default.class))
            .<Class<? extends Annotation>>flatMap(marks -> marks)
            .toList();

    private AnnotationRules() {}

    /** Throws {@code IllegalArgumentException} with the reason for two marks that contradict each other. */
    public static void check(MappedComponent component) {
        List<Class<? extends Annotation>> found = ALL.stream()
                .filter(component::has)
                .filter(mark -> component.named() || mark != Property.class)
                .toList();
        for (Class<? extends Annotation> other : found.subList(Math.min(1, found.size()), found.size())) {
            if (!agree(found.get(0), other)) {
                throw new IllegalArgumentException(
                        "it is marked both @" + found.get(0).getSimpleName() + " and @" + other.getSimpleName());
            }
        }
    }

    private static boolean agree(Class<? extends Annotation> first, Class<? extends Annotation> other) {
        return OF_PROPERTIES.contains(first) || (first == Nested.class && other == Property.class);
    }

    public static @Nullable SystemProperty role(MappedComponent component) {
        for (SystemProperty role : SystemProperty.values()) {
            if (component.has(role.mark())) {
                return role;
            }
        }
        return null;
    }
}
