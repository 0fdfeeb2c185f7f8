package io.stowline.examples.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.stowline.examples.shared.ScratchFolder;
import io.stowline.examples.shared.UsageException;
import io.stowline.journal.Journal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The folder with what a load needs to go on after its process was killed: what load it is, the checkpoint of the input, and the writer's
 * journal. One process has it at a time, as the journal sees to.
 */
final class LoadState implements AutoCloseable {

    private final Path folder;
    private final Journal journal;
    private final Checkpoint checkpoint;

    private LoadState(Path folder, Journal journal, Checkpoint checkpoint) {
        this.folder = folder;
        this.journal = journal;
        this.checkpoint = checkpoint;
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
            return new LoadState(folder, journal, Checkpoint.open(folder.resolve("checkpoint")));
        } catch (IOException | RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    Journal journal() {
        return journal;
    }

    Checkpoint checkpoint() {
        return checkpoint;
    }

    /** Removes the state of a load that is complete. */
    void remove() throws IOException {
        close();
        new ScratchFolder(folder).close();
    }

    @Override
    public void close() throws IOException {
        checkpoint.close();
        journal.close();
    }
}
