package io.stowline.benchmarks.ledger;

import io.stowline.benchmarks.ledger.Violation.Rule;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A cached read gives what was there within its window, and never less than what its own client was told it had written. */
final class Reads implements Check {

    /** The window begins when the service is asked, and an attempt takes its time. */
    private static final long WINDOW =
            StowlineTables.FRESH.plus(Duration.ofMillis(300)).toNanos();

    @Override
    public void of(Books books, Consumer<Violation> found) {
        for (Case one : books.facts().cases()) {
            if (one.op().kind() == Kind.CACHED_READ && one.told().isSuccess()) {
                History history = books.history(Key.of(one.op().target()));
                if (history != null && !allowed(books, one, history)) {
                    found.accept(new Violation(Rule.READ_TOO_OLD, one.op().kind(), story(books, one, history)));
                }
            }
        }
    }

    private static boolean allowed(Books books, Case one, History history) {
        List<History.Version> versions = history.versions();
        int own = lastOwn(books, one, versions);
        return IntStream.range(own, versions.size())
                .mapToObj(versions::get)
                .anyMatch(version -> shows(one, version) && version.overlaps(one.start() - WINDOW, one.end()));
    }

    private static boolean shows(Case one, History.Version version) {
        return one.told().sort() == Told.Sort.ABSENT
                ? version.row() == null
                : version.row() != null && Etags.same(version.etag(), one.told().etag());
    }

    /** The version that the newest write left which the same client was told to be done before it read. */
    private static int lastOwn(Books books, Case read, List<History.Version> versions) {
        Key key = Key.of(read.op().target());
        int newest = 0;
        for (Case write : books.facts().cases()) {
            boolean own = write.worker() == read.worker() && write.end() <= read.start();
            if (own && write.told().isSuccess()) {
                for (Sending sent : books.sent(write)) {
                    newest = Math.max(newest, left(sent, key, versions));
                }
            }
        }
        return newest;
    }

    private static int left(Sending sent, Key key, List<History.Version> versions) {
        for (int i = 0; sent.applied() && i < sent.changes().size(); i++) {
            String etag =
                    sent.changes().get(i).verb().isDelete() ? "" : sent.etags().get(i);
            if (sent.changes().get(i).key().equals(key) && !etag.isEmpty()) {
                for (int j = 0; j < versions.size(); j++) {
                    if (Etags.same(versions.get(j).etag(), etag)) {
                        return j;
                    }
                }
            }
        }
        return 0;
    }

    private static String story(Books books, Case one, History history) {
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
