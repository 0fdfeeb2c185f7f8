package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A wrong result, or a state that no result explains.
 *
 * @param rule what is violated
 * @param kind of which kind of operation, or {@code null} if of none
 * @param story everything that happened
 */
record Violation(Rule rule, @Nullable Kind kind, String story) {

    /** The rules that each result has to keep. */
    enum Rule {
        DONE_BUT_NEVER_APPLIED,
        APPLIED_TWICE_UNREPORTED,
        CONTENT_WAS_NEVER_THERE,
        WAS_NEVER_ABSENT,
        REFUSED_BUT_APPLIED,
        NO_RESPONSE,
        VERSION_OF_ANOTHER,
        TWO_OWNERS,
        EARLIER_WRITE_WON,
        APPENDED_ELSEWHERE,
        DELETED_BUT_THERE,
        READ_TOO_OLD,
        INDEX_ROW_MISSING,
        INDEX_ROW_TOO_MANY,
        UNREQUESTED,
        STATE_UNEXPLAINED
    }

    @Override
    public String toString() {
        return rule + (kind == null ? "" : " (" + kind + ")") + "\n  " + story;
    }
}
