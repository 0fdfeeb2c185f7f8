package io.stowline.system.ledger.verdict;

import static io.stowline.system.ledger.verdict.HandMade.insert;
import static io.stowline.system.ledger.verdict.HandMade.op;
import static io.stowline.system.ledger.verdict.HandMade.reported;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.script.Sending;
import io.stowline.system.ledger.verdict.Violation.Rule;
import java.util.List;
import org.junit.jupiter.api.Test;

class StoresTest {

    private static final Op APPEND = Op.elsewhere("a", Kind.APPEND, "log", "[a]");
    private static final Op SEND = Op.elsewhere("s", Kind.SEND, "", "body");
    private static final Op DELETE = Op.elsewhere("d", Kind.DELETE_MESSAGE, "id-of-message", "body");

    private final HandMade made = new HandMade();

    private static ReportedResult at(long offset) {
        return new ReportedResult(Sort.DONE, false, "", offset, "");
    }

    @Test
    void whatFollowsFromTheWritesIsExplained() {
        made.did(op(Kind.INSERT, insert("a")), reported(Sort.DONE), 1).row(Row.VALUE, "a");

        assertThat(made.violated(new Stores())).isEmpty();
    }

    @Test
    void whatFollowsFromNoWriteIsNot() {
        made.did(op(Kind.INSERT, insert("a")), reported(Sort.DONE), 1).row(Row.VALUE, "b");

        assertThat(made.violated(new Stores())).containsExactly(Rule.STATE_UNEXPLAINED);
    }

    @Test
    void whatNobodyRequestedIsReported() {
        made.did(op(Kind.INSERT, insert("a")), reported(Sort.DONE), 1);
        Facts sourceVersion = made.facts();
        sourceVersion.writes().add(new Sending("id-0", List.of(HandMade.replace("x")), List.of("e"), 9, 9, "", true));
        made.row(Row.VALUE, "x");

        assertThat(made.violated(new Stores())).containsExactly(Rule.UNREQUESTED);
    }

    @Test
    void aRequestThatComesDuringALaterStepIsForTheOperationThatWantsIt() {
        made.did(op(Kind.UPSERT, HandMade.replace("x")), reported(Sort.REFUSED), 0)
                .did(op(Kind.DELETE, HandMade.delete()), reported(Sort.UNKNOWN), 0)
                .late(HandMade.replace("x"))
                .row(Row.VALUE, "x");

        assertThat(made.violated(new Stores())).isEmpty();
        assertThat(made.violated(new ResultReports())).containsExactly(Rule.REFUSED_BUT_APPLIED);
    }

    @Test
    void aBlockIsWhereItWasSaidToBe() {
        made.did(APPEND, at(2), 1).blob("log", "xx[a]");

        assertThat(made.violated(new Stores())).isEmpty();
    }

    @Test
    void aBlockElsewhereIsReported() {
        made.did(APPEND, at(0), 1).blob("log", "xx[a]");

        assertThat(made.violated(new Stores())).containsExactly(Rule.APPENDED_ELSEWHERE);
    }

    @Test
    void aBlockIsThereAsOftenAsItWasAppended() {
        made.did(APPEND, at(0), 1).blob("log", "[a][a]");

        assertThat(made.violated(new Stores())).containsExactly(Rule.STATE_UNEXPLAINED);
    }

    @Test
    void aMessageThatWasDeletedIsGone() {
        made.did(SEND, reported(Sort.DONE), 1).did(DELETE, reported(Sort.DONE), 1);
        assertThat(made.violated(new Stores())).isEmpty();

        made.message("id-of-message", "body");
        assertThat(made.violated(new Stores())).contains(Rule.DELETED_BUT_THERE);
    }

    @Test
    void aMessageThatWasSentIsThere() {
        made.did(SEND, reported(Sort.DONE), 1);

        assertThat(made.violated(new Stores())).containsExactly(Rule.STATE_UNEXPLAINED);
    }

    @Test
    void aMessageThatWasSentTwiceIsThereTwice() {
        made.did(SEND, ReportedResult.done(true, ""), 2).message("1", "body").message("2", "body");

        assertThat(made.violated(new Stores())).isEmpty();
    }
}
