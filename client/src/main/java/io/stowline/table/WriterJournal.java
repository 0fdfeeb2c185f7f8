package io.stowline.table;

import io.stowline.journal.Journal;
import java.util.Objects;

/**
 * A journal for {@link Table#writer(WriterJournal, java.util.function.UnaryOperator)}. Only this class names types of the optional module
 * {@code stowline-journal}, so that the rest of the client can be used, proxied and mocked without it.
 *
 * <pre>{@code
 * try (Journal journal = Journal.open(Path.of("runners-journal"));
 *         TableWriter<Runner> writer = runners.writer(WriterJournal.of(journal), w -> w)) {
 *     writer.insert(runner);
 * }
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
@SuppressWarnings("exports") // the module is optional: who uses this class requires it
public final class WriterJournal {

    private final Journal journal;

    private WriterJournal(Journal journal) {
        this.journal = journal;
    }

    /**
     * Takes a journal for one writer.
     *
     * @param journal where the writer's operations are kept; it serves one writer of one table, and is closed after it
     * @return the journal as a writer takes it
     */
    public static WriterJournal of(Journal journal) {
        return new WriterJournal(Objects.requireNonNull(journal, "journal"));
    }

    /**
     * Returns the journal.
     *
     * @return the journal, as it was given
     */
    public Journal journal() {
        return journal;
    }

    @Override
    public String toString() {
        return journal.toString();
    }
}
