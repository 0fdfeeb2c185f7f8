package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Proves that applications can implement the faces of tables, queues and blobs: what their methods take and give can be made outside of the library. */
@DisplayName("DESIGN: an application can fake each interface of tables, queues and blobs")
class FakesTest {

    private static final Set<String> SERVICES = Set.of("io.stowline.table", "io.stowline.queue", "io.stowline.blob");

    private static final List<Class<?>> API =
            PublicTypes.of("retry", "projection", "caching", "journal", "client").stream()
                    .map(FakesTest::load)
                    .flatMap(FakesTest::withNested)
                    .collect(Collectors.toUnmodifiableList());

    static List<Class<?>> faces() {
        return API.stream()
                .filter(type -> type.isInterface() && SERVICES.contains(type.getPackageName()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("faces")
    void isMadeOfPublicParts(Class<?> face) {
        Set<Class<?>> parts = Arrays.stream(face.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .flatMap(method -> Stream.concat(
                        Stream.of(method.getGenericReturnType()), Arrays.stream(method.getGenericParameterTypes())))
                .flatMap(FakesTest::classes)
                .filter(type -> type.getName().startsWith("io.stowline."))
                .collect(Collectors.toSet());

        assertThat(face.isSealed()).isFalse();
        assertThat(parts).allMatch(FakesTest::canBeMade);
    }

    private static boolean canBeMade(Class<?> type) {
        return isMadeAlone(type)
                || makers(type)
                        .anyMatch(method -> Modifier.isStatic(method.getModifiers())
                                || isMadeAlone(method.getDeclaringClass())
                                || makers(method.getDeclaringClass())
                                        .anyMatch(maker -> Modifier.isStatic(maker.getModifiers())));
    }

    private static boolean isMadeAlone(Class<?> type) {
        return type.isInterface()
                || type.isEnum()
                || API.stream().anyMatch(made -> type.isAssignableFrom(made) && hasConstructor(made));
    }

    /** A subclass may call a protected constructor. */
    private static boolean hasConstructor(Class<?> type) {
        return Arrays.stream(type.getDeclaredConstructors())
                .anyMatch(made -> Modifier.isPublic(made.getModifiers())
                        || (Modifier.isProtected(made.getModifiers()) && !Modifier.isFinal(type.getModifiers())));
    }

    /** The public methods of the other classes of its package, and its own static ones, that return the type. */
    private static Stream<Method> makers(Class<?> type) {
        return API.stream()
                .filter(maker -> maker.getPackage().equals(type.getPackage()) && !maker.isInterface())
                .flatMap(maker -> Arrays.stream(maker.getDeclaredMethods()))
                .filter(method -> Modifier.isPublic(method.getModifiers()) && method.getReturnType() == type)
                .filter(method -> Modifier.isStatic(method.getModifiers()) || method.getDeclaringClass() != type);
    }

    private static Stream<Class<?>> classes(Type type) {
        if (type instanceof Class<?> known) {
            return Stream.of(known.isArray() ? known.getComponentType() : known);
        }
        if (type instanceof ParameterizedType generic) {
            return Stream.concat(Stream.of(generic.getRawType()), Arrays.stream(generic.getActualTypeArguments()))
                    .flatMap(FakesTest::classes);
        }
        if (type instanceof WildcardType any) {
            return Stream.concat(Arrays.stream(any.getUpperBounds()), Arrays.stream(any.getLowerBounds()))
                    .flatMap(FakesTest::classes);
        }
        return type instanceof GenericArrayType array ? classes(array.getGenericComponentType()) : Stream.of();
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                Arrays.stream(type.getDeclaredClasses())
                        .filter(nested -> Modifier.isPublic(nested.getModifiers()))
                        .flatMap(FakesTest::withNested));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, FakesTest.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new AssertionError(name, e);
        }
    }
}
