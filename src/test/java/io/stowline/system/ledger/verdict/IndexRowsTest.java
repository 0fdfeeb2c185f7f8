package io.stowline.system.ledger.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.script.Verb;
import io.stowline.system.ledger.verdict.Violation.Rule;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexRowsTest {

    private static final String GROUP = IndexRows.group("v");
    private static final Map<String, String> VALUE = Map.of(Row.VALUE, "v");

    private final HandMade made = new HandMade();

    private IndexRowsTest() {
        made.row(new Key(IndexRows.PARTITION, "k"), VALUE);
    }

    private IndexRowsTest unique() {
        made.row(new Key(IndexRows.PARTITION, "BIB:v"), VALUE);
        return this;
    }

    private IndexRowsTest many() {
        made.row(new Key(IndexRows.PARTITION, "AGE:" + GROUP + "!k"), VALUE);
        return this;
    }

    private IndexRowsTest elsewhere() {
        made.row(new Key("NAME:" + GROUP, IndexRows.PARTITION + "!k"), Map.of());
        return this;
    }

    @Test
    void allThreeAreThere() {
        unique().many().elsewhere();

        assertThat(made.violated(new IndexRows())).isEmpty();
    }

    @Test
    void eachOneThatIsMissingIsReported() {
        assertThat(made.violated(new IndexRows()))
                .containsExactly(Rule.INDEX_ROW_MISSING, Rule.INDEX_ROW_MISSING, Rule.INDEX_ROW_MISSING);
    }

    @Test
    void aCopyHoldsWhatItsEntityHolds() {
        many().elsewhere();
        made.row(new Key(IndexRows.PARTITION, "BIB:v"), Map.of(Row.VALUE, "old"));

        assertThat(made.violated(new IndexRows())).containsExactly(Rule.INDEX_ROW_MISSING);
    }

    @Test
    void aCopyOfNothingIsOneTooMany() {
        unique().many().elsewhere();
        made.row(new Key(IndexRows.PARTITION, "BIB:gone"), Map.of(Row.VALUE, "gone"));

        assertThat(made.violated(new IndexRows())).containsExactly(Rule.INDEX_ROW_TOO_MANY);
    }

    @Test
    void aReferenceMayBeLeft() {
        unique().many().elsewhere();
        made.row(new Key("NAME:other", IndexRows.PARTITION + "!gone"), Map.of());

        assertThat(made.violated(new IndexRows())).isEmpty();
    }

    @Test
    void aReferenceMayBeMissingWhereAWriteIsUnknown() {
        unique().many();
        Change put = new Change(Verb.REPLACE_ANY, new Key(IndexRows.PARTITION, "k"), "v", "");
        made.did(HandMade.op(Kind.INDEXED, put), HandMade.reported(ReportedResult.Sort.UNKNOWN), 1);

        assertThat(made.violated(new IndexRows())).isEmpty();
    }
}
