package io.stowline.system.ledger;

import static io.stowline.system.ledger.verdict.HandMade.insert;
import static io.stowline.system.ledger.verdict.HandMade.op;
import static io.stowline.system.ledger.verdict.HandMade.replace;
import static io.stowline.system.ledger.verdict.HandMade.reported;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.ReportedResult.Sort;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.subject.Client;
import io.stowline.system.ledger.verdict.HandMade;
import io.stowline.system.ledger.verdict.Page;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LedgerTableTest {

    private static final Page WRONG = Page.of(
            1,
            new HandMade()
                    .did(op(Kind.INSERT, insert("a")), reported(Sort.REFUSED), 1)
                    .did(op(Kind.UPSERT, replace("b")), reported(Sort.DONE), 2)
                    .did(op(Kind.UPSERT, replace("c")), reported(Sort.UNKNOWN), 1)
                    .row(Row.VALUE, "c")
                    .facts(),
            Map.of("lose", 2, "client closed", 1));
    private static final Page RIGHT = Page.of(
            1,
            new HandMade()
                    .did(op(Kind.INSERT, insert("a")), reported(Sort.DONE), 1)
                    .row(Row.VALUE, "a")
                    .facts(),
            Map.of("lose", 3));

    @Test
    void addsUpByKind() {
        String table = LedgerTable.of(Map.of(Client.STOWLINE, List.of(RIGHT, RIGHT), Client.SDK, List.of(WRONG)));

        assertThat(table.lines())
                .contains(
                        "| insert | 2 | 0 | 0 | 0 | 1 | 0 | 1 | 0 |",
                        "| upsert | 0 | 0 | 0 | 0 | 2 | 1 | 0 | 1 |",
                        "| all | 2 | 0 | 0 | 0 | 3 | 1 | 1 | 1 |",
                        "| REFUSED_BUT_APPLIED | 0 | 1 |",
                        "| lose | 6 | 2 |",
                        "| client closed | 0 | 1 |",
                        "| operation carried out too late | 0 | 0 |",
                        "| order of an entity's writes not found | 0 | 0 |");
    }

    @Test
    void aLineOfASeedSaysWhatMatters() {
        assertThat(WRONG)
                .hasToString(
                        "seed 1: 3 operations, faults {client closed=1, lose=2}, told {DONE=1, REFUSED=1, UNKNOWN=1},"
                                + " unknown {=1}, violations 2");
    }
}
