package io.stowline.projection.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.internal.edm.CodePoints;
import java.time.Instant;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** One part of a key format: how a value becomes text and is read again. Immutable. */
interface KeyPart {

    /** The width of a part that takes as many characters as its value needs. */
    int ANY_WIDTH = -1;

    String name();

    /** Returns the number of characters, or {@link #ANY_WIDTH}. */
    int width();

    /**
     * Returns the text of a value. It throws an {@code InvalidKeyException} that names the part, the number, time or
     * position, and the limit.
     */
    String write(Object value);

    /**
     * Returns the value between two positions of a key. It throws an {@code IllegalArgumentException} that names part
     * and position.
     */
    Object read(String key, int start, int end);

    default <V> V typed(Class<V> type, Object value) {
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    name() + ": a " + value.getClass().getName() + " is given, but it takes a " + type.getSimpleName());
        }
        return type.cast(value);
    }

    default InvalidKeyException unreadable(int position, String expected) {
        return new InvalidKeyException("key: part " + name() + " at position " + position + " is not " + expected
                + "; this format did not make it");
    }

    /** A number from 0 on, with leading zeros. */
    record KeyNumber(String name, int width) implements KeyPart {

        static final int MAX_DIGITS = 18;

        public KeyNumber {
            if (width < 1 || width > MAX_DIGITS) {
                throw new IllegalArgumentException(
                        name + ": the number of digits is 1 to " + MAX_DIGITS + ", not " + width);
            }
        }

        @Override
        public String write(Object value) {
            long number = number(value);
            if (number < 0 || Long.toString(number).length() > width) {
                throw new InvalidKeyException(name + ": " + number + " is out of 0 to " + "9".repeat(width));
            }
            return KeyDigits.of(number, width);
        }

        private long number(Object value) {
            if (value instanceof Byte || value instanceof Short || value instanceof Integer) {
                return ((Number) value).longValue();
            }
            return typed(Long.class, value);
        }

        @Override
        public Object read(String key, int start, int end) {
            long number = KeyDigits.read(key, start, end);
            if (number < 0) {
                throw unreadable(start, "a number of " + width + " digits");
            }
            return number;
        }
    }

    /** A time as ticks, or as the ticks that are left until the end of 9999, so that later times come first. */
    record KeyTime(String name, boolean reversed) implements KeyPart {

        private static final int DIGITS = 19;

        @Override
        public int width() {
            return DIGITS;
        }

        @Override
        public String write(Object value) {
            Instant time = typed(Instant.class, value);
            long ticks = KeyTicks.of(time);
            if (ticks < 0) {
                throw new InvalidKeyException(name + ": " + time + " is out of the years 0001 to 9999");
            }
            return KeyDigits.of(reversed ? KeyTicks.MAX - ticks : ticks, DIGITS);
        }

        @Override
        public Object read(String key, int start, int end) {
            long ticks = KeyDigits.read(key, start, end);
            if (ticks < 0 || ticks > KeyTicks.MAX) {
                throw unreadable(start, "a time of " + DIGITS + " digits");
            }
            return KeyTicks.time(reversed ? KeyTicks.MAX - ticks : ticks);
        }
    }

    /** A UUID in its 36 characters of lower case. */
    record KeyUuid(String name) implements KeyPart {

        private static final int CHARS = 36;

        @Override
        public int width() {
            return CHARS;
        }

        @Override
        public String write(Object value) {
            return typed(UUID.class, value).toString();
        }

        @Override
        public Object read(String key, int start, int end) {
            String text = key.substring(start, end);
            UUID uuid = uuid(text);
            if (uuid == null || !uuid.toString().equals(text)) {
                throw unreadable(start, "a UUID in lower case");
            }
            return uuid;
        }

        private static @Nullable UUID uuid(String text) {
            try {
                return UUID.fromString(text);
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
    }

    /** The bucket of a key: CRC-32C of the UTF-8 bytes of the rest, modulo the number of buckets, in three digits. */
    record KeyHash(int buckets) {

        static final int MAX_BUCKETS = 1_000;
        static final int DIGITS = 3;

        public KeyHash {
            if (buckets < 1 || buckets > MAX_BUCKETS) {
                throw new IllegalArgumentException("buckets is 1 to " + MAX_BUCKETS + ", not " + buckets);
            }
        }

        String of(String rest) {
            CRC32C crc = new CRC32C();
            crc.update(rest.getBytes(UTF_8));
            return KeyDigits.of(crc.getValue() % buckets, DIGITS);
        }

        Stream<String> all() {
            return IntStream.range(0, buckets).mapToObj(bucket -> KeyDigits.of(bucket, DIGITS));
        }
    }

    /** Hexadecimal digits of lower case without a meaning: drawn from a generator, or those that were drawn before. */
    record KeyRandom(String name, int width) implements KeyPart {

        static final int MAX_DIGITS = 32;

        public KeyRandom {
            if (width < 1 || width > MAX_DIGITS) {
                throw new IllegalArgumentException(
                        name + ": the number of digits is 1 to " + MAX_DIGITS + ", not " + width);
            }
        }

        @Override
        public String write(Object value) {
            if (value instanceof RandomGenerator generator) {
                return drawn(generator);
            }
            if (value instanceof String digits && digits.length() == width && firstOther(digits, 0, width) < 0) {
                return digits;
            }
            if (value instanceof String) {
                throw new InvalidKeyException(
                        name + ": it is no text of " + width + " hexadecimal digits in lower case");
            }
            throw new IllegalArgumentException(name + ": a " + value.getClass().getName() + " is given, but it takes a"
                    + " RandomGenerator, or a String of " + width + " hexadecimal digits in lower case");
        }

        private String drawn(RandomGenerator generator) {
            StringBuilder digits = new StringBuilder(width);
            for (int i = 0; i < width; i++) {
                digits.append(Character.forDigit(generator.nextInt(16), 16));
            }
            return digits.toString();
        }

        @Override
        public Object read(String key, int start, int end) {
            int other = firstOther(key, start, end);
            if (other >= 0) {
                throw unreadable(other, "a hexadecimal digit in lower case");
            }
            return key.substring(start, end);
        }

        private static int firstOther(String text, int start, int end) {
            for (int i = start; i < end; i++) {
                char c = text.charAt(i);
                if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                    return i;
                }
            }
            return -1;
        }
    }

    /** Text as it is. */
    record KeyPlainText(String name, KeySeparator separator, KeyTarget target) implements KeyPart {

        @Override
        public int width() {
            return ANY_WIDTH;
        }

        @Override
        public String write(Object value) {
            String text = target.characters(name, typed(String.class, value));
            int found = separator.positionIn(text);
            if (found >= 0) {
                throw new InvalidKeyException(name + ": the separator '" + separator.text() + "' at position " + found
                        + " is not allowed in it; an escaped part takes any text");
            }
            return text;
        }

        @Override
        public Object read(String key, int start, int end) {
            String text = key.substring(start, end);
            int found = separator.positionIn(text);
            if (found >= 0) {
                throw unreadable(start + found, "text without the separator");
            }
            return text;
        }
    }

    /** Any text, with what a key cannot hold escaped by {@link KeyEscapes}. */
    record KeyEscapedText(String name, KeyEscapes escapes) implements KeyPart {

        @Override
        public int width() {
            return ANY_WIDTH;
        }

        @Override
        public String write(Object value) {
            String text = typed(String.class, value);
            int unpaired = CodePoints.firstUnpaired(text);
            if (unpaired >= 0) {
                throw new InvalidKeyException(name + ": " + CodePoints.name(text, unpaired) + " at position " + unpaired
                        + " is a surrogate without its partner");
            }
            return escapes.escape(text);
        }

        @Override
        public Object read(String key, int start, int end) {
            StringBuilder text = new StringBuilder(end - start);
            int position = start;
            while (position < end) {
                int width = escapes.read(key, position, end, text);
                if (width == 0) {
                    throw unreadable(position, "escaped text");
                }
                position += width;
            }
            return text.toString();
        }
    }

    /** Decimal numbers of a fixed width, with leading zeros, which sort as they count. */
    static final class KeyDigits {

        private KeyDigits() {}

        static void append(StringBuilder text, long value, int width) {
            String digits = Long.toString(value);
            text.append("0".repeat(width - digits.length())).append(digits);
        }

        static String of(long value, int width) {
            StringBuilder text = new StringBuilder(width);
            append(text, value, width);
            return text.toString();
        }

        /**
         * Returns the number between two positions, or -1 for other characters than digits and beyond a {@code long}.
         */
        static long read(String text, int start, int end) {
            long value = 0;
            for (int i = start; i < end; i++) {
                int digit = text.charAt(i) - '0';
                if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
                    return -1;
                }
                value = value * 10 + digit;
            }
            return value;
        }
    }

    /** Times as .NET counts them: steps of 100 ns since the first instant of the year 1, up to the end of 9999. */
    static final class KeyTicks {

        /** {@code DateTime.MaxValue.Ticks} of .NET. */
        static final long MAX = 3_155_378_975_999_999_999L;

        private static final long PER_SECOND = 10_000_000;
        private static final long SECONDS_BEFORE_EPOCH = 62_135_596_800L;

        private KeyTicks() {}

        /** Returns the ticks of a time, cut towards the past; -1 for a time outside of the years 1 to 9999. */
        static long of(Instant time) {
            long seconds = time.getEpochSecond() + SECONDS_BEFORE_EPOCH;
            if (seconds < 0 || seconds > MAX / PER_SECOND) {
                return -1;
            }
            return seconds * PER_SECOND + time.getNano() / 100;
        }

        static Instant time(long ticks) {
            return Instant.ofEpochSecond(ticks / PER_SECOND - SECONDS_BEFORE_EPOCH, ticks % PER_SECOND * 100);
        }
    }
}
