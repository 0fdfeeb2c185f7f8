package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.TransferReport;
import io.stowline.caching.Freshness;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.UnmappableTypeException;
import io.stowline.projection.filter.Filter;
import io.stowline.ring.StowlineRing;
import io.stowline.table.Entity;
import io.stowline.table.Index;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Every public method of these holders, and every public constructor and static method, gets text with line breaks, escapes of terminals and
 * marks of direction in the place of each text. No message of an exception and no {@code toString()} gives them back.
 */
class PrintableMessagesTest {

    private static final MemoryStorage MEMORY = MemoryStorage.create();
    private static final Stowline CLIENT = Stowline.builder()
            .connectionString(MEMORY.connectionString())
            .httpClient(MEMORY.httpClient())
            .retry(retry -> retry.retries(0))
            .build();
    private static final Table<Entity> TABLE = CLIENT.table("people");
    private static final StowlineRing RING = StowlineRing.of(r -> r.account("a", CLIENT, a -> a));
    private static final Index<Entity, String> INDEX = Index.<Entity>text("A", entity -> "x");

    /** A name, one that is too long, one that is a path, and an odd one in quotes. */
    private static final List<String> HOSTILE = List.of(
            "a\r\nFORGED \u001b[2J\u202E\u2028b",
            "x\n".repeat(3_000),
            "a/../\n/b",
            "'\n' eq (\u0085",
            " \u001b]0;x\u0007");

    @TempDir
    static Path folder;

    private static Map<Class<?>, Object> others() {
        return Map.ofEntries(
                Map.entry(String.class, "abc"),
                Map.entry(Class.class, Entity.class),
                Map.entry(Index.class, INDEX),
                Map.entry(Index[].class, new Index<?, ?>[] {INDEX}),
                Map.entry(Object.class, "abc"),
                Map.entry(Duration.class, Duration.ofSeconds(5)),
                Map.entry(Instant.class, Instant.EPOCH),
                Map.entry(UnaryOperator.class, UnaryOperator.identity()),
                Map.entry(Function.class, Function.identity()),
                Map.entry(Consumer.class, (Consumer<Object>) x -> {}),
                Map.entry(Map.class, Map.of()),
                Map.entry(List.class, List.of()),
                Map.entry(Collection.class, List.of()),
                Map.entry(Iterable.class, List.of()),
                Map.entry(Path.class, folder.resolve("none")),
                Map.entry(byte[].class, new byte[1]),
                Map.entry(InputStream.class, InputStream.nullInputStream()),
                Map.entry(OutputStream.class, OutputStream.nullOutputStream()),
                Map.entry(Throwable.class, new IllegalStateException("A")),
                Map.entry(RuntimeException.class, new IllegalStateException("A")),
                Map.entry(StoredEntity.class, StoredEntity.of(entity("r"), "W/\"1\"")),
                Map.entry(Entity.class, entity("r")),
                Map.entry(boolean.class, true),
                Map.entry(char.class, 'a'),
                Map.entry(double.class, 0.5),
                Map.entry(int.class, 5),
                Map.entry(long.class, 5L));
    }

    private static Entity entity(String key) {
        return Entity.builder("p", key).set("a", 1).build();
    }

