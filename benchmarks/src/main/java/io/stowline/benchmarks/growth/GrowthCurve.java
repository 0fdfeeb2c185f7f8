package io.stowline.benchmarks.growth;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Work that is measured at several sizes: a line of a chart. */
enum GrowthCurve {
    PARTITIONS_IN_TURN(Growth.PARTITIONS, "each entity of another partition", 1, 2, 4, 16, 64, 128, 256, 512, 1_000),
    PARTITIONS_IN_RUNS(Growth.PARTITIONS, "100 in a row of a partition", 1, 2, 4, 16, 64, 128, 256, 512, 1_000),
    READS(Growth.IN_FLIGHT, "find", 1, 2, 4, 8, 16, 32, 64),
    ENTITY_UPSERTS(Growth.ENTITY_SIZE, "insertOrReplace", 1, 4, 16, 64, 128, 256, 512, 1_000),
    ENTITY_READS(Growth.ENTITY_SIZE, "find", 1, 4, 16, 64, 128, 256, 512, 1_000),
    BLOBS(Growth.LISTING, "stream", 100, 1_000, 5_000, 20_000, 100_000, 1_000_000),
    BUSY_QUEUES(Growth.BUSY_QUEUES, "16 handlers for each queue", 1, 2, 5, 10, 25, 50, 100, 200),
    IDLE_QUEUES(Growth.IDLE_QUEUES, "a poll every 40 to 50 ms", 1, 2, 5, 10, 25, 50, 100, 200);

    private final Growth growth;
    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // it is unmodifiable, and so are numbers
    private final List<Integer> sizes;

    GrowthCurve(Growth growth, String title, Integer... sizes) {
        this.growth = growth;
        this.title = title;
        this.sizes = List.of(sizes);
    }

    /** Returns the curves of a chart. */
    static List<GrowthCurve> of(Growth growth) {
        return Arrays.stream(values()).filter(curve -> curve.growth == growth).toList();
    }

    /**
     * Returns the curve of this id.
     *
     * @throws IllegalArgumentException naming all of them if there is none
     */
    static GrowthCurve named(String id) {
        return Arrays.stream(values())
                .filter(curve -> curve.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no curve is named '" + id + "', only "
                        + Arrays.stream(values()).map(GrowthCurve::id).toList()));
    }

    /** Returns its name on the command line and in the file of the figures. */
    String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    Growth growth() {
        return growth;
    }

    String title() {
        return title;
    }

    /** Returns the sizes that are measured, in ascending order. */
    List<Integer> sizes() {
        return sizes;
    }
}
