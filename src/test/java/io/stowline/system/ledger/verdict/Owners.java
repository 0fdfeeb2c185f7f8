package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.verdict.Violation.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The check that no caller is reported as owner of a thing that another owns, unless it was deleted in between. */
final class Owners implements Check {

    @Override
    public void of(SeedFacts books, Consumer<Violation> found) {
        Map<Key, List<Case>> owners = new HashMap<>();
        books.facts().cases().stream()
                .filter(one -> one.op().kind() == Kind.CLAIM && one.reported().isSuccess())
                .sorted(Comparator.comparingLong(Case::end))
                .forEach(one -> owners.computeIfAbsent(one.op().change().key(), key -> new ArrayList<>())
                        .add(one));
        blobs(books, found);
        owners.forEach((key, claims) -> {
            for (int i = 1; i < claims.size(); i++) {
                compare(books, claims.get(i - 1), claims.get(i), found);
            }
        });
    }

    /** An exclusive creation of a blob is an election, too. */
    private static void blobs(SeedFacts books, Consumer<Violation> found) {
        Map<String, List<Case>> owners = new HashMap<>();
        books.facts().cases().stream()
                .filter(one ->
                        one.op().kind() == Kind.CREATE_BLOB && one.reported().isSuccess())
                .sorted(Comparator.comparingLong(Case::end))
                .forEach(one -> owners.computeIfAbsent(one.op().target(), blob -> new ArrayList<>())
                        .add(one));
        owners.forEach((blob, creations) -> {
            for (int i = 1; i < creations.size(); i++) {
                Case first = creations.get(i - 1);
                Case second = creations.get(i);
                boolean freed = books.ofBlob(Kind.DELETE_BLOB, blob).stream()
                        .anyMatch(sent -> sent.end() >= first.start() && sent.begin() <= second.end());
                if (!freed) {
                    String story = books.story(first) + "\n  and " + books.story(second);
                    found.accept(new Violation(Rule.TWO_OWNERS, Kind.CREATE_BLOB, story));
                }
            }
        });
    }

    private static void compare(SeedFacts books, Case first, Case second, Consumer<Violation> found) {
        Key key = first.op().change().key();
        boolean freed = books.applied(key).stream()
                .filter(write -> write.changes().stream()
                        .anyMatch(change ->
                                change.key().equals(key) && change.verb().isDelete()))
                .anyMatch(write -> write.end() >= first.start() && write.begin() <= second.end());
        if (!freed) {
            found.accept(
                    new Violation(Rule.TWO_OWNERS, Kind.CLAIM, books.story(first) + "\n  and " + books.story(second)));
        }
    }
}
