package io.stowline.benchmarks.ledger;

import static io.stowline.benchmarks.ledger.HandMade.delete;
import static io.stowline.benchmarks.ledger.HandMade.insert;
import static io.stowline.benchmarks.ledger.HandMade.op;
import static io.stowline.benchmarks.ledger.HandMade.told;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.ledger.Told.Sort;
import io.stowline.benchmarks.ledger.Violation.Rule;
import org.junit.jupiter.api.Test;

class OwnersTest {

    private final HandMade made = new HandMade();

    @Test
    void twoOwnersAreOneTooMany() {
        made.did(op(Kind.CLAIM, insert("a")), told(Sort.DONE), 1)
                .did(op(Kind.CLAIM, insert("b")), told(Sort.DONE_BY_MARK), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new Owners())).containsExactly(Rule.TWO_OWNERS);
    }

    @Test
    void whatWasDeletedMayBeClaimedAgain() {
        made.did(op(Kind.CLAIM, insert("a")), told(Sort.DONE), 1)
                .rival(delete())
                .did(op(Kind.CLAIM, insert("b")), told(Sort.DONE_BY_MARK), 1)
                .row(Row.VALUE, "b");

        assertThat(made.violated(new Owners())).isEmpty();
    }

    @Test
    void whoIsRefusedOrUnknownOwnsNothing() {
        made.did(op(Kind.CLAIM, insert("a")), told(Sort.DONE), 1)
                .did(op(Kind.CLAIM, insert("b")), told(Sort.REFUSED), 0)
                .did(op(Kind.CLAIM, insert("c")), told(Sort.UNKNOWN), 0)
                .row(Row.VALUE, "a");

        assertThat(made.violated(new Owners())).isEmpty();
    }
}
