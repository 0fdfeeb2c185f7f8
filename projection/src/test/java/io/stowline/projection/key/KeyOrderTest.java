package io.stowline.projection.key;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.projection.internal.edm.KeyRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Keys of formats of any parts against the tuples of their values. */
class KeyOrderTest {

    private static final long FIRST = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
    private static final long LAST = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
    private static final String ALPHABET = " !\"#$-./09:>?AZ[\\]az~\u007F\u009F\u00A0ü\uD7FF\uE000\uFFFF";

    /** A kind of part: how it is declared, what values it has and how they sort. */
    private enum Kind {
        TEXT {
            @Override
            Object value(RandomGenerator random) {
                return KeyOrderTest.text(random).replaceAll("[ !#/\\\\?\\x7F-\\x9F]", "");
            }
        },
        ESCAPED {
            @Override
            Object value(RandomGenerator random) {
                return KeyOrderTest.text(random);
            }
        },
        NUMBER {
            @Override
            Object value(RandomGenerator random) {
                return random.nextLong(random.nextBoolean() ? 12 : 1_000_000);
            }
        },
        TIME {
            @Override
            Object value(RandomGenerator random) {
                return time(random);
            }
        },
        NEWEST_FIRST {
            @Override
            Object value(RandomGenerator random) {
                return time(random);
            }
        },
        SECONDS_FIRST {
            @Override
            Object value(RandomGenerator random) {
                return time(random).truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
            }
        },
        UUID {
            @Override
            Object value(RandomGenerator random) {
                return new UUID(random.nextLong(), random.nextInt(2));
            }
        },
        RANDOM {
            @Override
            Object value(RandomGenerator random) {
                return String.format(java.util.Locale.ROOT, "%02x", random.nextInt(256));
            }
        };

        abstract Object value(RandomGenerator random);

        KeyFormat addTo(KeyFormat format, String name) {
            return switch (this) {
                case TEXT -> format.text(name);
                case ESCAPED -> format.escaped(name);
                case NUMBER -> format.number(name, 6);
                case TIME -> format.time(name);
                case NEWEST_FIRST -> format.newestFirst(name);
                case SECONDS_FIRST -> format.secondsFirst(name);
                case UUID -> format.uuid(name);
                case RANDOM -> format.random(name, 2);
            };
        }

        int compare(Object one, Object other) {
            return switch (this) {
                case TEXT, ESCAPED, UUID, RANDOM -> one.toString().compareTo(other.toString());
                case NUMBER -> Long.compare((Long) one, (Long) other);
                case TIME -> ((Instant) one).compareTo((Instant) other);
                case NEWEST_FIRST -> ((Instant) other).compareTo((Instant) one);
                case SECONDS_FIRST ->
                    Comparator.comparing((Instant time) -> Math.floorMod(time.getEpochSecond(), 60L))
                            .thenComparing(Comparator.naturalOrder())
                            .compare((Instant) one, (Instant) other);
            };
        }
    }

    private static String text(RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return random.nextInt(8) == 0 ? text.append("😀").toString() : text.toString();
    }

    private static Instant time(RandomGenerator random) {
        long second = random.nextBoolean() ? random.nextLong(-3, 3) : random.nextLong(FIRST, LAST + 1);
        return Instant.ofEpochSecond(second, random.nextInt(10_000_000) * 100L);
    }

    @Provide
    Arbitrary<List<Kind>> kinds() {
        return Arbitraries.of(Kind.class).list().ofMinSize(1).ofMaxSize(4);
    }

    private static KeyFormat format(KeyFormat from, List<Kind> kinds) {
        KeyFormat format = from;
        for (int i = 0; i < kinds.size(); i++) {
            format = kinds.get(i).addTo(format, "p" + i);
        }
        return format;
    }

    private static Object[] values(List<Kind> kinds, RandomGenerator random) {
        return kinds.stream().map(kind -> kind.value(random)).toArray();
    }

    /** Another tuple with the same first values, so that the parts after them decide. */
    private static Object[] neighbour(List<Kind> kinds, Object[] values, RandomGenerator random) {
        Object[] other = values(kinds, random);
        System.arraycopy(values, 0, other, 0, random.nextInt(values.length + 1));
        return other;
    }

