package io.stowline.system.ledger.verdict;

import io.stowline.system.ledger.script.Case;
import io.stowline.system.ledger.script.Clock;
import io.stowline.system.ledger.script.Etags;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.Sending;
import io.stowline.system.ledger.verdict.Violation.Rule;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cached read gives what was there within its window, and never less than what its own client reported as written. */
public final class Reads implements Check {

    /** The window begins with the request, and an attempt takes its time. */
    private static final long WINDOW = Op.FRESH.plus(Duration.ofMillis(300)).toNanos();

    @Override
    public void of(SeedFacts books, Consumer<Violation> found) {
        for (Case one : books.facts().cases()) {
            if (one.op().kind() == Kind.CACHED_READ && one.reported().isSuccess()) {
                History history = books.history(Key.of(one.op().target()));
                if (history != null && !allowed(books, one, history)) {
                    found.accept(new Violation(Rule.READ_TOO_OLD, one.op().kind(), story(books, one, history)));
                }
            }
        }
    }

    /**
     * The value was present when the read ended or before, and had no successor before the window, nor one that the
     * client knew.
     */
    private static boolean allowed(SeedFacts books, Case one, History history) {
        List<History.Version> versions = history.versions();
        List<List<History.Version>> own = own(books, one, versions);
        return versions.stream()
                .filter(version -> shows(one, version) && version.from() <= one.end())
                .anyMatch(version -> versions.stream()
                                .noneMatch(next -> next.isAfter(version) && next.made() < one.start() - WINDOW)
                        && own.stream().noneMatch(write -> write.stream().allMatch(next -> next.isAfter(version))));
    }

    private static boolean shows(Case one, History.Version version) {
        return one.reported().sort() == ReportedResult.Sort.ABSENT
                ? version.row() == null
                : version.row() != null
                        && Etags.same(version.etag(), one.reported().etag());
    }

    /**
     * The versions of the same client's writes that were reported done before it read: a write that arrived twice left
     * two.
     */
    private static List<List<History.Version>> own(SeedFacts books, Case read, List<History.Version> versions) {
        Key key = Key.of(read.op().target());
        return books.facts().cases().stream()
                .filter(write -> write.worker() == read.worker()
                        && write.end() <= read.start()
                        && write.reported().isSuccess())
                .map(write -> books.sent(write).stream()
                        .flatMap(sent -> left(sent, key))
                        .flatMap(etag -> versions.stream().filter(version -> Etags.same(version.etag(), etag)))
                        .toList())
                .filter(left -> !left.isEmpty())
                .toList();
    }

    private static Stream<String> left(Sending sent, Key key) {
        return IntStream.range(0, sent.etags().isEmpty() ? 0 : sent.changes().size())
                .filter(i -> sent.changes().get(i).key().equals(key))
                .mapToObj(i -> sent.etags().get(i))
                .filter(etag -> !etag.isEmpty());
    }

    private static String story(SeedFacts books, Case one, History history) {
        StringBuilder story = new StringBuilder(books.story(one));
        history.versions().forEach(version -> story.append("\n    was   ")
                .append(version.row() == null ? "absent" : version.etag())
                .append(' ')
                .append(Clock.shown(version.from()))
                .append("..")
                .append(Clock.shown(version.to())));
        return story.toString();
    }
}
