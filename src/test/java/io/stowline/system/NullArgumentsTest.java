package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.caching.Freshness;
import io.stowline.ring.StowlineRing;
import io.stowline.service.CorsRule;
import io.stowline.service.ServiceType;
import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.IndexLookup;
import io.stowline.table.RollingSeries;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.TypeVariable;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Every public method of these holders is called with null for each of its arguments in turn. Nothing is sent. */
class NullArgumentsTest {

    private static final Stowline CLIENT = Stowline.connect(
            "AccountName=acct;AccountKey=a2V5;TableEndpoint=http://127.0.0.1:1/acct;QueueEndpoint=http://127.0.0.1:2/acct;"
                    + "BlobEndpoint=http://127.0.0.1:3/acct");
    private static final Table<Entity> TABLE = CLIENT.table("people");
    private static final Entity ENTITY = Entity.builder("p", "r").set("a", 1).build();

    private static final StowlineRing RING = StowlineRing.of(r -> r.account("a", CLIENT, a -> a));

    private static final Index<Entity, String> UNIQUE =
            Index.<Entity>text("A", entity -> "x").unique();

    /** Arguments beside the null. */
    private static final Map<Class<?>, Object> OTHERS = Map.ofEntries(
            Map.entry(String.class, "A"),
            Map.entry(Class.class, Entity.class),
            Map.entry(Index.class, UNIQUE),
            Map.entry(IndexLookup.class, IndexLookup.all(UNIQUE, "A")),
            Map.entry(Index[].class, new Index<?, ?>[] {UNIQUE}),
            Map.entry(Object.class, ENTITY),
            Map.entry(StoredEntity.class, StoredEntity.of(ENTITY, "W/\"1\"")),
            Map.entry(Duration.class, Duration.ofSeconds(5)),
            Map.entry(RollingSeries.Ring.class, RollingSeries.Ring.hours(24)),
            Map.entry(Instant.class, Instant.EPOCH),
            Map.entry(UnaryOperator.class, UnaryOperator.identity()),
            Map.entry(Function.class, Function.identity()),
            Map.entry(Consumer.class, (Consumer<Object>) x -> {}),
            Map.entry(Runnable.class, (Runnable) () -> {}),
            Map.entry(Supplier.class, (Supplier<Object>) () -> "A"),
            Map.entry(LongSupplier.class, (LongSupplier) () -> 0L),
            Map.entry(Scheduler.class, Schedulers.immediate()),
            Map.entry(Clock.class, Clock.systemUTC()),
            Map.entry(Mono.class, Mono.empty()),
            Map.entry(Map.class, Map.of()),
            Map.entry(List.class, List.of()),
            Map.entry(Iterable.class, List.of()),
            Map.entry(Path.class, Path.of("target", "null-arguments")),
            Map.entry(byte[].class, new byte[1]),
            Map.entry(InputStream.class, InputStream.nullInputStream()),
            Map.entry(OutputStream.class, OutputStream.nullOutputStream()),
            Map.entry(Throwable.class, new IllegalStateException("A")),
            Map.entry(boolean.class, true),
            Map.entry(double.class, 0.5),
            Map.entry(int.class, 5),
            Map.entry(long.class, 5L));

