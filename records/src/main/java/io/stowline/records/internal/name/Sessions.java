package io.stowline.records.internal.name;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of writers: the length of their intervals, by which a reader knows the span of a blob, and 12 random characters of base 32, such as
 * {@code 5m-k3v9x2m4qd7h}. Stateless.
 */
public final class Sessions {

    /** The names of sessions that blob names may have. */
    static final String PATTERN = "(?:[1-9][0-9]{0,4}[smhd]-)?[0-9a-z]{1,32}";

    private static final Pattern NAME = Pattern.compile(PATTERN);
    private static final Pattern LENGTH = Pattern.compile("([1-9][0-9]{0,4})([smhd])-.*");
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final String DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
    private static final int LENGTH_OF_ID = 12;

    private Sessions() {}

    /** Returns a new name of a writer with such intervals. */
    public static String next(RandomGenerator random, Intervals intervals) {
        StringBuilder name = new StringBuilder(length(intervals.every().toSeconds())).append('-');
        for (int i = 0; i < LENGTH_OF_ID; i++) {
            name.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
        }
        return name.toString();
    }

    private static String length(long seconds) {
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }

    /** Returns whether blob names may have this name. */
    public static boolean isName(String session) {
        return NAME.matcher(session).matches();
    }

    /** Returns the length of a writer's intervals, or a day if its name does not contain it. */
    public static Duration every(String session) {
        Matcher length = LENGTH.matcher(session);
        if (!length.matches()) {
            return LONGEST;
        }
        long number = Long.parseLong(length.group(1));
        Duration every =
                switch (length.group(2)) {
                    case "s" -> Duration.ofSeconds(number);
                    case "m" -> Duration.ofMinutes(number);
                    case "h" -> Duration.ofHours(number);
                    default -> Duration.ofDays(number);
                };
        return every.compareTo(LONGEST) > 0 ? LONGEST : every;
    }
}
