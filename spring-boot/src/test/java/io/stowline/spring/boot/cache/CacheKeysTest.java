package io.stowline.spring.boot.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.math.BigDecimal;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.cache.interceptor.SimpleKey;

class CacheKeysTest {

    private record Seat(String row, int number) {}

    private record Chair(String row, int number) {}

    @Test
    void readableKeysStayReadable() {
        assertThat(CacheKeys.rowKey("c", "shirt")).isEqualTo("k!s5:shirt");
        assertThat(CacheKeys.rowKey("c", 42)).isEqualTo("k!i2:42");
        assertThat(CacheKeys.rowKey("c", "a/b")).isEqualTo("k!s3:a.2Fb");
        assertThat(CacheKeys.rowKey("c", "x".repeat(5_000))).matches("h![0-9a-f]{64}");
    }

    @Test
    void equalKeysHaveOneRowKey() {
        assertThat(CacheKeys.rowKey("c", new SimpleKey("a", 1, null)))
                .isEqualTo(CacheKeys.rowKey("c", new SimpleKey(new String("a"), 1, null)));
        assertThat(CacheKeys.rowKey("c", List.of("a", "b"))).isEqualTo(CacheKeys.rowKey("c", Arrays.asList("a", "b")));
        assertThat(CacheKeys.rowKey("c", new Seat("A", 1))).isEqualTo(CacheKeys.rowKey("c", new Seat("A", 1)));
    }

    @Test
    @DisplayName("keys whose texts are equal, and others, have different row keys")
    void differentKeysHaveDifferentRowKeys() {
        List<Object> keys = List.of(
                1,
                1L,
                "1",
                '1',
                (short) 1,
                1.0,
                new BigDecimal("1"),
                new BigDecimal("1.0"),
                true,
                "true",
                SimpleKey.EMPTY,
                new SimpleKey("a, b"),
                new SimpleKey("a", "b"),
                new SimpleKey("a", null),
                new SimpleKey("a", "null"),
                List.of("a", "b"),
                List.of("a", List.of("b")),
                "",
                "n",
                "p()",
                new Seat("A", 1),
                new Chair("A", 1),
                TimeUnit.DAYS,
                "DAYS",
                UUID.fromString("00000000-0000-0000-0000-000000000001"),
                "00000000-0000-0000-0000-000000000001",
                Instant.EPOCH,
                Instant.EPOCH.toString(),
                LocalDate.EPOCH,
                "x".repeat(5_000),
                "x".repeat(5_001));

        assertThat(keys.stream().map(key -> CacheKeys.rowKey("c", key))).doesNotHaveDuplicates();
    }

    /** A text may look like the form of several. */
    @Test
    void drawnKeysAreTheSameIfAndOnlyIfTheyAreEqual() {
        Random random = new Random(48);
        Map<String, Object> seen = new HashMap<>();
        for (int i = 0; i < 50_000; i++) {
            Object key = drawn(random, 3);
            Object before = seen.putIfAbsent(CacheKeys.rowKey("c", key), key);
            assertThat(before == null || before.equals(key))
                    .as(before + " and " + key)
                    .isTrue();
        }
        assertThat(seen.values()).doesNotHaveDuplicates();
    }

    private static Object drawn(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 2 : 4)) {
            case 0 -> {
                StringBuilder text = new StringBuilder();
                for (int i = random.nextInt(6); i > 0; i--) {
                    text.append("s1:pi(), v#/é".charAt(random.nextInt(13)));
                }
                yield text.toString();
            }
            case 1 -> random.nextInt(12);
            case 2 -> new SimpleKey(several(random, depth).toArray());
            default -> several(random, depth);
        };
    }

    private static List<Object> several(Random random, int depth) {
        List<Object> values = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            values.add(drawn(random, depth - 1));
        }
        return values;
    }

    private record Pair(String first) {}

    private enum Duration {
        PT1S
    }

    /** The names of types of an application are no kinds: a type without a package may have any. */
    @Test
    void keysBeginWithTheirKind() {
        assertThat(CacheKeys.rowKey("c", Duration.PT1S))
                .startsWith("k!e" + Duration.class.getName().length());
        assertThat(CacheKeys.rowKey("c", new Pair("a")))
                .startsWith("k!r" + Pair.class.getName().length());
    }

    @Test
    void takesTheTimesOfJava() {
        List<Object> times = List.of(
                Year.of(2026),
                "2026",
                MonthDay.of(1, 2),
                YearMonth.of(2026, 1),
                Period.ofYears(1),
                Period.ofMonths(12),
                OffsetTime.parse("10:00Z"),
                ZoneOffset.UTC,
                DayOfWeek.MONDAY,
                java.time.Duration.ofSeconds(1));

        assertThat(times.stream().map(key -> CacheKeys.rowKey("c", key))).doesNotHaveDuplicates();
    }

    @Test
    void refusesKeysWithoutAText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CacheKeys.rowKey("prices", new Object()))
                .withMessageContaining("the cache 'prices' cannot make a key of a java.lang.Object")
                .withMessageContaining("@Cacheable(key");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CacheKeys.rowKey("prices", new SimpleKey("a", Set.of("b"))))
                .withMessageContaining("ImmutableCollections");
    }
}