    static Stream<Object> holders() {
        return Stream.of(
                CLIENT,
                CLIENT.reactive(),
                CLIENT.cors(ServiceType.BLOB),
                CLIENT.cors(ServiceType.BLOB).reactive(),
                CLIENT.serviceProperties(ServiceType.BLOB),
                CLIENT.serviceProperties(ServiceType.BLOB).reactive(),
                CorsRule.builder(),
                TABLE,
                TABLE.reactive(),
                TABLE.query(),
                TABLE.reactive().query(),
                TABLE.merge("p", "r"),
                TABLE.reactive().merge("p", "r"),
                TABLE.transaction("p"),
                TABLE.reactive().transaction("p"),
                TABLE.indexed(UNIQUE),
                TABLE.indexed(UNIQUE).reactive(),
                TABLE.writer(),
                TABLE.cached(Freshness.revalidated()),
                TABLE.series("temperature", Double.class, RollingSeries.Ring.hours(24)),
                TABLE.reactive().series("temperature", Double.class, RollingSeries.Ring.hours(24)),
                TABLE.policies(),
                TABLE.reactive().policies(),
                CLIENT.queue("queue").policies(),
                CLIENT.queue("queue").reactive().policies(),
                CLIENT.container("blobs").policies(),
                CLIENT.container("blobs").reactive().policies(),
                CLIENT.queue("queue"),
                CLIENT.queue("queue").reactive(),
                CLIENT.shardedQueue("wide", String.class, s -> s.sendTo(2)),
                CLIENT.shardedQueue("wide", String.class, s -> s.sendTo(2)).reactive(),
                CLIENT.queue("queue").poison(),
                CLIENT.queue("queue").poison().reactive(),
                CLIENT.queue("queue").consume(message -> {}),
                CLIENT.container("blobs"),
                CLIENT.container("blobs").reactive(),
                CLIENT.container("blobs").appendBlob("log"),
                CLIENT.container("blobs").appendBlob("log").reactive(),
                CLIENT.container("blobs").pageBlob("disk"),
                CLIENT.container("blobs").pageBlob("disk").reactive(),
                CLIENT.container("blobs").tree(""),
                CLIENT.container("blobs").snapshotOf("a", "1"),
                CLIENT.container("blobs").snapshotOf("a", "1").reactive(),
                CLIENT.container("blobs").cached(Freshness.revalidated()),
                CLIENT.container("blobs").cached(Freshness.revalidated()).reactive(),
                Stowline.builder(),
                RING,
                RING.table("people", Entity.class),
                RING.table("people", Entity.class).query(),
                RING.table("people", Entity.class).transaction("p"),
                RING.table("people", Entity.class).writer(),
                RING.queue("queue", String.class),
                RING.container("blobs"));
    }

    /** Public types of the modules that stand alone; their constructors and static methods are called. */
    static Stream<Class<?>> types() {
        return PublicTypes.of("retry", "batching", "caching", "journal", "projection", "ring").stream()
                .map(NullArgumentsTest::load)
                .flatMap(type -> Stream.concat(Stream.of(type), Stream.of(type.getDeclaredClasses())))
                .filter(type -> Modifier.isPublic(type.getModifiers()) && !Throwable.class.isAssignableFrom(type));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    @DisplayName("MAP-3: an argument of a constructor or a static method that is null is named")
    void namedByStatics(Class<?> type) {
        List<String> unnamed = new ArrayList<>();
        List<Executable> all = new ArrayList<>(List.of(type.getDeclaredMethods()));
        all.removeIf(method -> !Modifier.isStatic(method.getModifiers()));
        if (!Modifier.isAbstract(type.getModifiers())) {
            all.addAll(List.of(type.getDeclaredConstructors()));
        }
        for (Executable each : all) {
            if (Modifier.isPublic(each.getModifiers()) && !each.isSynthetic()) {
                for (int at = 0; at < each.getParameterCount(); at++) {
                    check(null, each, at).ifPresent(unnamed::add);
                }
            }
        }

        assertThat(unnamed).isEmpty();
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("holders")
    @DisplayName("MAP-3: an argument that is null is named")
    void named(Object holder) {
        List<String> unnamed = new ArrayList<>();
        for (Method method : PublicTypes.verbs(holder)) {
            for (int at = 0;
                    at < method.getParameterCount() && !method.getName().equals("equals");
                    at++) {
                check(holder, method, at).ifPresent(unnamed::add);
            }
        }

        assertThat(unnamed).isEmpty();
    }

    private static Optional<String> check(@Nullable Object holder, Executable method, int at) {
        Parameter parameter = method.getParameters()[at];
        Class<?>[] types = method.getParameterTypes();
        boolean theirs = holder == null && parameter.getParameterizedType() instanceof TypeVariable<?>;
        if (theirs || types[at].isPrimitive() || parameter.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
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
                && error.getMessage()
                        .toLowerCase(java.util.Locale.ROOT)
                        .replace(" ", "")
                        .contains(parameter.getName().toLowerCase(java.util.Locale.ROOT))
                && !error.getMessage().contains("because \"");
        return refused
                ? Optional.empty()
                : Optional.of(method.getName()
                        + Arrays.toString(
                                Arrays.stream(types).map(Class::getSimpleName).toArray()) + " " + parameter.getName()
                        + ": " + error);
    }

    private static @Nullable Throwable error(@Nullable Object holder, Executable method, Object[] arguments) {
        try {
            Object result = method instanceof Constructor<?> constructor
                    ? constructor.newInstance(arguments)
                    : ((Method) method).invoke(holder, arguments);
            if (result instanceof Mono<?> mono) {
                mono.block(Duration.ofSeconds(5));
            } else if (result instanceof Flux<?> flux) {
                flux.blockLast(Duration.ofSeconds(5));
            }
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        } catch (IllegalAccessException | InstantiationException | RuntimeException e) {
            return e;
        }
    }
}
