package io.stowline.projection.key;

import io.stowline.projection.InvalidKeyException;
import io.stowline.projection.key.KeyPart.KeyDigits;
import io.stowline.projection.key.KeyPart.KeyTicks;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** A time as {@code ssyyyyMMddHHmm} of UTC: what is written in one minute is spread over 60 places of the order. */
record KeySecondsFirst(String name) implements KeyPart {

    private static final int DIGITS = 14;
    private static final int LAST_YEAR = 9999;

    @Override
    public int width() {
        return DIGITS;
    }

    @Override
    public String write(Object value) {
        Instant instant = typed(Instant.class, value);
        if (!instant.equals(instant.truncatedTo(ChronoUnit.SECONDS))) {
            throw new InvalidKeyException(name + ": " + instant
                    + " is finer than a second, which this part does not keep; use truncatedTo(ChronoUnit.SECONDS)");
        }
        if (KeyTicks.of(instant) < 0) {
            throw new InvalidKeyException(name + ": " + instant + " is out of the years 0001 to " + LAST_YEAR);
        }
        return text(LocalDateTime.ofInstant(instant, ZoneOffset.UTC));
    }

    private static String text(LocalDateTime time) {
        StringBuilder text = new StringBuilder(DIGITS);
        KeyDigits.append(text, time.getSecond(), 2);
        KeyDigits.append(text, time.getYear(), 4);
        KeyDigits.append(text, time.getMonthValue(), 2);
        KeyDigits.append(text, time.getDayOfMonth(), 2);
        KeyDigits.append(text, time.getHour(), 2);
        KeyDigits.append(text, time.getMinute(), 2);
        return text.toString();
    }

    @Override
    public Object read(String key, int start, int end) {
        if (KeyDigits.read(key, start, end) < 0) {
            throw unreadable(start, "a time of " + DIGITS + " digits");
        }
        int year = digits(key, start + 2, 4);
        if (year == 0) {
            throw unreadable(start, "a time of the years 0001 to " + LAST_YEAR);
        }
        try {
            return LocalDateTime.of(
                            year,
                            digits(key, start + 6, 2),
                            digits(key, start + 8, 2),
                            digits(key, start + 10, 2),
                            digits(key, start + 12, 2),
                            digits(key, start, 2))
                    .toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw unreadable(start, "a time that there is");
        }
    }

    private static int digits(String key, int start, int count) {
        return (int) KeyDigits.read(key, start, start + count);
    }
}
