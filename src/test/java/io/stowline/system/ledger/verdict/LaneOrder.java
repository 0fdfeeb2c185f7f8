package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.script.Verb;
import io.stowline.system.ledger.verdict.Violation.Rule;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The check that the last replacement that one writer reported done stays, of those for one of its entities. */
final class LaneOrder implements Check {

    @Override
    public void of(SeedFacts books, Consumer<Violation> found) {
        Map<Key, Case> last = new HashMap<>();
        for (Case one : books.facts().cases()) {
            boolean replaces = one.op().kind().isWriter() && one.op().change().verb() == Verb.REPLACE_ANY;
            if (replaces && one.reported().sort() != ReportedResult.Sort.REFUSED) {
                last.put(one.op().change().key(), one);
            }
        }
        last.values().forEach(one -> check(books, one, found));
    }

    private static boolean isBeyond(SeedFacts books, Key key) {
        return books.applied(key).stream()
                .anyMatch(write -> books.facts().beyond().contains(write.requestId()));
    }

    private static void check(SeedFacts books, Case one, Consumer<Violation> found) {
        Row row = books.facts().end().rows().get(one.op().change().key());
        boolean shown = row != null && row.shows(one.op().change());
        if (one.reported().isSuccess()
                && !shown
                && !isBeyond(books, one.op().change().key())) {
            StringBuilder story = new StringBuilder(books.story(one))
                    .append("\n  yet there is ")
                    .append(row);
            books.applied(one.op().change().key())
                    .forEach(write -> story.append("\n    all   ").append(write));
            found.accept(new Violation(Rule.EARLIER_WRITE_WON, Kind.WRITER, story.toString()));
        }
    }
}
