package io.stowline.benchmarks.ledger;

import io.stowline.benchmarks.ledger.Violation.Rule;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Of the replacements that one writer was given for one entity of its own, the last one that was told done is what stays. */
final class LaneOrder implements Check {

    @Override
    public void of(Books books, Consumer<Violation> found) {
        Map<Key, Case> last = new HashMap<>();
        for (Case one : books.facts().cases()) {
            boolean replaces = one.op().kind().isWriter() && one.op().change().verb() == Verb.REPLACE_ANY;
            if (replaces && one.told().sort() != Told.Sort.REFUSED) {
                last.put(one.op().change().key(), one);
            }
        }
        last.values().forEach(one -> check(books, one, found));
    }

    private static void check(Books books, Case one, Consumer<Violation> found) {
        Row row = books.facts().end().rows().get(one.op().change().key());
        if (one.told().isSuccess() && (row == null || !row.shows(one.op().change()))) {
            StringBuilder story = new StringBuilder(books.story(one))
                    .append("\n  yet there is ")
                    .append(row);
            books.applied(one.op().change().key())
                    .forEach(write -> story.append("\n    all   ").append(write));
            found.accept(new Violation(Rule.EARLIER_WRITE_WON, Kind.WRITER, story.toString()));
        }
    }
}
