package io.stowline.benchmarks.side.work;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Random;

/** The blobs of the stub's container: their names describe their content. */
public final class Blobs {

    /** The container. */
    public static final String CONTAINER = "photos";

    /** The bytes of a photo, of which longer content is a repetition. */
    public static final int SIZE = 64 << 10;

    /** The bytes of a blob in a directory. */
    public static final int SMALL = 16 << 10;

    /** The content of a photo, not to be changed. */
    public static final byte[] CONTENT = random();

    /** The name of a long blob, before its MiB. */
    public static final String LONG_NAME = "long";

    /** The name of a directory, before the number of its blobs. */
    public static final String FOLDER_NAME = "small";

    /** The prefix of the names of blobs with a stored MD5. */
    public static final String CHECKED = "checked-";

    /** The prefix of the names of blobs that are not there before they are written. */
    public static final String ABSENT = "absent";

    /** A MiB of lines of a log, of which longer text is a repetition; not to be changed. */
    public static final byte[] TEXT = text();

    private static final int TEXT_SIZE = 1 << 20;

    private Blobs() {}

    private static byte[] text() {
        String[] verbs = {"accepted", "delivered", "refused", "scheduled", "cancelled", "forwarded"};
        Random random = new Random(1);
        StringBuilder lines = new StringBuilder(TEXT_SIZE + 200);
        for (long at = 1_764_320_000_000L; lines.length() < TEXT_SIZE; at += random.nextInt(900)) {
            lines.append(Instant.ofEpochMilli(at))
                    .append(random.nextInt(20) == 0 ? " WARN  " : " INFO  ")
                    .append("[worker-")
                    .append(random.nextInt(32))
                    .append("] order ")
                    .append(random.nextInt(1_000_000))
                    .append(" of customer ")
                    .append(Integer.toHexString(random.nextInt()))
                    .append(' ')
                    .append(verbs[random.nextInt(verbs.length)])
                    .append(" in ")
                    .append(random.nextInt(5_000))
                    .append(" ms\n");
        }
        return Arrays.copyOf(lines.toString().getBytes(StandardCharsets.US_ASCII), TEXT_SIZE);
    }

    private static byte[] random() {
        byte[] bytes = new byte[SIZE];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    /** Returns the name of a photo. */
    public static String name(long number) {
        return "2026/photo-" + number % 1_000;
    }

    /** Returns the name of an existing long blob, with or without a stored MD5. */
    public static String longName(int mib, boolean checked) {
        return (checked ? CHECKED : "") + LONG_NAME + "/" + mib;
    }

    /** Returns the prefix of the names of so many existing small blobs, with or without a stored MD5. */
    public static String folder(int blobs, boolean checked) {
        return (checked ? CHECKED : "") + FOLDER_NAME + "/" + blobs + "/";
    }

    /** Returns the name of a small blob in its directory; names are in the order of the numbers. */
    public static String smallName(int number) {
        return "part-" + (100_000 + number) + ".bin";
    }
}
