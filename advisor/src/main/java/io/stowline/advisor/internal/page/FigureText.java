package io.stowline.advisor.internal.page;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** Figures as readers see them, alike in every locale. */
final class FigureText {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);
    private static final String[] BYTES = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private FigureText() {}

    static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    static String rate(double value) {
        return String.format(Locale.ROOT, value >= 100 || value == 0 ? "%,.0f" : value >= 1 ? "%.1f" : "%.2f", value);
    }

    static String bytes(double value) {
        double size = value;
        int unit = 0;
        while (size >= 1_024 && unit < BYTES.length - 1) {
            size /= 1_024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 || size >= 100 ? "%.0f %s" : "%.1f %s", size, BYTES[unit]);
    }

    static String time(Instant at) {
        return TIME.format(at);
    }

    static String time(Duration time) {
        long seconds = Math.round(time.toMillis() / 1e3);
        if (seconds == 0) {
            return time.toMillis() + " ms";
        }
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + " h";
        }
        return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }
}
