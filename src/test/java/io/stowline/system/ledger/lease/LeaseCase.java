package io.stowline.system.ledger.lease;

import io.stowline.system.ledger.script.Clock;
import io.stowline.system.ledger.script.ReportedResult;

/**
 * An operation about a lease, a fenced blob or an exclusive creation, with the result that its caller received.
 *
 * @param resource the blob, container, table or queue
 * @param content what a write has written; else empty
 * @param term the number of the term that it was in, or 0
 * @param reported the result; its text names the class of a refusal
 */
record LeaseCase(
        int worker,
        int step,
        LeaseKind kind,
        String resource,
        String content,
        long term,
        ReportedResult reported,
        long start,
        long end) {

    boolean is(ReportedResult.Sort sort) {
        return reported.sort() == sort;
    }

    @Override
    public String toString() {
        return "worker " + worker + ", step " + step + ": " + kind + " " + resource + " " + content
                + (term == 0 ? "" : " in term " + term) + ", " + Clock.shown(start) + ".." + Clock.shown(end) + ": "
                + reported;
    }
}
