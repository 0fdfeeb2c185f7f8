package io.stowline.system.ledger.subject;

import io.stowline.Stowline;
import io.stowline.journal.Journal;
import io.stowline.outcome.WriteMarkers;
import io.stowline.system.ledger.script.Change;
import io.stowline.system.ledger.script.Key;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.system.ledger.script.Verb;
import io.stowline.table.Entity;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A process that writes through a journal until it is killed or done. Each line of its output is one fact:
 *
 * <pre>
 * accepted n                         the writer has accepted operation n
 * ended n SORT repeated etag text ;  its caller has received this result
 * </pre>
 */
public final class JournaledProcess {

    static final String ACCEPTED = "accepted";
    private static final String ENDED = "ended";
    private static final String END = ";";
    private static final String NOTHING = "-";
    private static final int WORDS = 4;
    static final int SETTINGS = 5;
    private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private JournaledProcess() {}

    /** Returns the arguments of a process for these changes. */
    static List<String> arguments(StowlineConnection connection, String name, Path folder, List<Change> changes) {
        List<String> arguments = new ArrayList<>(List.of(
                connection.connectionString(),
                String.valueOf(connection.attempt().toMillis()),
                connection.markers().name(),
                name,
                folder.toString()));
        for (Change change : changes) {
            arguments.addAll(List.of(
                    change.verb().name(), change.key().partition(), change.key().row(), filled(change.value())));
        }
        return arguments;
    }

    private static String filled(String word) {
        return word.isEmpty() ? NOTHING : word;
    }

    private static String unfilled(String word) {
        return word.equals(NOTHING) ? "" : word;
    }

    static List<Change> changes(List<String> words) {
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < words.size(); i += WORDS) {
            changes.add(new Change(
                    Verb.valueOf(words.get(i)),
                    new Key(words.get(i + 1), words.get(i + 2)),
                    unfilled(words.get(i + 3)),
                    ""));
        }
        return changes;
    }

    /**
     * Writes all that it is given.
     *
     * @param args the connection string, the time for an attempt in milliseconds, which writes are marked, the table, the folder of the
     *     journal, and four words for each change
     */
    public static void main(String[] args) {
        StowlineConnection connection = new StowlineConnection(
                args[0], Duration.ofMillis(Long.parseLong(args[1])), WriteMarkers.valueOf(args[2]));
        List<Change> changes = changes(Arrays.asList(args).subList(SETTINGS, args.length));
        ChildProcess.endWithParent();
        try (Journal journal = Journal.open(Path.of(args[4]));
                Stowline storage = connection.open(Duration.ofMillis(1))) {
            TableWriter<Entity> writer = storage.table(args[3])
                    .withMarkers(connection.markers())
                    .writer(WriterJournal.of(journal), settings -> settings);
            List<CompletableFuture<?>> ends = new ArrayList<>();
            for (int i = 0; i < changes.size(); i++) {
                int number = i;
                ends.add(
                        StowlineTables.submit(writer, changes.get(i)).toFuture().handle((written, error) -> {
                            ReportedResult reported = error == null
                                    ? StowlineSubject.reported(List.of(written))
                                    : StowlineSubject.reported(error);
                            OUT.println(line(number, reported));
                            return number;
                        }));
                OUT.println(ACCEPTED + " " + number);
            }
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
        }
    }

    /** Returns a line with a result; its end shows that the kill has not cut it. */
    static String line(int number, ReportedResult reported) {
        return String.join(
                " ",
                ENDED,
                String.valueOf(number),
                reported.sort().name(),
                String.valueOf(reported.repeated()),
                filled(reported.etag()).replace(' ', '_'),
                reported.text().replaceAll("\\s+", " "),
                END);
    }

    static boolean isResult(String line) {
        return line.startsWith(ENDED + " ") && line.endsWith(" " + END);
    }

    /** Reads the result of a line with one. */
    static ReportedResult result(String line) {
        String[] words = line.split(" ", 6);
        return new ReportedResult(
                ReportedResult.Sort.valueOf(words[2]),
                Boolean.parseBoolean(words[3]),
                unfilled(words[4]).replace('_', ' '),
                -1,
                words[5].substring(0, words[5].length() - END.length()).strip());
    }
}
