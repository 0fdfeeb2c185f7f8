package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.table.Entity;
import io.stowline.table.Stored;
import io.stowline.table.Table;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Every public method of these holders is called with null for each of its arguments in turn. Nothing is sent. */
class NullArgumentsTest {

    private static final Stowline CLIENT = Stowline.connect(
            "AccountName=acct;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/acct;QueueEndpoint=http://127.0.0.1:2/acct;"
                    + "BlobEndpoint=http://127.0.0.1:3/acct");
    private static final Table<Entity> TABLE = CLIENT.table("people");
    private static final Entity ENTITY = Entity.builder("p", "r").set("a", 1).build();

    /** What stands in for the arguments beside the null. */
    private static final Map<Class<?>, Object> OTHERS = Map.of(
            String.class, "A",
            Class.class, Entity.class,
            Object.class, ENTITY,
            Stored.class, Stored.of(ENTITY, "W/\"1\""),
            Duration.class, Duration.ofSeconds(5),
            UnaryOperator.class, UnaryOperator.identity(),
            Consumer.class, (Consumer<Object>) x -> {},
            int.class, 5,
            long.class, 5L);

    static Stream<Object> holders() {
        return Stream.of(
                CLIENT,
                CLIENT.reactive(),
                TABLE,
                TABLE.reactive(),
                TABLE.query(),
                TABLE.reactive().query(),
                TABLE.merge("p", "r"),
                TABLE.reactive().merge("p", "r"),
                TABLE.transaction("p"),
                TABLE.reactive().transaction("p"),
                TABLE.indexed(ix -> ix.unique("A", e -> Optional.of("x"))),
                TABLE.indexed(ix -> ix.unique("A", e -> Optional.of("x")))
                        .reactive(),
                TABLE.writer(),
                Stowline.builder());
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("holders")
    @DisplayName("MAP-3: an argument that is null is named")
    void named(Object holder) {
        List<String> unnamed = new ArrayList<>();
        for (Method method : holder.getClass().getDeclaredMethods()) {
            if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && !method.getName().equals("equals")) {
                for (int at = 0; at < method.getParameterCount(); at++) {
                    check(holder, method, at).ifPresent(unnamed::add);
                }
            }
        }

        assertThat(unnamed).isEmpty();
    }

    private static Optional<String> check(Object holder, Method method, int at) {
        Parameter parameter = method.getParameters()[at];
        Class<?>[] types = method.getParameterTypes();
        if (types[at].isPrimitive() || parameter.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            return Optional.empty();
        }
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = i == at ? null : OTHERS.get(types[i]);
            if (i != at && arguments[i] == null) {
                return Optional.empty();
            }
        }
        Throwable error = error(holder, method, arguments);
        boolean refused = (error instanceof NullPointerException || error instanceof IllegalArgumentException)
                && error.getMessage() != null
                && error.getMessage().toLowerCase(java.util.Locale.ROOT).replace(" ", "")
                        .contains(parameter.getName().toLowerCase(java.util.Locale.ROOT))
                && !error.getMessage().contains("because \"");
        return refused
                ? Optional.empty()
                : Optional.of(method.getName() + Arrays.toString(Arrays.stream(types).map(Class::getSimpleName).toArray())
                        + " " + parameter.getName() + ": " + error);
    }

    private static @Nullable Throwable error(Object holder, Method method, Object[] arguments) {
        try {
            Object result = method.invoke(holder, arguments);
            if (result instanceof Mono<?> mono) {
                mono.block(Duration.ofSeconds(5));
            } else if (result instanceof Flux<?> flux) {
                flux.blockLast(Duration.ofSeconds(5));
            }
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException | RuntimeException e) {
            return e;
        }
    }
}
