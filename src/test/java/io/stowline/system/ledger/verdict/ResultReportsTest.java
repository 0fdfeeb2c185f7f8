package io.stowline.system.ledger.verdict;

import static io.stowline.system.ledger.verdict.HandMade.delete;
import static io.stowline.system.ledger.verdict.HandMade.etag;
import static io.stowline.system.ledger.verdict.HandMade.insert;
import static io.stowline.system.ledger.verdict.HandMade.op;
import static io.stowline.system.ledger.verdict.HandMade.replace;
import static io.stowline.system.ledger.verdict.HandMade.reported;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.script.CallerTimeout;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.script.Verb;
import io.stowline.system.ledger.verdict.Violation.Rule;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResultReportsTest {

    private static final Op DELETE_BLOB = Op.elsewhere("op", Kind.DELETE_BLOB, "blob", "");

    private final HandMade made = new HandMade();

    @ParameterizedTest
    @EnumSource(names = {"DONE", "DONE_BY_MARK", "CONTENT", "UNKNOWN"})
    void whatWasCarriedOutOnceMayBeCalledSo(Sort sort) {
        made.did(op(Kind.INSERT, insert("a")), reported(sort), 1).row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "DONE_BY_MARK"})
    void whatWasNeverCarriedOutIsNotDone(Sort sort) {
        made.did(op(Kind.INSERT, insert("a")), reported(sort), 0);

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.DONE_BUT_NEVER_APPLIED);
    }

    @Test
    void whatWasCarriedOutTwiceHasToBeCalledRepeated() {
        made.did(op(Kind.UPSERT, replace("a")), reported(Sort.DONE), 2).row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.APPLIED_TWICE_UNREPORTED);
    }

    @Test
    void whatIsSetMayBeSetOnceMoreByTheProcessAfterAKilledOne() {
        made.did(op(Kind.JOURNALED, replace("a")).cutShort(), reported(Sort.DONE), 1)
                .replayed()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @Test
    void theKilledProcessItselfMustNotHaveSetItTwice() {
        made.did(op(Kind.JOURNALED, replace("a")).cutShort(), reported(Sort.DONE), 2)
                .replayed()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.APPLIED_TWICE_UNREPORTED);
    }

    @Test
    void anInsertHasNoSecondEffectByTheProcessAfterAKilledOne() {
        made.did(op(Kind.JOURNALED, insert("a")).cutShort(), reported(Sort.DONE), 1)
                .rival(delete())
                .replayed()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.APPLIED_TWICE_UNREPORTED);
    }

    @Test
    void aProcessThatIsClosedLeavesNothingOfWhatItHasReported() {
        made.did(op(Kind.JOURNALED, replace("a")), reported(Sort.DONE), 1)
                .replayed()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.APPLIED_TWICE_UNREPORTED);
    }

    @Test
    void whatIsCalledRepeatedMayBeCarriedOutTwice() {
        made.did(op(Kind.UPSERT, replace("a")), ReportedResult.done(true, ""), 2)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @Test
    void aSecondTimeAfterTheResponseCountsToo() {
        made.did(op(Kind.UPSERT, replace("a")), reported(Sort.DONE), 1).late().row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.APPLIED_TWICE_UNREPORTED);
    }

    @Test
    void aMessageThatIsRemovedDuringAnotherDeletionIsNotThatOne() {
        Op earlier = Op.elsewhere("d1", Kind.DELETE_MESSAGE, "one", "body");
        made.did(earlier, reported(Sort.UNKNOWN), 0)
                .did(Op.elsewhere("d2", Kind.DELETE_MESSAGE, "two", "body"), reported(Sort.DONE), 1)
                .besides(earlier);

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @Test
    void contentMayBeAnothers() {
        made.rival(replace("a"))
                .did(op(Kind.INSERT, insert("a")), reported(Sort.CONTENT), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @Test
    void contentHasToHaveStoodThereDuringTheCall() {
        made.rival(replace("a"))
                .rival(replace("b"))
                .did(op(Kind.INSERT, insert("a")), reported(Sort.CONTENT), 0)
                .rival(replace("a"))
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.CONTENT_WAS_NEVER_THERE);
    }

    @Test
    void absentHasToHaveBeenSoDuringTheCall() {
        made.rival(insert("a"))
                .did(op(Kind.DELETE, delete()), reported(Sort.ABSENT), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.WAS_NEVER_ABSENT);
    }

    @Test
    void absentMayBeAnothersDoing() {
        made.rival(insert("a")).rival(delete()).did(op(Kind.DELETE, delete()), reported(Sort.ABSENT), 0);

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @Test
    void whatIsRefusedMustNotBeCarriedOut() {
        made.did(op(Kind.INSERT, insert("a")), reported(Sort.REFUSED), 1).row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.REFUSED_BUT_APPLIED);
    }

    @Test
    void whatIsRefusedMustNotBeCarriedOutAfterwards() {
        made.did(op(Kind.INSERT, insert("a")), reported(Sort.REFUSED), 0).late().row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.REFUSED_BUT_APPLIED);
    }

    @Test
    void theEmulatorsOwnLiesAreNotHeldAgainstTheClient() {
        made.did(op(Kind.INSERT, insert("a")), reported(Sort.REFUSED), 0)
                .muchTooLate()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).isEmpty();
        assertThat(Page.of(1, made.facts(), Map.of()).beyond()).isEqualTo(1);
    }

    @Test
    void everyOperationHasAResponse() {
        made.did(op(Kind.WRITER, insert("a")), reported(Sort.NEVER), 0);

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.NO_RESPONSE);
    }

    @Test
    void aVersionThatIsReportedIsTheCallsOwn() {
        made.did(op(Kind.INSERT, insert("a")), ReportedResult.done(false, etag(2)), 1)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @Test
    void aVersionOfAnotherIsNotReported() {
        made.did(op(Kind.INSERT, insert("a")), ReportedResult.done(false, etag(6)), 1)
                .rival(replace("b"))
                .row(Row.VALUE, "b");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.VERSION_OF_ANOTHER);
    }

    @Test
    void byContentTheVersionOfAnothersEqualWriteMayBeReported() {
        ReportedResult content = new ReportedResult(Sort.CONTENT, false, etag(1), -1, "");
        made.rival(replace("a")).did(op(Kind.INSERT, insert("a")), content, 0).row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @Test
    void aTransactionCountsAsOne() {
        Change other = new Change(Verb.REPLACE_ANY, new Key("p", "r2"), "a", "");
        made.did(op(Kind.TRANSACTION, insert("a"), other), reported(Sort.DONE), 2)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.APPLIED_TWICE_UNREPORTED);
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "ABSENT"})
    void aBlobThatIsThereIsNotGone(Sort sort) {
        made.did(Op.elsewhere("op", Kind.CREATE_BLOB, "blob", "x"), reported(Sort.DONE), 1)
                .did(DELETE_BLOB, reported(sort), 0);

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.WAS_NEVER_ABSENT);
    }

    @Test
    void aBlobMayBeGoneByAnothersDoing() {
        made.did(DELETE_BLOB, reported(Sort.DONE), 0);

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @Test
    void whoRemovedABlobIsNotReportedThatThereWasNone() {
        made.did(DELETE_BLOB, reported(Sort.ABSENT), 1);

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.REFUSED_BUT_APPLIED);
    }

    @Test
    void ofACoalescedPairTheLaterOneStandsForBoth() {
        Op earlier = Op.of("op-0", Kind.COALESCED, CallerTimeout.USUAL, replace("a"));
        Op later = Op.of("op-1", Kind.COALESCED, CallerTimeout.USUAL, replace("b"));
        made.together(earlier, reported(Sort.DONE), 0)
                .did(later, reported(Sort.DONE), 1)
                .row(Row.VALUE, "b");

        assertThat(made.violated(new ResultReports())).isEmpty();
    }

    @Test
    void withoutALaterOneWhatNeverWentOutIsNotDone() {
        Op earlier = Op.of("op-0", Kind.COALESCED, CallerTimeout.USUAL, replace("a"));
        Op later = Op.of("op-1", Kind.COALESCED, CallerTimeout.USUAL, replace("b"));
        made.together(earlier, reported(Sort.DONE), 0).did(later, reported(Sort.REFUSED), 0);

        assertThat(made.violated(new ResultReports())).containsExactly(Rule.DONE_BUT_NEVER_APPLIED);
    }

    @Test
    void howAnIndexedEntityIsWrittenDependsOnWhatIsThere() {
        Op put = op(Kind.INDEXED, replace("a"));
        made.did(put, reported(Sort.DONE), 0).late(insert("a")).row(Row.VALUE, "a");

        assertThat(made.violated(new ResultReports())).isEmpty();
    }
}
