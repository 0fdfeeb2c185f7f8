package io.stowline.projection.internal.edm;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.stowline.projection.InvalidValueException;
import java.time.Instant;
import java.util.Objects;

/**
 * The text of {@code Edm.DateTime}: {@code yyyy-MM-ddTHH:mm:ss.fffffffZ}, always UTC, always 28 ASCII characters.
 *
 * <p>The service keeps steps of 100 ns, which is seven fraction digits. <b>Finer digits are cut towards the past</b>: a
 * time is never stored later than it was. The range is {@code 1601-01-01T00:00:00Z} to
 * {@code 9999-12-31T23:59:59.9999999Z}; a time outside is refused (Microsoft Learn, "Understanding the Table service
 * data model").
 *
 * <p>Reading is more tolerant, because other clients wrote other forms: {@link #parse} states them.
 *
 * <p>Stateless and safe for use by many threads; it uses no {@code DateTimeFormatter} and {@link #write} allocates
 * nothing.
 */
public final class EdmDateTime {

    /** The length of the written form in characters, which is its length in bytes. */
    public static final int LENGTH = 28;

    private static final long MIN_SECOND = -11_644_473_600L;
    private static final long MAX_SECOND = 253_402_300_799L;
    private static final int SECONDS_PER_DAY = 86_400;

    private EdmDateTime() {}

    /**
     * Returns the text of a time.
     *
     * @param time the time; digits below 100 ns are cut towards the past
     * @return 28 characters, such as {@code 2024-02-29T12:30:00.1234567Z}
     * @throws IllegalArgumentException if the time is out of the range of {@code Edm.DateTime}
     */
    public static String format(Instant time) {
        byte[] text = new byte[LENGTH];
        write(time, text, 0);
        return new String(text, ISO_8859_1);
    }

    /**
     * Writes the text of a time into a buffer.
     *
     * @param time the time; digits below 100 ns are cut towards the past
     * @param offset where the first of the 28 bytes goes
     * @return the offset after the last byte, which is {@code offset + 28}
     * @throws IllegalArgumentException if the time is out of the range of {@code Edm.DateTime}
     * @throws IndexOutOfBoundsException if the buffer has no 28 bytes from the offset on; nothing is written then
     */
    public static int write(Instant time, byte[] target, int offset) {
        Objects.requireNonNull(time, "time");
        Objects.requireNonNull(target, "target");
        long second = time.getEpochSecond();
        if (second < MIN_SECOND || second > MAX_SECOND) {
            throw new InvalidValueException("time " + time + " is out of the range of Edm.DateTime,"
                    + " 1601-01-01T00:00:00Z to 9999-12-31T23:59:59.9999999Z");
        }
        Objects.checkFromIndexSize(offset, LENGTH, target.length);
        int days = (int) Math.floorDiv(second, (long) SECONDS_PER_DAY);
        int secondOfDay = (int) (second - (long) days * SECONDS_PER_DAY);
        writeDate(days, target, offset);
        target[offset + 10] = 'T';
        digits(secondOfDay / 3600, 2, target, offset + 11);
        target[offset + 13] = ':';
        digits(secondOfDay / 60 % 60, 2, target, offset + 14);
        target[offset + 16] = ':';
        digits(secondOfDay % 60, 2, target, offset + 17);
        target[offset + 19] = '.';
        digits(time.getNano() / 100, 7, target, offset + 20);
        target[offset + 27] = 'Z';
        return offset + LENGTH;
    }

    /**
     * Reads a time in the service's form or in one that other clients wrote.
     *
     * <p>Accepted is {@code yyyy-MM-dd}, alone (midnight UTC) or followed by {@code T} or a blank, {@code HH:mm}, seconds
     * or not, up to nine fraction digits or none, and {@code Z}, {@code +hh:mm}, {@code -hh:mm} or nothing, which means
     * UTC. Years are 0000 to 9999, so that a {@code 0001-01-01T00:00:00Z} written elsewhere is read.
     *
     * @throws IllegalArgumentException if the text is none of these
     */
    public static Instant parse(CharSequence text) {
        Objects.requireNonNull(text, "text");
        return DateTimeParser.parse(text);
    }

    /**
     * The Gregorian calendar repeats every 400 years, which are 146,097 days; years are counted from the first of March,
     * so that the leap day is the last of its year.
     */
    private static void writeDate(int epochDay, byte[] target, int offset) {
        int day = epochDay + DateTimeParser.EPOCH_FROM_MARCH_OF_YEAR_ZERO;
        int dayOfEra = day % 146_097;
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int monthFromMarch = (5 * dayOfYear + 2) / 153;
        int month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
        int year = day / 146_097 * 400 + yearOfEra + (month <= 2 ? 1 : 0);
        digits(year, 4, target, offset);
        target[offset + 4] = '-';
        digits(month, 2, target, offset + 5);
        target[offset + 7] = '-';
        digits(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, 2, target, offset + 8);
    }

    private static void digits(int value, int count, byte[] target, int offset) {
        int rest = value;
        for (int i = offset + count - 1; i >= offset; i--) {
            target[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
