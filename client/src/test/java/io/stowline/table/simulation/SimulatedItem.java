package io.stowline.table.simulation;

import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An entity that says which operation wrote it, as large as one may be; one of its accessors may throw. */
record SimulatedItem(
        @PartitionKey String partition,
        @RowKey String row,
        int op,
        String text,
        @Nullable String a,
        @Nullable String b,
        @Nullable String c,
        @Nullable String d,
        @Nullable String e,
        @Nullable String f,
        @Nullable String g,
        @Nullable String h,
        @Nullable String i,
        @Nullable String j,
        @Nullable String k,
        @Nullable String l,
        @Nullable String m,
        @Nullable String n,
        @Nullable String o) {

    /** The most large properties, together a little less than the service takes. */
    static final int MAX_LARGE = 15;

    /** Makes the accessor throw. */
    static final String THROWS = "throws";

    /** Two bytes on the wire for each character, as in the service's own count. */
    private static final String LARGE = "\u00e9".repeat(32_000);

    static SimulatedItem of(SimulatedKey key, int op, String text, int large) {
        String[] values = new String[MAX_LARGE];
        Arrays.fill(values, 0, large, LARGE);
        return new SimulatedItem(
                key.partition(),
                key.row(),
                op,
                text,
                values[0],
                values[1],
                values[2],
                values[3],
                values[4],
                values[5],
                values[6],
                values[7],
                values[8],
                values[9],
                values[10],
                values[11],
                values[12],
                values[13],
                values[14]);
    }

    @Override
    public String text() {
        if (text.equals(THROWS)) {
            throw new IllegalStateException("thrown by the accessor of " + op);
        }
        return text;
    }
}
