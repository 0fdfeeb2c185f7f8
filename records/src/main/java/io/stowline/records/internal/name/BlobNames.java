package io.stowline.records.internal.name;

import io.stowline.records.internal.chunk.ChunkName;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of blobs, {@code {prefix}{bucket}/{yyyy}/{MM}/{dd}/{HH}/{mmss}-{session}-{sequence}{suffix}}. The bucket is a hash of session and
 * interval, so that names that are written one after the other stand in all parts of the container, and blobs of a span have few beginnings.
 * Immutable.
 */
public final class BlobNames {

    /** The buckets that a prefix may have. */
    public static final int MAX_BUCKETS = 256;

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");
    private static final int MAX_NAME = 1_024;
    private static final int LONGEST_REST = 128;
    private static final Pattern REST = Pattern.compile("([0-9a-f]{2})/([0-9]{4})/([0-9]{2})/([0-9]{2})/([0-9]{2})/"
            + "([0-9]{2})([0-9]{2})-(" + Sessions.PATTERN + ")-([0-9]{8}|[1-9][0-9]{8,17})(\\..+)");

    private final String prefix;
    private final int buckets;
    private final String suffix;

    /**
     * Names with a prefix.
     *
     * @param prefix what they begin with
     * @param buckets how many buckets new names have
     * @param suffix what they end with
     * @throws IllegalArgumentException if one is not allowed
     */
    public BlobNames(String prefix, int buckets, String suffix) {
        this.prefix = checkedPrefix(prefix);
        if (buckets < 1 || buckets > MAX_BUCKETS) {
            throw new IllegalArgumentException("buckets is 1 to " + MAX_BUCKETS + ", not " + buckets);
        }
        this.buckets = buckets;
        this.suffix = Objects.requireNonNull(suffix, "suffix");
    }

    /**
     * Checks a prefix.
     *
     * @return the prefix
     * @throws IllegalArgumentException if names cannot begin with it
     */
    public static String checkedPrefix(String prefix) {
        Objects.requireNonNull(prefix, "prefix");
        String fault = null;
        if (!prefix.isEmpty() && !prefix.endsWith("/")) {
            fault = "does not end with a slash";
        } else if (prefix.length() > MAX_NAME - LONGEST_REST) {
            fault = "has " + prefix.length() + " characters, and may have " + (MAX_NAME - LONGEST_REST);
        } else if (prefix.startsWith("/") || prefix.contains("//")) {
            fault = "has an empty segment";
        } else if (prefix.contains("./")) {
            fault = "has a segment that ends with a dot, which the service or a client drops";
        } else if (prefix.codePoints().anyMatch(BlobNames::isRefused)) {
            fault = "has a backslash, a control character or an unpaired surrogate";
        }
        if (fault != null) {
            throw new IllegalArgumentException("the prefix '" + prefix + "' " + fault
                    + "; prefixes are like activities/ or eu/activities/, or empty for the whole container");
        }
        return prefix;
    }

    private static boolean isRefused(int c) {
        return c == '\\' || Character.isISOControl(c) || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    /**
     * Returns the name of the blob of a chunk.
     *
     * @throws IllegalArgumentException if its interval is in no year from 1 to 9999, or its session no name of {@link Sessions}
     */
    public String of(ChunkName chunk) {
        if (chunk.interval().isBefore(FIRST) || chunk.interval().isAfter(LAST)) {
            throw new IllegalArgumentException("the interval " + chunk.interval()
                    + " is in no year from 1 to 9999: the clock of this machine is wrong");
        }
        if (!Sessions.isName(chunk.session()) || chunk.sequence() < 0) {
            throw new IllegalArgumentException("blobs cannot be named by " + chunk);
        }
        LocalDateTime interval = LocalDateTime.ofInstant(chunk.interval(), ZoneOffset.UTC);
        int bucket = (int) Math.floorMod(hash(chunk), (long) buckets);
        return String.format(Locale.ROOT, "%s%02x/", prefix, bucket) + rest(interval, chunk) + suffix;
    }

    private static String rest(LocalDateTime interval, ChunkName chunk) {
        return String.format(
                Locale.ROOT,
                "%04d/%02d/%02d/%02d/%02d%02d-%s-%08d",
                interval.getYear(),
                interval.getMonthValue(),
                interval.getDayOfMonth(),
                interval.getHour(),
                interval.getMinute(),
                interval.getSecond(),
                chunk.session(),
                chunk.sequence());
    }

    private static long hash(ChunkName chunk) {
        long hash = chunk.interval().getEpochSecond();
        for (int i = 0; i < chunk.session().length(); i++) {
            hash = (hash ^ chunk.session().charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }

    /** Returns the chunk whose name a blob has, in any bucket; nothing of a name that is none of this prefix and suffix. */
    public Optional<ChunkName> parse(String blob) {
        return parsed(blob).filter(named -> named.suffix().equals(suffix)).map(Named::chunk);
    }

    /** Returns what a blob is named by, whatever its suffix; nothing of a name that is none of this prefix. */
    public Optional<Named> parsed(String blob) {
        if (!blob.startsWith(prefix)) {
            return Optional.empty();
        }
        Matcher rest = REST.matcher(blob).region(prefix.length(), blob.length());
        if (!rest.matches()) {
            return Optional.empty();
        }
        try {
            LocalDateTime interval = LocalDateTime.of(
                    number(rest, 2),
                    number(rest, 3),
                    number(rest, 4),
                    number(rest, 5),
                    number(rest, 6),
                    number(rest, 7));
            if (interval.getYear() == 0) {
                return Optional.empty();
            }
            ChunkName chunk =
                    new ChunkName(interval.toInstant(ZoneOffset.UTC), rest.group(8), Long.parseLong(rest.group(9)));
            return Optional.of(new Named(chunk, rest.group(10)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static int number(Matcher rest, int group) {
        return Integer.parseInt(rest.group(group));
    }

    /** Returns what all names begin with. */
    public String prefix() {
        return prefix;
    }

    /** Returns what all names end with. */
    public String suffix() {
        return suffix;
    }

    /**
     * The facts of a blob's name.
     *
     * @param chunk its chunk; of an append blob the first one
     * @param suffix its ending
     */
    public record Named(ChunkName chunk, String suffix) {}
}
