package io.stowline.benchmarks.side.work;

import com.azure.data.tables.models.TableEntity;
import java.time.ZoneOffset;
import java.util.UUID;

/** Readings by their number, with the keys of the orders; the same for each contender, made again each time. */
public final class Readings {

    private static final int SAMPLE = 96;
    private static final long SOME_BITS = 0x9E37_79B9_7F4A_7C15L;
    private static final byte[][] SAMPLES = samples();
    private static final String[] SENSORS = Orders.texts(40);
    private static final String[] PLACES = Orders.texts(180);
    private static final String[] NOTES = Orders.texts(320);

    private Readings() {}

    public static Reading reading(String station, long n) {
        int variant = (int) (n & 15);
        return new Reading(
                station,
                Orders.row(n),
                id(n),
                SAMPLES[variant],
                Orders.placed(n),
                SENSORS[variant],
                PLACES[variant],
                NOTES[variant],
                variant,
                n * 1_000_003L,
                variant * 0.37,
                (n & 1) == 0);
    }

    public static TableEntity entity(String station, long n) {
        int variant = (int) (n & 15);
        return new TableEntity(station, Orders.row(n))
                .addProperty("id", id(n))
                .addProperty("sample", SAMPLES[variant])
                .addProperty("taken", Orders.placed(n).atOffset(ZoneOffset.UTC))
                .addProperty("sensor", SENSORS[variant])
                .addProperty("place", PLACES[variant])
                .addProperty("note", NOTES[variant])
                .addProperty("quality", variant)
                .addProperty("number", n * 1_000_003L)
                .addProperty("value", variant * 0.37)
                .addProperty("valid", (n & 1) == 0);
    }

    private static UUID id(long n) {
        return new UUID(n * SOME_BITS, ~n * SOME_BITS);
    }

    private static byte[][] samples() {
        byte[][] samples = new byte[16][SAMPLE];
        for (int i = 0; i < samples.length; i++) {
            for (int k = 0; k < SAMPLE; k++) {
                samples[i][k] = (byte) (31 * i + 7 * k);
            }
        }
        return samples;
    }
}
