package io.stowline.examples.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.examples.load.Checkpoint.Position;
import io.stowline.examples.shared.ScratchFolder;
import io.stowline.examples.shared.UsageException;
import io.stowline.journal.Journal;
import io.stowline.table.Entity;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import io.stowline.table.WriterSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The folder with what a load needs to go on after its process was killed: what load it is, the checkpoint of the input, and the writer's
 * journal. One process has it at a time, as the journal sees to. A load that no process goes on with keeps {@linkplain #none() nothing}.
 */
final class LoadState implements AutoCloseable {

    private static final LoadState NONE = new LoadState(null);

    private final @Nullable KeptState kept;

    private record KeptState(Path folder, Journal journal, Checkpoint checkpoint) {}

    private LoadState(@Nullable KeptState kept) {
        this.kept = kept;
    }

    /** Returns the state of a load that begins at the first row and keeps nothing on disk. */
    static LoadState none() {
        return NONE;
    }

    /**
     * Opens or begins a load.
     *
     * @param folder where its state is
     * @param load what is loaded how, to be the same when it goes on
     * @throws UsageException if the folder has the state of another load
     */
    static LoadState open(Path folder, List<String> load) throws IOException {
        Files.createDirectories(folder);
        Path description = folder.resolve("load.txt");
        Journal journal = Journal.open(folder.resolve("journal"));
        try {
            if (!Files.exists(description)) {
                Files.write(description, load, UTF_8);
            } else if (!Files.readAllLines(description, UTF_8).equals(load)) {
                throw new UsageException(folder + " has the state of another load, described in " + description
                        + "; finish that one with its options, or delete the folder");
            }
            return new LoadState(new KeptState(folder, journal, Checkpoint.open(folder.resolve("checkpoint"))));
        } catch (IOException | RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    /** Returns whether a later process can go on. */
    boolean isKept() {
        return kept != null;
    }

    Position position() {
        return kept == null ? Position.START : kept.checkpoint.position();
    }

    void save(Position reached) throws IOException {
        if (kept != null) {
            kept.checkpoint.save(reached);
        }
    }

    /** Opens the writer of the load, which sends first what an earlier process has left. */
    TableWriter<Entity> writer(Table<Entity> table, UnaryOperator<WriterSettings.Builder> settings) {
        return kept == null ? table.writer(settings) : table.writer(WriterJournal.of(kept.journal), settings);
    }

    /** Counts the refused operations that the journal could not keep. */
    long droppedRejections() {
        return kept == null ? 0 : kept.journal.droppedRejections();
    }

    /** Removes the state of a load that is complete. */
    void remove() throws IOException {
        close();
        if (kept != null) {
            new ScratchFolder(kept.folder).close();
        }
    }

    @Override
    public void close() throws IOException {
        if (kept != null) {
            kept.checkpoint.close();
            kept.journal.close();
        }
    }
}
