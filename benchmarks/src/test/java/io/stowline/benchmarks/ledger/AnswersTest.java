package io.stowline.benchmarks.ledger;

import static io.stowline.benchmarks.ledger.HandMade.delete;
import static io.stowline.benchmarks.ledger.HandMade.etag;
import static io.stowline.benchmarks.ledger.HandMade.insert;
import static io.stowline.benchmarks.ledger.HandMade.op;
import static io.stowline.benchmarks.ledger.HandMade.replace;
import static io.stowline.benchmarks.ledger.HandMade.told;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.ledger.Told.Sort;
import io.stowline.benchmarks.ledger.Violation.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AnswersTest {

    private final HandMade made = new HandMade();

    @ParameterizedTest
    @EnumSource(names = {"DONE", "DONE_BY_MARK", "CONTENT", "UNKNOWN"})
    void whatWasCarriedOutOnceMayBeCalledSo(Sort sort) {
        made.did(op(Kind.INSERT, insert("a")), told(sort), 1).row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "DONE_BY_MARK"})
    void whatWasNeverCarriedOutIsNotDone(Sort sort) {
        made.did(op(Kind.INSERT, insert("a")), told(sort), 0);

        assertThat(made.violated(new Answers())).containsExactly(Rule.DONE_BUT_NEVER_APPLIED);
    }

    @Test
    void whatWasCarriedOutTwiceHasToBeCalledRepeated() {
        made.did(op(Kind.UPSERT, replace("a")), told(Sort.DONE), 2).row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).containsExactly(Rule.APPLIED_TWICE_UNTOLD);
    }

    @Test
    void whatIsCalledRepeatedMayBeCarriedOutTwice() {
        made.did(op(Kind.UPSERT, replace("a")), Told.done(true, ""), 2).row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).isEmpty();
    }

    @Test
    void aSecondTimeAfterTheAnswerCountsToo() {
        made.did(op(Kind.UPSERT, replace("a")), told(Sort.DONE), 1).late().row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).containsExactly(Rule.APPLIED_TWICE_UNTOLD);
    }

    @Test
    void contentMayBeAnothers() {
        made.rival(replace("a"))
                .did(op(Kind.INSERT, insert("a")), told(Sort.CONTENT), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).isEmpty();
    }

    @Test
    void contentHasToHaveStoodThereDuringTheCall() {
        made.rival(replace("a"))
                .rival(replace("b"))
                .did(op(Kind.INSERT, insert("a")), told(Sort.CONTENT), 0)
                .rival(replace("a"))
                .row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).containsExactly(Rule.CONTENT_WAS_NEVER_THERE);
    }

    @Test
    void absentHasToHaveBeenSoDuringTheCall() {
        made.rival(insert("a"))
                .did(op(Kind.DELETE, delete()), told(Sort.ABSENT), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).containsExactly(Rule.WAS_NEVER_ABSENT);
    }

    @Test
    void absentMayBeAnothersDoing() {
        made.rival(insert("a")).rival(delete()).did(op(Kind.DELETE, delete()), told(Sort.ABSENT), 0);

        assertThat(made.violated(new Answers())).isEmpty();
    }

    @Test
    void whatIsRefusedMustNotBeCarriedOut() {
        made.did(op(Kind.INSERT, insert("a")), told(Sort.REFUSED), 1).row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).containsExactly(Rule.REFUSED_BUT_APPLIED);
    }

    @Test
    void whatIsRefusedMustNotBeCarriedOutAfterwards() {
        made.did(op(Kind.INSERT, insert("a")), told(Sort.REFUSED), 0).late().row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).containsExactly(Rule.REFUSED_BUT_APPLIED);
    }

    @Test
    void theEmulatorsOwnLiesAreNotHeldAgainstTheClient() {
        made.did(op(Kind.INSERT, insert("a")), told(Sort.REFUSED), 0)
                .muchTooLate()
                .row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).isEmpty();
        assertThat(Page.of(1, made.facts(), 0).beyond()).isEqualTo(1);
    }

    @Test
    void everyOperationHasAnAnswer() {
        made.did(op(Kind.WRITER, insert("a")), told(Sort.NEVER), 0);

        assertThat(made.violated(new Answers())).containsExactly(Rule.NO_ANSWER);
    }

    @Test
    void aVersionThatIsToldIsTheCallsOwn() {
        made.did(op(Kind.INSERT, insert("a")), Told.done(false, etag(2)), 1).row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).isEmpty();
    }

    @Test
    void aVersionOfAnotherIsNotTold() {
        made.did(op(Kind.INSERT, insert("a")), Told.done(false, etag(6)), 1)
                .rival(replace("b"))
                .row(Row.VALUE, "b");

        assertThat(made.violated(new Answers())).containsExactly(Rule.VERSION_OF_ANOTHER);
    }

    @Test
    void byContentTheVersionOfAnothersEqualWriteMayBeTold() {
        Told content = new Told(Sort.CONTENT, false, etag(1), -1, "");
        made.rival(replace("a")).did(op(Kind.INSERT, insert("a")), content, 0).row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).isEmpty();
    }

    @Test
    void aTransactionCountsAsOne() {
        Change other = new Change(Verb.REPLACE_ANY, new Key("p", "r2"), "a", "");
        made.did(op(Kind.TRANSACTION, insert("a"), other), told(Sort.DONE), 2).row(Row.VALUE, "a");

        assertThat(made.violated(new Answers())).containsExactly(Rule.APPLIED_TWICE_UNTOLD);
    }
}
