package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.Row;
import io.stowline.system.ledger.verdict.Violation.Rule;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Every entity with index rows has all of them at the end. In its partition there are no others; elsewhere a reference may be left, which
 * a reader passes over, and one may be missing until a repair where a write has no known outcome.
 */
public final class IndexRows implements Check {

    public static final String PARTITION = "indexed";
    public static final String UNIQUE = "BIB";
    public static final String MANY = "AGE";
    public static final String ELSEWHERE = "NAME";
    private static final int GROUPS = 3;

    /** Returns the group that several entities share. */
    public static String group(String value) {
        return "g" + Math.floorMod(value.hashCode(), GROUPS);
    }

    /** Returns whether a key is one of a reference, which has nothing but keys. */
    static boolean isReference(Key key) {
        return key.partition().startsWith(ELSEWHERE + ":");
    }

    @Override
    public void of(SeedFacts books, Consumer<Violation> found) {
        Map<Key, Row> rows = books.facts().end().rows();
        Set<Key> wanted = new HashSet<>();
        rows.forEach((key, row) -> {
            if (key.partition().startsWith(PARTITION) && !isCopy(key)) {
                require(books, key, row, wanted, found);
            }
        });
        rows.keySet().stream()
                .filter(key -> key.partition().startsWith(PARTITION) && isCopy(key) && !wanted.contains(key))
                .forEach(key -> found.accept(violation(books, Rule.INDEX_ROW_TOO_MANY, key)));
    }

    private static void require(SeedFacts books, Key key, Row row, Set<Key> wanted, Consumer<Violation> found) {
        String value = row.properties().getOrDefault(Row.VALUE, "");
        Key unique = new Key(key.partition(), UNIQUE + ":" + value);
        Key many = new Key(key.partition(), MANY + ":" + group(value) + "!" + key.row());
        Key reference = new Key(ELSEWHERE + ":" + group(value), key.partition() + "!" + key.row());
        for (Key each : Set.of(unique, many, reference)) {
            wanted.add(each);
            Row there = books.facts().end().rows().get(each);
            boolean excused = each.equals(reference) && isUnknown(books, key);
            if (!excused && (there == null || !(each.equals(reference) || there.equals(row)))) {
                found.accept(violation(books, Rule.INDEX_ROW_MISSING, each));
            }
        }
    }

    private static boolean isUnknown(SeedFacts books, Key entity) {
        return books.facts().cases().stream()
                .filter(one -> one.op().kind() == Kind.INDEXED)
                .anyMatch(one ->
                        one.op().change().key().equals(entity) && one.reported().sort() == ReportedResult.Sort.UNKNOWN);
    }

    private static boolean isCopy(Key key) {
        return key.row().startsWith(UNIQUE + ":") || key.row().startsWith(MANY + ":");
    }

    private static Violation violation(SeedFacts books, Rule rule, Key key) {
        StringBuilder story = new StringBuilder(key.toString());
        String entity =
                key.row().substring(Math.max(key.row().indexOf('!'), key.row().indexOf(':')) + 1);
        books.facts().cases().stream()
                .filter(one -> one.op().kind() == Kind.INDEXED)
                .filter(one -> one.op().change().key().row().equals(entity)
                        || one.op().change().value().equals(entity))
                .forEach(one -> story.append("\n  ").append(books.story(one)));
        return new Violation(rule, Kind.INDEXED, story.toString());
    }
}