    /** The hostile text as what a parameter takes; nothing where it takes no text. */
    private static Optional<Object> hostile(Class<?> type, String text) {
        if (type == String.class || type == Object.class || type == CharSequence.class) {
            return Optional.of(text);
        } else if (type == String[].class) {
            return Optional.of(new String[] {text});
        } else if (type == Object[].class) {
            return Optional.of(new Object[] {text});
        } else if (type == Map.class) {
            return Optional.of(Map.of(text, text));
        } else if (type == List.class || type == Collection.class || type == Iterable.class) {
            return Optional.of(List.of(text));
        } else if (type == Path.class) {
            return text.length() > 200 ? Optional.empty() : Optional.of(folder.resolve(text.replace('/', '-')));
        } else if (type == Throwable.class || type == RuntimeException.class) {
            return Optional.of(new IllegalStateException(text));
        } else if (type == byte[].class) {
            return Optional.of(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }
        return Optional.empty();
    }

    static Stream<Object> holders() {
        return Stream.of(
                CLIENT,
                CLIENT.reactive(),
                TABLE,
                TABLE.reactive(),
                TABLE.query(),
                TABLE.reactive().query(),
                TABLE.merge("p", "r"),
                TABLE.transaction("p"),
                TABLE.indexed(INDEX),
                TABLE.indexed(INDEX).reactive(),
                TABLE.cached(Freshness.revalidated()),
                TABLE.property("a"),
                Entity.builder("p", "r"),
                CLIENT.queue("queue"),
                CLIENT.queue("queue").reactive(),
                CLIENT.shardedQueue("wide", String.class, s -> s.sendTo(2)),
                CLIENT.queue("queue").poison(),
                CLIENT.container("blobs"),
                CLIENT.container("blobs").reactive(),
                CLIENT.container("blobs").appendBlob("log"),
                CLIENT.container("blobs").pageBlob("disk"),
                CLIENT.container("blobs").tree(""),
                CLIENT.container("blobs").snapshotOf("a", "1"),
                CLIENT.container("blobs").snapshotOf("a", "1").reactive(),
                CLIENT.container("blobs").cached(Freshness.revalidated()),
                CLIENT.container("blobs").cached(Freshness.revalidated()).reactive(),
                io.stowline.blob.UploadSettings.builder(),
                io.stowline.blob.DownloadSettings.builder(),
                io.stowline.blob.DirectorySettings.builder(),
                io.stowline.blob.PageBlobSettings.builder(),
                io.stowline.blob.BlobTagFilter.tag("a"),
                io.stowline.projection.key.KeyFormat.of().text("a").number("b", 4),
                RING,
                RING.table("people", Entity.class),
                RING.table("people", Entity.class).query(),
                RING.table("people", Entity.class).transaction("p"),
                RING.queue("queue", String.class),
                RING.container("blobs"),
                Stowline.builder());
    }

    static Stream<Class<?>> types() {
        // The other modules show what these two give them.
        return PublicTypes.of("projection", "client", "ring").stream()
                .map(PrintableMessagesTest::load)
                .flatMap(type -> Stream.concat(Stream.of(type), Stream.of(type.getDeclaredClasses())))
                .filter(type -> Modifier.isPublic(type.getModifiers()));
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterAll
    static void close() {
        CLIENT.close();
    }

    @ParameterizedTest
    @MethodSource("types")
    @DisplayName("what a constructor or a static method is given does not forge lines of a log")
    void statics(Class<?> type) {
        List<String> forged = new ArrayList<>();
        List<Executable> all = new ArrayList<>(List.of(type.getDeclaredMethods()));
        all.removeIf(method -> !Modifier.isStatic(method.getModifiers()));
        if (!Modifier.isAbstract(type.getModifiers())) {
            all.addAll(List.of(type.getDeclaredConstructors()));
        }
        for (Executable each : all) {
            check(null, each, forged);
        }
        assertThat(forged).isEmpty();
    }

    @ParameterizedTest(autoCloseArguments = false)
    @MethodSource("holders")
    @DisplayName("what a method is given does not forge lines of a log")
    void methods(Object holder) {
        List<String> forged = new ArrayList<>();
        PublicTypes.verbs(holder).forEach(method -> check(holder, method, forged));
        assertThat(forged).isEmpty();
    }

    private static void check(@Nullable Object holder, Executable method, List<String> forged) {
        if (!Modifier.isPublic(method.getModifiers())
                || method.isSynthetic()
                || method.getName().equals("valueOf")
                || method.getDeclaringClass().equals(UnmappableTypeException.class)
                || method.getDeclaringClass().equals(TransferReport.class)) {
            return;
        }
        Class<?>[] types = method.getParameterTypes();
        for (int at = 0; at < types.length; at++) {
            for (String text : HOSTILE) {
                Object[] arguments = arguments(types, at, text);
                if (arguments != null) {
                    String shown = shown(holder, method, arguments);
                    if (!isPrintable(shown)) {
                        forged.add(method + " " + at + ": " + shown.substring(0, Math.min(300, shown.length())));
                        break;
                    }
                }
            }
        }
    }

    private static Object @Nullable [] arguments(Class<?>[] types, int at, String text) {
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = i == at ? hostile(types[i], text).orElse(null) : others().get(types[i]);
            if (i == at && arguments[i] == null) {
                return null;
            }
        }
        return arguments;
    }

    /**
     * The message of the exception that it throws or signals, or the text of its result. Those of filters are what is sent, the results of
     * writes hold an ETag alone, which is a header.
     */
    private static String shown(@Nullable Object holder, Executable method, Object[] arguments) {
        try {
            Object result = method instanceof Constructor<?> constructor
                    ? constructor.newInstance(arguments)
                    : ((Method) method).invoke(holder, arguments);
            if (result instanceof Mono<?> mono) {
                result = mono.block(Duration.ofSeconds(10));
            } else if (result instanceof Flux<?> flux) {
                result = flux.blockLast(Duration.ofSeconds(10));
            }
            boolean own = result != null
                    && result.getClass().getName().startsWith("io.stowline.")
                    && !(result instanceof Filter)
                    && !(result instanceof WriteResult);
            return own ? String.valueOf(result) : "";
        } catch (InvocationTargetException e) {
            return message(e.getCause());
        } catch (RuntimeException e) {
            return message(e);
        } catch (IllegalAccessException | InstantiationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Includes the messages of the library's exceptions among the causes: a log shows them too. */
    private static String message(Throwable error) {
        StringBuilder all = new StringBuilder(String.valueOf(error.getMessage()));
        for (Throwable cause = error.getCause(); cause != null; cause = cause.getCause()) {
            if (cause.getClass().getName().startsWith("io.stowline.")) {
                all.append(cause.getMessage());
            }
        }
        return all.toString();
    }

    private static boolean isPrintable(String text) {
        return text.chars().noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x202E);
    }
}
