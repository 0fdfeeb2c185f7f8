package io.stowline.benchmarks.side.report;

/** A figure that is compared. */
public enum Metric {
    RATE("throughput", true),
    CPU("CPU", false),
    BYTES("allocation", false),
    LATENCY("median latency", false),
    /** A goal is a number, whatever the peer needs. */
    REQUESTS("requests per item", false),
    /** Heap and direct memory together. */
    PEAK("peak memory", false),
    /** The rate as a part of the most that the latency allows; {@link ContenderResult#ratio} knows how. */
    SHARE("share of what the latency allows", true);

    private final String title;
    private final boolean moreIsBetter;

    Metric(String title, boolean moreIsBetter) {
        this.title = title;
        this.moreIsBetter = moreIsBetter;
    }

    public String title() {
        return title;
    }

    public boolean moreIsBetter() {
        return moreIsBetter;
    }

    double of(Figures figures) {
        return switch (this) {
            case RATE, SHARE -> figures.perSecond();
            case CPU -> figures.cpuMicros();
            case BYTES -> figures.bytes();
            case LATENCY -> figures.medianMicros();
            case REQUESTS -> figures.requests();
            case PEAK -> figures.peakBytes();
        };
    }
}
