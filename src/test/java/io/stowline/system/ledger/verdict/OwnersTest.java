package io.stowline.system.ledger.verdict;

import static io.stowline.system.ledger.verdict.HandMade.delete;
import static io.stowline.system.ledger.verdict.HandMade.insert;
import static io.stowline.system.ledger.verdict.HandMade.op;
import static io.stowline.system.ledger.verdict.HandMade.reported;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.verdict.Violation.Rule;
import org.junit.jupiter.api.Test;

class OwnersTest {

    private final HandMade made = new HandMade();

    @Test
    void twoOwnersAreOneTooMany() {
        made.did(op(Kind.CLAIM, insert("a")), reported(Sort.DONE), 1)
                .did(op(Kind.CLAIM, insert("b")), reported(Sort.DONE_BY_MARK), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new Owners())).containsExactly(Rule.TWO_OWNERS);
    }

    @Test
    void whatWasDeletedMayBeClaimedAgain() {
        made.did(op(Kind.CLAIM, insert("a")), reported(Sort.DONE), 1)
                .rival(delete())
                .did(op(Kind.CLAIM, insert("b")), reported(Sort.DONE_BY_MARK), 1)
                .row(Row.VALUE, "b");

        assertThat(made.violated(new Owners())).isEmpty();
    }

    @Test
    void whoIsRefusedOrUnknownOwnsNothing() {
        made.did(op(Kind.CLAIM, insert("a")), reported(Sort.DONE), 1)
                .did(op(Kind.CLAIM, insert("b")), reported(Sort.REFUSED), 0)
                .did(op(Kind.CLAIM, insert("c")), reported(Sort.UNKNOWN), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new Owners())).isEmpty();
    }

    @Test
    void aBlobIsMadeOnceUntilItIsDeleted() {
        made.did(create("a"), reported(Sort.DONE), 1).did(create("b"), reported(Sort.DONE_BY_MARK), 0);

        assertThat(made.violated(new Owners())).containsExactly(Rule.TWO_OWNERS);
    }

    @Test
    void aDeletedBlobMayBeMadeAgain() {
        made.did(create("a"), reported(Sort.DONE), 1)
                .did(Op.elsewhere("op", Kind.DELETE_BLOB, "blob", ""), reported(Sort.UNKNOWN), 1)
                .did(create("b"), reported(Sort.DONE), 1);

        assertThat(made.violated(new Owners())).isEmpty();
    }

    private static Op create(String content) {
        return Op.elsewhere("op", Kind.CREATE_BLOB, "blob", content);
    }
}
