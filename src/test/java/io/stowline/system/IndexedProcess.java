package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.journal.Journal;
import io.stowline.retry.Backoff;
import io.stowline.table.Index;
import io.stowline.table.IndexedTable;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A process that writes entities with index rows through a journal, or fills an index, until it is killed. It reports on its standard
 * output.
 *
 * <pre>
 * R done recovered failed unknown left   the end of the operations that the process before had accepted
 * A n                                    operation n is accepted
 * P partition                            the backfill has passed a partition
 * E                                      the backfill has ended
 * </pre>
 */
final class IndexedProcess {

    static final int ENTITIES = 40;

    /** An operation of each kind on each entity; the first of them needs no earlier one. */
    static final int ROUND = 5 * ENTITIES;

    static final Index<Registration, String> SHARED =
            Index.text("MAIL", Registration::mail).global(4);

    private IndexedProcess() {}

    static IndexedTable<Registration> indexed(Table<Registration> table) {
        return table.indexed(List.of(Registration.BIB, Registration.AGE, SHARED));
    }

    /** Takes the connection string, the table, and {@code backfill} with a partition or a journal's folder with a number. */
    public static void main(String[] args) {
        try (Stowline storage = Stowline.connect(args[0])) {
            // The test starts a process when no attempt of the one before is on its way.
            IndexedTable<Registration> runners = indexed(storage.table(args[1], Registration.class)
                    .withRetry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(10)))
                            .serverTimeout(Duration.ofSeconds(1))
                            .grace(Duration.ofMillis(200))
                            .attemptTimeout(Duration.ofSeconds(30))));
            if (args[2].equals("backfill")) {
                backfill(runners, args[3]);
            } else {
                write(runners, Path.of(args[2]), Integer.parseInt(args[3]));
            }
        }
    }

    private static void say(String line) {
        System.out.println(line);
        if (System.out.checkError()) { // the test that started it is gone
            Runtime.getRuntime().halt(1);
        }
    }

    private static void backfill(IndexedTable<Registration> runners, String from) {
        if (from.isEmpty()) {
            runners.backfill((partition, soFar) -> say("P " + partition));
        } else {
            runners.backfillFrom(from, (partition, soFar) -> say("P " + partition));
        }
        say("E");
    }

    /** Writes from an operation on, or only what an earlier process has left if the number is negative. */
    private static void write(IndexedTable<Registration> runners, Path folder, int first) {
        try (Journal journal = Journal.open(folder);
                TableWriter<Registration> writer = runners.writer(WriterJournal.of(journal), w -> w.bufferItems(100))) {
            var report = writer.awaitReplay();
            say("R " + report.done() + " " + report.recovered() + " " + report.failed() + " " + report.unknown() + " "
                    + report.left());
            for (int number = first; number >= 0; number++) {
                accept(writer, number);
                say("A " + number);
            }
        }
    }

    private static void accept(TableWriter<Registration> writer, int number) {
        Registration runner = state(number).orElseGet(() -> entity(number));
        switch (kind(number)) {
            case 0 -> writer.insertOrReplace(runner);
            case 1 -> writer.insertOrMerge(runner);
            case 2 -> writer.replace(StoredEntity.of(runner, "*"));
            case 3 -> writer.delete(runner.race(), runner.id());
            default -> writer.insert(runner);
        }
    }

    private static int kind(int number) {
        return number % ROUND / ENTITIES;
    }

    /** Returns the entity of an operation as the operation leaves it; nothing if it is deleted. */
    static Optional<Registration> state(int number) {
        return kind(number) == 3 ? Optional.empty() : Optional.of(entity(number));
    }

    private static Registration entity(int number) {
        int of = number % ENTITIES;
        int time = number / ENTITIES;
        return new Registration(
                "race" + of % 3, "r" + of, of * 1_000 + time % 900, 20 + time % 60, "m" + number + "@x");
    }
}
