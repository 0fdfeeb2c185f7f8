package io.stowline.spring.boot.cache;

import io.stowline.projection.key.KeyFormat;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.ReflectionUtils;

/**
 * The row keys of cache keys. Equal keys have one row key, and different keys have different ones: a text has its kind and its length before it,
 * where {@code SimpleKey.toString()} of {@code ("a, b")} and {@code ("a", "b")} is one text. A long one is replaced by its SHA-256.
 */
final class CacheKeys {

    /** Characters of a text that stands in the row key as it is; an escape takes three. */
    private static final int MAX_READABLE = 250;

    private static final KeyFormat ROWS = KeyFormat.of().text("kind").escaped("key");

    private static final Set<Class<?>> TEXTS = Set.of(
            Boolean.class,
            Character.class,
            Byte.class,
            Short.class,
            Float.class,
            Double.class,
            BigInteger.class,
            BigDecimal.class,
            UUID.class,
            Instant.class,
            Duration.class,
            LocalDate.class,
            LocalTime.class,
            LocalDateTime.class,
            OffsetDateTime.class,
            OffsetTime.class,
            ZonedDateTime.class,
            ZoneOffset.class,
            Year.class,
            YearMonth.class,
            MonthDay.class,
            Period.class);

    private CacheKeys() {}

    /**
     * Returns the row key of a key.
     *
     * @param cache names the cache in the error
     * @throws IllegalArgumentException if the key, or a part of it, is of another type
     */
    static String rowKey(String cache, Object key) {
        StringBuilder text = new StringBuilder();
        append(cache, key, text);
        return text.length() <= MAX_READABLE
                ? ROWS.format("k", text.toString())
                : ROWS.format("h", HexFormat.of().formatHex(digest(text.toString())));
    }

    /** Returns the field of the parts of a {@code SimpleKey}, which has no method for them. */
    static Field parts() {
        Field parts = ReflectionUtils.findField(SimpleKey.class, "params");
        if (parts == null) {
            throw new IllegalStateException("SimpleKey of this release of Spring has no field 'params'");
        }
        return parts;
    }

    private static void append(String cache, @Nullable Object key, StringBuilder text) {
        if (key == null) {
            text.append('n');
        } else if (key instanceof String string) {
            sized("s", string, text);
        } else if (key instanceof Integer || key instanceof Long) {
            sized(key instanceof Integer ? "i" : "l", key.toString(), text);
        } else if (key instanceof Enum<?> constant) {
            sized("e", constant.getDeclaringClass().getName(), text);
            sized("", constant.name(), text);
        } else if (TEXTS.contains(key.getClass())) {
            sized(key.getClass().getSimpleName(), key.toString(), text);
        } else if (key instanceof SimpleKey simple) {
            all(cache, "p", Arrays.asList(parts(simple)), text);
        } else if (key instanceof List<?> list) {
            all(cache, "v", list, text);
        } else if (key instanceof Record values) {
            sized("r", key.getClass().getName(), text);
            all(cache, "", components(values), text);
        } else {
            throw new IllegalArgumentException("the cache '" + cache + "' cannot make a key of a "
                    + key.getClass().getName()
                    + ": keys are text, numbers, booleans, enums, UUIDs, times of java.time, and lists and records of"
                    + " these; name one by @Cacheable(key = \"..\")");
        }
    }

    private static void sized(String type, String value, StringBuilder text) {
        text.append(type).append(value.length()).append(':').append(value);
    }

    private static void all(String cache, String type, List<?> values, StringBuilder text) {
        text.append(type).append('(');
        values.forEach(value -> append(cache, value, text));
        text.append(')');
    }

    private static Object[] parts(SimpleKey key) {
        Field parts = parts();
        ReflectionUtils.makeAccessible(parts);
        return (Object[]) Objects.requireNonNull(ReflectionUtils.getField(parts, key));
    }

    private static List<@Nullable Object> components(Record values) {
        return Arrays.stream(values.getClass().getRecordComponents())
                .map(component -> component(component, values))
                .toList();
    }

    private static @Nullable Object component(RecordComponent component, Record values) {
        Method accessor = component.getAccessor();
        ReflectionUtils.makeAccessible(accessor);
        return ReflectionUtils.invokeMethod(accessor, values);
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each Java platform has SHA-256", e);
        }
    }
}
