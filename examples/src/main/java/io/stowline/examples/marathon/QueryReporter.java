package io.stowline.examples.marathon;

import io.stowline.examples.shared.Mismatches;
import io.stowline.examples.shared.RequestLog;
import io.stowline.table.QueryClass;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Asks, and shows what was found and what it cost.
 *
 * @param log what was sent
 * @param out where to show it
 * @param differences where to say what is wrong
 */
record QueryReporter(RequestLog log, PrintStream out, Mismatches differences) {

    private static final int SHOWN = 2;

    /** What is looked for, by what the service has to look at, and what must be found. */
    <T> void ask(String question, QueryClass expected, Supplier<List<T>> query, List<T> answer) {
        log.clear();
        List<T> found = query.get();
        long requests = log.requests();
        Set<String> classes = log.classes();
        out.printf(
                Locale.ROOT,
                "%s%n  %s: %,d found by %,d %s%n",
                question,
                String.join(" and ", classes),
                found.size(),
                requests,
                requests == 1 ? "request" : "requests");
        found.stream().limit(SHOWN).forEach(one -> out.println("    " + one));
        differences.expect(question + " (class)", classes, Set.of(expected.label()));
        differences.expect(question, found, answer);
    }
}
