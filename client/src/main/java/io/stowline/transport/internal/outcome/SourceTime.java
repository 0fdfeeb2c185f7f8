package io.stowline.transport.internal.outcome;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The modification time of the file that a blob was made of, in the blob's metadata, to the millisecond. Users never see it. */
public final class SourceTime {

    /** The name of the time in the metadata; users cannot have it. */
    public static final String NAME = "stowlinemodified";

    /** The range of milliseconds in a {@code long}, in which files have their times. */
    private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);

    private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);

    private SourceTime() {}

    /**
     * Returns whether a name is that of the time.
     *
     * @param name a name, in any case
     */
    public static boolean is(String name) {
        return NAME.equals(name.toLowerCase(Locale.ROOT));
    }

    /** Adds the time, unless the other metadata leave no room for it. */
    public static Map<String, String> in(Map<String, String> metadata, Instant time) {
        String value = time.truncatedTo(ChronoUnit.MILLIS).toString();
        return OriginalContent.with(metadata, NAME, value);
    }

    /**
     * Returns the time in metadata, if there is one.
     *
     * @param metadata what was read
     * @return the time, or {@code null} where there is none, or none that can be read
     */
    public static @Nullable Instant of(@Nullable Map<String, String> metadata) {
        String value = StoredTexts.value(metadata, NAME);
        return value == null ? null : parsed(value);
    }

    /** The SDK gives an empty value as {@code null}. */
    private static @Nullable Instant parsed(@Nullable String value) {
        try {
            Instant time = value == null ? null : Instant.parse(value);
            return time == null || time.isBefore(EARLIEST) || time.isAfter(LATEST) ? null : time;
        } catch (DateTimeParseException e) {
            return null;
        }
    }
}
