package io.stowline.system.ledger.verdict;

import static io.stowline.system.ledger.verdict.HandMade.KEY;
import static io.stowline.system.ledger.verdict.HandMade.delete;
import static io.stowline.system.ledger.verdict.HandMade.insert;
import static io.stowline.system.ledger.verdict.HandMade.replace;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.script.Verb;
import io.stowline.system.ledger.verdict.History.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class HistoryTest {

    private static Row value(String value) {
        return new Row(Map.of(Row.VALUE, value));
    }

    private static Event at(long begin, long end, Change change) {
        return new Event(change, change.verb().isDelete() ? "" : "etag " + change.value(), begin, end);
    }

    @Test
    void writesOverEachOtherAreOrderedByWhatTheyNeeded() {
        // Begun in this order; but an insert needs that nothing is there.
        List<Event> events = List.of(at(1, 9, insert("b")), at(2, 8, delete()), at(3, 7, insert("a")));

        History history = History.of(events, value("b"));

        assertThat(Objects.requireNonNull(history).versions())
                .extracting(History.Version::row)
                .containsExactly(null, value("a"), null, value("b"));
    }

    @Test
    void tooManyOverlappingWritesAreLeftUndecided() {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            events.add(at(i, 100, replace("v" + i)));
        }

        assertThat(History.of(events, value("never written"))).isSameAs(History.UNDECIDED);
        assertThat(History.of(events.subList(0, 5), value("never written"))).isNull();
    }

    @Test
    void timesThatDoNotOverlapAreKept() {
        List<Event> events = List.of(at(1, 2, replace("a")), at(3, 4, replace("b")));

        assertThat(History.of(events, value("a"))).isNull();
        assertThat(History.of(events, value("b"))).isNotNull();
    }

    @Test
    void versionsTellTheOrder() {
        Change update = new Change(Verb.UPDATE, KEY, "c", "etag a");
        List<Event> events = List.of(at(1, 9, replace("b")), at(1, 9, update), at(1, 9, insert("a")));

        assertThat(History.of(events, value("b"))).isNotNull();
        assertThat(History.of(events, value("c"))).isNull();
    }

    @Test
    void aMergeKeepsTheRest() {
        Change merge = new Change(Verb.MERGE_ANY, KEY, "n", "");
        List<Event> events = List.of(at(1, 2, insert("a")), at(3, 4, merge));

        assertThat(History.of(events, new Row(Map.of(Row.VALUE, "a", Row.NOTE, "n"))))
                .isNotNull();
        assertThat(History.of(events, new Row(Map.of(Row.NOTE, "n")))).isNull();
    }

    @Property(tries = 200)
    @Label("what really happened is always an explanation, however far the times are known")
    void findsAnOrderForWhatHappened(@ForAll("verbs") List<Integer> draws) {
        List<Event> events = new ArrayList<>();
        Row row = null;
        for (int i = 0; i < draws.size(); i++) {
            Change change = row == null ? insert("v" + i) : draws.get(i) % 2 == 0 ? delete() : replace("v" + i);
            long slack = draws.get(i) % 30;
            events.add(at(10L * i - slack, 10L * i + slack, change));
            row = change.verb().isDelete() ? null : value("v" + i);
        }

        assertThat(History.of(events, row)).isNotNull();
    }

    @Provide
    Arbitrary<List<Integer>> verbs() {
        return Arbitraries.integers().between(0, 1_000).list().ofMaxSize(25);
    }
}
