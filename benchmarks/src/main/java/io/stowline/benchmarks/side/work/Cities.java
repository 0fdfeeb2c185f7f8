package io.stowline.benchmarks.side.work;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The table that is exported and imported: as many partitions as the data of the quick start has countries, each with equally many cities. */
public final class Cities {

    /** The beginning of the tables' names, by which the stub finds the count of their requests, too. */
    public static final String TABLE = "cities";

    public static final int PARTITIONS = 246;

    private static final int VARIANTS = 16;
    private static final String TIME = "2026-11-21T03:48:35.3031181Z";
    private static final String[] NAMES = Orders.texts(24);
    private static final byte[][] MINIMAL = properties(false);
    private static final byte[][] FULL = properties(true);

    private Cities() {}

    /** Returns the name of the table with this number of rows, which has its number in it. */
    public static String table(int rows) {
        return TABLE + rows;
    }

    /** Returns the number of rows of each partition but the last ones. */
    public static int perPartition(int rows) {
        return (rows + PARTITIONS - 1) / PARTITIONS;
    }

    public static String partition(int number) {
        return String.format(Locale.ROOT, "c%03d", number);
    }

    /** Rows are numbered through all partitions, in the order of their keys. */
    public static String row(int number) {
        return Integer.toString(10_000_000 + number);
    }

    /** Returns the properties behind the keys, in JSON with types, the time stamp first. */
    public static byte[] properties(int number, boolean full) {
        return (full ? FULL : MINIMAL)[number & (VARIANTS - 1)];
    }

    /** Returns the line of an export. */
    public static String line(int rows, int number) {
        return "{\"PartitionKey\":\"" + partition(number / perPartition(rows)) + "\",\"RowKey\":\"" + row(number) + "\""
                + new String(properties(number, false), StandardCharsets.US_ASCII) + "}\n";
    }

    private static byte[][] properties(boolean full) {
        byte[][] all = new byte[VARIANTS][];
        for (int i = 0; i < VARIANTS; i++) {
            String text = (full ? ",\"Timestamp@odata.type\":\"Edm.DateTime\"" : "") + ",\"Timestamp\":\"" + TIME
                    + "\",\"admin\":\"" + (10 + i) + "\",\"lat\":" + (35.6895 + i) + ",\"lng\":" + (139.69171 - i)
                    + ",\"name\":\"" + NAMES[i].substring(0, 8 + i)
                    + "\",\"population@odata.type\":\"Edm.Int64\",\"population\":\"" + (1_000_003L << i)
                    + "\",\"updated@odata.type\":\"Edm.DateTime\",\"updated\":\"" + TIME + "\"";
            all[i] = text.getBytes(StandardCharsets.US_ASCII);
        }
        return all;
    }
}
