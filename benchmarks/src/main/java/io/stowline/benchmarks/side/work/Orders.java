package io.stowline.benchmarks.side.work;

import com.azure.data.tables.models.TableEntity;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Orders by their number, the same for each contender, made again each time as an application would. */
public final class Orders {

    public static final int PARTITIONS = 16;

    /** The messages of one receive, the service's own limit. */
    public static final int RECEIVED = 32;

    /** The properties of a projection. */
    public static final List<String> BRIEF = List.of("customer", "quantity");

    private static final long FIRST_ROW = 1_000_000_000L;
    private static final long FIRST_PLACED = 1_795_000_000L;
    private static final String WORDS =
            "the quick brown fox jumps over the lazy dog and runs home along the river while it rains on fields of"
                    + " barley and rye that wait for the harvest in a warm and windy late summer of the north ";

    private static final String[] PARTITION_KEYS = keys();
    private static final String[] CUSTOMERS = texts(60);
    private static final String[] ADDRESSES = texts(140);
    private static final String[] ITEMS = texts(340);
    private static final String[] COMMENTS = texts(320);
    private static final String[] CARRIERS = texts(40);

    private Orders() {}

    /** Neighbours are in different partitions. */
    public static String partition(long n) {
        return PARTITION_KEYS[(int) (n % PARTITIONS)];
    }

    public static String row(long n) {
        return Long.toString(FIRST_ROW + n);
    }

    /** Returns the number of a row, the inverse of {@link #row}. */
    public static long number(long row) {
        return row - FIRST_ROW;
    }

    public static Order order(long n) {
        return order(partition(n), n);
    }

    public static Order order(String partition, long n) {
        int variant = (int) (n & 15);
        return new Order(
                partition,
                row(n),
                CUSTOMERS[variant],
                ADDRESSES[variant],
                ITEMS[variant],
                COMMENTS[variant],
                CARRIERS[variant],
                variant + 1,
                n * 1_000_003L,
                variant * 19.99,
                (n & 1) == 0,
                placed(n));
    }

    public static TableEntity entity(String partition, long n) {
        int variant = (int) (n & 15);
        return new TableEntity(partition, row(n))
                .addProperty("customer", CUSTOMERS[variant])
                .addProperty("address", ADDRESSES[variant])
                .addProperty("items", ITEMS[variant])
                .addProperty("comment", COMMENTS[variant])
                .addProperty("carrier", CARRIERS[variant])
                .addProperty("quantity", variant + 1)
                .addProperty("number", n * 1_000_003L)
                .addProperty("total", variant * 19.99)
                .addProperty("paid", (n & 1) == 0)
                .addProperty("placed", OffsetDateTime.ofInstant(placed(n), ZoneOffset.UTC));
    }

    /** Returns the text of a message about an order. */
    public static String message(long n) {
        int variant = (int) (n & 15);
        return "{\"order\":\"" + row(n) + "\",\"customer\":\"" + CUSTOMERS[variant] + "\",\"carrier\":\""
                + CARRIERS[variant] + "\"}";
    }

    static Instant placed(long n) {
        return Instant.ofEpochSecond(FIRST_PLACED + n % 1_000_000, 123_456_700);
    }

    private static String[] keys() {
        String[] keys = new String[PARTITIONS];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = "shop-" + (10 + i);
        }
        return keys;
    }

    static String[] texts(int length) {
        String[] texts = new String[16];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = WORDS.repeat(3).substring(i, i + length);
        }
        return texts;
    }
}
