package io.stowline.benchmarks.side.report;

/** The contenders of a comparison. */
public enum Contender {
    /** Stowline, with everything on that is on by default and a listener. */
    STOWLINE("Stowline"),
    /** The peer of Stowline: the Azure SDK, or another use of Stowline. */
    PEER("peer"),
    /** Stowline with an advisor that is closed. */
    OFF("closed advisor"),
    /** A hand-made client on Netty alone, which knows nothing but this workload. */
    BARE("bare Netty"),
    /** Netty with one request at a time, which shows the time of a round trip without competition. */
    ALONE("bare Netty, one at a time");

    private final String title;

    Contender(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