    private static int compare(List<Kind> kinds, Object[] one, Object[] other) {
        for (int i = 0; i < one.length; i++) {
            int order = kinds.get(i).compare(one[i], other[i]);
            if (order != 0) {
                return Integer.signum(order);
            }
        }
        return 0;
    }

    @Property(tries = 3_000)
    @Label("T17: keys sort exactly as the tuples of their values")
    void sortsAsTheTuples(@ForAll("kinds") List<Kind> kinds, @ForAll java.util.Random random) {
        KeyFormat format = format(KeyFormat.of(), kinds);
        Object[] one = values(kinds, random);
        Object[] other = neighbour(kinds, one, random);

        String left = format.format(one);
        String right = format.format(other);

        assertThat(Integer.signum(left.compareTo(right)))
                .as("%s and %s of %s", left, right, kinds)
                .isEqualTo(compare(kinds, one, other));
    }

    @Property(tries = 3_000)
    @Label("T17: a key is read back into what it was made of, with a hash or without, with every separator")
    void readsBack(
            @ForAll("kinds") List<Kind> kinds, @ForAll("formats") KeyFormat empty, @ForAll java.util.Random random) {
        KeyFormat format = format(empty, kinds);
        Object[] values = values(kinds, random);
        String key;
        try {
            key = format.format(values);
        } catch (IllegalArgumentException e) {
            assertThat(kinds).contains(Kind.TEXT);
            return;
        }

        KeyValues read = format.parse(key);

        assertThat(key).matches(k -> KeyRules.check("key", k).equals(k));
        for (int i = 0; i < values.length; i++) {
            assertThat(value(read, kinds.get(i), "p" + i)).isEqualTo(values[i]);
        }
    }

    @Provide
    Arbitrary<KeyFormat> formats() {
        Arbitrary<KeyFormat> plain = Arbitraries.of(
                KeyFormat.of(),
                KeyFormat.separatedBy('-'),
                KeyFormat.separatedBy('$', 2),
                KeyFormat.separatedBy('_', 3));
        return Arbitraries.oneOf(plain, plain.map(format -> format.withHash(7)));
    }

    private static Object value(KeyValues values, Kind kind, String name) {
        return switch (kind) {
            case TEXT, ESCAPED, RANDOM -> values.text(name);
            case NUMBER -> values.number(name);
            case TIME, NEWEST_FIRST, SECONDS_FIRST -> values.time(name);
            case UUID -> values.uuid(name);
        };
    }

    @Property(tries = 3_000)
    @Label("T17: a prefix begins the keys with these first values and no others")
    void prefixesBeginTheirKeysOnly(@ForAll("kinds") List<Kind> kinds, @ForAll java.util.Random random) {
        KeyFormat format = format(KeyFormat.of(), kinds);
        Object[] one = values(kinds, random);
        Object[] other = neighbour(kinds, one, random);
        int first = 1 + random.nextInt(one.length);
        List<Object> same = new ArrayList<>(List.of(one).subList(0, first));

        String prefix = format.prefix(same.toArray());

        assertThat(format.format(one)).startsWith(prefix);
        boolean shared = same.equals(List.of(other).subList(0, first));
        if (first < one.length || shared) {
            assertThat(format.format(other).startsWith(prefix)).isEqualTo(shared);
        }
    }

    @Property
    @Label("A2: the hash is within its buckets, spreads, and depends on all of the rest")
    void spreads(@ForAll("bases") int base) {
        KeyFormat format = KeyFormat.hashed(10).number("n", 9);
        Integer[] counts = new Integer[10];
        java.util.Arrays.fill(counts, 0);
        for (int i = 0; i < 1_000; i++) {
            counts[Integer.parseInt(format.format(base + i).substring(0, 3))]++;
        }
        assertThat(counts).allMatch(count -> count > 50 && count < 200);
    }

    @Provide
    Arbitrary<Integer> bases() {
        return Arbitraries.integers().between(0, 1_000_000);
    }
}
