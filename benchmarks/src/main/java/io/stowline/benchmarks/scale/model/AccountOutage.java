package io.stowline.benchmarks.scale.model;

/**
 * An outage of a region.
 *
 * @param kind the sign of it at the clients
 * @param begins its first second
 * @param ends the second in which the service works again
 */
public record AccountOutage(OutageKind kind, int begins, int ends) {

    /** The sign of an outage. */
    public enum OutageKind {
        /** Each request ends at once, with 500. */
        FAILING,
        /** No request has a response. At the end of the outage the connections are reset. */
        SILENT
    }

    boolean covers(long nanos) {
        return nanos >= EventClock.nanos(begins) && nanos < EventClock.nanos(ends);
    }
}
