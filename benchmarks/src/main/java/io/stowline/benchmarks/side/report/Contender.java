package io.stowline.benchmarks.side.report;

/** Who is measured. */
public enum Contender {
    /** Stowline, with everything on that is on by default and a listener. */
    STOWLINE("Stowline"),
    /** What Stowline is compared with: the Azure SDK, or for latency a direct write of Stowline's own. */
    PEER("peer"),
    /** A hand-made client on Netty alone, which knows nothing but this workload. */
    BARE("bare Netty"),
    /** The same with one request at a time, which tells what a round trip takes when nothing competes. */
    ALONE("bare Netty, one at a time");

    private final String title;

    Contender(String title) {
        this.title = title;
    }

    public String title() {
        return title;
    }
}
