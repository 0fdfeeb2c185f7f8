package io.stowline.system.ledger.verdict;

import static io.stowline.system.ledger.verdict.HandMade.delete;
import static io.stowline.system.ledger.verdict.HandMade.etag;
import static io.stowline.system.ledger.verdict.HandMade.insert;
import static io.stowline.system.ledger.verdict.HandMade.op;
import static io.stowline.system.ledger.verdict.HandMade.replace;
import static io.stowline.system.ledger.verdict.HandMade.told;
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

class AnswersTest {

    private static final Op DELETE_BLOB = Op.elsewhere("op", Kind.DELETE_BLOB, "blob", "");

    private final HandMade made = new HandMade();

    @ParameterizedTest
    @EnumSource(names = {"DONE", "DONE_BY_MARK", "CONTENT", "UNKNOWN"})
    void whatWasCarriedOutOnceMayBeCalledSo(Sort sort) {
        made.did(op(Kind.INSERT, insert("a")), told(sort), 1).row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "DONE_BY_MARK"})
    void whatWasNeverCarriedOutIsNotDone(Sort sort) {
        made.did(op(Kind.INSERT, insert("a")), told(sort), 0);

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.DONE_BUT_NEVER_APPLIED);
    }

    @Test
    void whatWasCarriedOutTwiceHasToBeCalledRepeated() {
        made.did(op(Kind.UPSERT, replace("a")), told(Sort.DONE), 2).row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.APPLIED_TWICE_UNTOLD);
    }

    @Test
    void whatIsSetMayBeSetOnceMoreByTheProcessAfterAKilledOne() {
        made.did(op(Kind.JOURNALED, replace("a")).cutShort(), told(Sort.DONE), 1)
                .replayed()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @Test
    void theKilledProcessItselfMustNotHaveSetItTwice() {
        made.did(op(Kind.JOURNALED, replace("a")).cutShort(), told(Sort.DONE), 2)
                .replayed()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.APPLIED_TWICE_UNTOLD);
    }

    @Test
    void anInsertHasNoSecondEffectByTheProcessAfterAKilledOne() {
        made.did(op(Kind.JOURNALED, insert("a")).cutShort(), told(Sort.DONE), 1)
                .rival(delete())
                .replayed()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.APPLIED_TWICE_UNTOLD);
    }

    @Test
    void aProcessThatIsClosedLeavesNothingOfWhatItHasReported() {
        made.did(op(Kind.JOURNALED, replace("a")), told(Sort.DONE), 1)
                .replayed()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.APPLIED_TWICE_UNTOLD);
    }

    @Test
    void whatIsCalledRepeatedMayBeCarriedOutTwice() {
        made.did(op(Kind.UPSERT, replace("a")), ReportedResult.done(true, ""), 2)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @Test
    void aSecondTimeAfterTheAnswerCountsToo() {
        made.did(op(Kind.UPSERT, replace("a")), told(Sort.DONE), 1).late().row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.APPLIED_TWICE_UNTOLD);
    }

    @Test
    void aMessageThatIsRemovedDuringAnotherDeletionIsNotThatOne() {
        Op earlier = Op.elsewhere("d1", Kind.DELETE_MESSAGE, "one", "body");
        made.did(earlier, told(Sort.UNKNOWN), 0)
                .did(Op.elsewhere("d2", Kind.DELETE_MESSAGE, "two", "body"), told(Sort.DONE), 1)
                .besides(earlier);

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @Test
    void contentMayBeAnothers() {
        made.rival(replace("a"))
                .did(op(Kind.INSERT, insert("a")), told(Sort.CONTENT), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @Test
    void contentHasToHaveStoodThereDuringTheCall() {
        made.rival(replace("a"))
                .rival(replace("b"))
                .did(op(Kind.INSERT, insert("a")), told(Sort.CONTENT), 0)
                .rival(replace("a"))
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.CONTENT_WAS_NEVER_THERE);
    }

    @Test
    void absentHasToHaveBeenSoDuringTheCall() {
        made.rival(insert("a"))
                .did(op(Kind.DELETE, delete()), told(Sort.ABSENT), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.WAS_NEVER_ABSENT);
    }

    @Test
    void absentMayBeAnothersDoing() {
        made.rival(insert("a")).rival(delete()).did(op(Kind.DELETE, delete()), told(Sort.ABSENT), 0);

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @Test
    void whatIsRefusedMustNotBeCarriedOut() {
        made.did(op(Kind.INSERT, insert("a")), told(Sort.REFUSED), 1).row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.REFUSED_BUT_APPLIED);
    }

    @Test
    void whatIsRefusedMustNotBeCarriedOutAfterwards() {
        made.did(op(Kind.INSERT, insert("a")), told(Sort.REFUSED), 0).late().row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.REFUSED_BUT_APPLIED);
    }

    @Test
    void theEmulatorsOwnLiesAreNotHeldAgainstTheClient() {
        made.did(op(Kind.INSERT, insert("a")), told(Sort.REFUSED), 0)
                .muchTooLate()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
        assertThat(Page.of(1, made.facts(), Map.of()).beyond()).isEqualTo(1);
    }

    @Test
    void everyOperationHasAnAnswer() {
        made.did(op(Kind.WRITER, insert("a")), told(Sort.NEVER), 0);

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.NO_ANSWER);
    }

    @Test
    void aVersionThatIsToldIsTheCallsOwn() {
        made.did(op(Kind.INSERT, insert("a")), ReportedResult.done(false, etag(2)), 1)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @Test
    void aVersionOfAnotherIsNotTold() {
        made.did(op(Kind.INSERT, insert("a")), ReportedResult.done(false, etag(6)), 1)
                .rival(replace("b"))
                .row(Row.VALUE, "b");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.VERSION_OF_ANOTHER);
    }

    @Test
    void byContentTheVersionOfAnothersEqualWriteMayBeTold() {
        ReportedResult content = new ReportedResult(Sort.CONTENT, false, etag(1), -1, "");
        made.rival(replace("a")).did(op(Kind.INSERT, insert("a")), content, 0).row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @Test
    void aTransactionCountsAsOne() {
        Change other = new Change(Verb.REPLACE_ANY, new Key("p", "r2"), "a", "");
        made.did(op(Kind.TRANSACTION, insert("a"), other), told(Sort.DONE), 2).row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.APPLIED_TWICE_UNTOLD);
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "ABSENT"})
    void aBlobThatIsThereIsNotGone(Sort sort) {
        made.did(Op.elsewhere("op", Kind.CREATE_BLOB, "blob", "x"), told(Sort.DONE), 1)
                .did(DELETE_BLOB, told(sort), 0);

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.WAS_NEVER_ABSENT);
    }

    @Test
    void aBlobMayBeGoneByAnothersDoing() {
        made.did(DELETE_BLOB, told(Sort.DONE), 0);

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @Test
    void whoRemovedABlobIsNotToldThatThereWasNone() {
        made.did(DELETE_BLOB, told(Sort.ABSENT), 1);

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.REFUSED_BUT_APPLIED);
    }

    @Test
    void ofACoalescedPairTheLaterOneStandsForBoth() {
        Op earlier = Op.of("op-0", Kind.COALESCED, CallerTimeout.USUAL, replace("a"));
        Op later = Op.of("op-1", Kind.COALESCED, CallerTimeout.USUAL, replace("b"));
        made.together(earlier, told(Sort.DONE), 0)
                .did(later, told(Sort.DONE), 1)
                .row(Row.VALUE, "b");

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }

    @Test
    void withoutALaterOneWhatNeverWentOutIsNotDone() {
        Op earlier = Op.of("op-0", Kind.COALESCED, CallerTimeout.USUAL, replace("a"));
        Op later = Op.of("op-1", Kind.COALESCED, CallerTimeout.USUAL, replace("b"));
        made.together(earlier, told(Sort.DONE), 0).did(later, told(Sort.REFUSED), 0);

        assertThat(made.violated(new ReportedAnswers())).containsExactly(Rule.DONE_BUT_NEVER_APPLIED);
    }

    @Test
    void howAnIndexedEntityIsWrittenDependsOnWhatIsThere() {
        Op put = op(Kind.INDEXED, replace("a"));
        made.did(put, told(Sort.DONE), 0).late(insert("a")).row(Row.VALUE, "a");

        assertThat(made.violated(new ReportedAnswers())).isEmpty();
    }
}
