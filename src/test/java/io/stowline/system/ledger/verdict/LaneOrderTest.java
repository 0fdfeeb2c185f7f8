package io.stowline.system.ledger.verdict;

import static io.stowline.system.ledger.verdict.HandMade.op;
import static io.stowline.system.ledger.verdict.HandMade.replace;
import static io.stowline.system.ledger.verdict.HandMade.reported;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.verdict.Violation.Rule;
import org.junit.jupiter.api.Test;

class LaneOrderTest {

    private final HandMade made = new HandMade().did(op(Kind.WRITER, replace("a")), reported(Sort.DONE), 1);

    @Test
    void theLastOneStays() {
        made.did(op(Kind.WRITER, replace("b")), reported(Sort.DONE), 1).row(Row.VALUE, "b");

        assertThat(made.violated(new LaneOrder())).isEmpty();
    }

    @Test
    void anEarlierOneMustNotWin() {
        made.did(op(Kind.WRITER, replace("b")), reported(Sort.DONE), 1).row(Row.VALUE, "a");

        assertThat(made.violated(new LaneOrder())).containsExactly(Rule.EARLIER_WRITE_WON);
    }

    @Test
    void theLastOneMustNotBeGone() {
        assertThat(made.violated(new LaneOrder())).containsExactly(Rule.EARLIER_WRITE_WON);
    }

    @Test
    void whatWasRefusedDoesNotCount() {
        made.did(op(Kind.WRITER, replace("b")), reported(Sort.REFUSED), 0).row(Row.VALUE, "a");

        assertThat(made.violated(new LaneOrder())).isEmpty();
    }

    @Test
    void afterAnUnknownOneEitherMayStay() {
        made.did(op(Kind.WRITER, replace("b")), reported(Sort.UNKNOWN), 1).row(Row.VALUE, "b");

        assertThat(made.violated(new LaneOrder())).isEmpty();
    }

    @Test
    void whatCameLaterThanAnybodyCouldPromiseIsNotHeldAgainstTheClient() {
        made.muchTooLate()
                .did(op(Kind.WRITER, replace("b")), reported(Sort.DONE), 1)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new LaneOrder())).isEmpty();
    }
}
