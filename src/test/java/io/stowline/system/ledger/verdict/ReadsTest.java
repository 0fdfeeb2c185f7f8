package io.stowline.system.ledger.verdict;

import static io.stowline.system.ledger.verdict.HandMade.delete;
import static io.stowline.system.ledger.verdict.HandMade.op;
import static io.stowline.system.ledger.verdict.HandMade.replace;
import static io.stowline.system.ledger.verdict.HandMade.reported;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.verdict.Violation.Rule;
import org.junit.jupiter.api.Test;

class ReadsTest {

    private static final long OVER = 1_000;

    private final HandMade made = new HandMade();

    @Test
    void whatIsThereMayBeShown() {
        made.rival(replace("a"));
        made.read(made.newest()).row(Row.VALUE, "a");

        assertThat(made.violated(new Reads())).isEmpty();
    }

    @Test
    void withinTheWindowAnothersWriteMayBeMissed() {
        made.rival(replace("a"));
        String old = made.newest();
        made.rival(replace("b")).read(old).row(Row.VALUE, "b");

        assertThat(made.violated(new Reads())).isEmpty();
    }

    @Test
    void afterTheWindowAnOldVersionIsTooOld() {
        made.rival(replace("a"));
        String old = made.newest();
        made.rival(replace("b")).after(OVER).read(old).row(Row.VALUE, "b");

        assertThat(made.violated(new Reads())).containsExactly(Rule.READ_TOO_OLD);
    }

    @Test
    void absenceGrowsOldToo() {
        made.rival(replace("a")).after(OVER).read("").row(Row.VALUE, "a");

        assertThat(made.violated(new Reads())).containsExactly(Rule.READ_TOO_OLD);
    }

    @Test
    void absentAfterADeletionIsRight() {
        made.rival(replace("a")).rival(delete()).after(OVER).read("");

        assertThat(made.violated(new Reads())).isEmpty();
    }

    @Test
    void whatTheClientHasWrittenIsSeenAtOnce() {
        made.rival(replace("a"));
        String old = made.newest();
        made.did(op(Kind.UPSERT, replace("b")), reported(Sort.DONE), 1)
                .read(old)
                .row(Row.VALUE, "b");

        assertThat(made.violated(new Reads())).containsExactly(Rule.READ_TOO_OLD);
    }

    @Test
    void ofAWriteThatArrivedTwiceTheFirstIsEnough() {
        made.did(op(Kind.UPSERT, replace("b")), ReportedResult.done(true, ""), 1);
        String first = made.newest();
        made.late().read(first).row(Row.VALUE, "b");

        assertThat(made.violated(new Reads())).isEmpty();
    }

    @Test
    void aVersionThatNeverWasIsWrong() {
        made.rival(replace("a")).read("W/\"never\"").row(Row.VALUE, "a");

        assertThat(made.violated(new Reads())).containsExactly(Rule.READ_TOO_OLD);
    }
}
