package io.stowline.system.ledger.script;

import java.util.EnumSet;
import java.util.Set;

/**
 * The result of an operation that a caller received.
 *
 * @param sort in which of the ways that differ for a caller
 * @param repeated whether it was reported that it may have taken effect more than once
 * @param etag the version that was named, empty for none
 * @param offset where an append was reported to stand, -1 where none was
 * @param text the response in words
 */
public record ReportedResult(Sort sort, boolean repeated, String etag, long offset, String text) {

    private static final Set<Sort> SUCCESSES = EnumSet.of(Sort.DONE, Sort.DONE_BY_MARK, Sort.CONTENT, Sort.ABSENT);

    /** The end of an operation for its caller. */
    public enum Sort {
        /** Carried out, by this call: the service confirmed it, or a mark did. */
        DONE,
        /** Done as {@link #DONE}, by the evidence of the marker. */
        DONE_BY_MARK,
        /** The state is as it was wanted, by whomever. */
        CONTENT,
        /** Absent: no resource of that name exists now. */
        ABSENT,
        /** Refused: not carried out, now or later. */
        REFUSED,
        /** Unknown. */
        UNKNOWN,
        /** Never ended. */
        NEVER
    }

    public static ReportedResult done(boolean repeated, String etag) {
        return new ReportedResult(Sort.DONE, repeated, etag, -1, "done");
    }

    public static ReportedResult of(Sort sort, String text) {
        return new ReportedResult(sort, false, "", -1, text);
    }

    /** Returns this result, of which it is known besides that it may have taken effect more than once. */
    public ReportedResult perhapsRepeated() {
        return new ReportedResult(sort, true, etag, offset, text);
    }

    public boolean isSuccess() {
        return SUCCESSES.contains(sort);
    }

    @Override
    public String toString() {
        return sort + (repeated ? ", perhaps repeated" : "") + (etag.isEmpty() ? "" : ", " + etag)
                + (offset < 0 ? "" : ", at " + offset) + ": " + text;
    }
}
