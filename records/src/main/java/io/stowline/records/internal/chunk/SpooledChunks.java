package io.stowline.records.internal.chunk;

import io.stowline.journal.Journal;
import io.stowline.journal.JournalException;
import io.stowline.journal.internal.spool.DamagedSpoolException;
import io.stowline.journal.internal.spool.SpoolFile;
import io.stowline.journal.internal.store.RecordJournal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chunks in a journal, one spool file for each: the head is the name, the seals are those of the chunk. */
public final class SpooledChunks implements ChunkStore {

    private final RecordJournal journal;
    private List<SealedChunk> found;

    private SpooledChunks(RecordJournal journal) {
        this.journal = journal;
        this.found = read(journal);
    }

    /**
     * Binds a journal to a writer.
     *
     * @param purpose the container and the prefix of the blobs, for which the journal is for good
     * @throws JournalException if it has another purpose, is in use by another writer, or is closed
     */
    public static SpooledChunks open(Journal journal, String purpose) {
        RecordJournal records = RecordJournal.of(journal);
        records.bindTo(purpose);
        try {
            return new SpooledChunks(records);
        } catch (RuntimeException | Error e) {
            records.release();
            throw e;
        }
    }

    private static List<SealedChunk> read(RecordJournal journal) {
        List<SealedChunk> found = new ArrayList<>();
        for (SpoolFile file : journal.spool().found()) {
            try {
                byte[] seal = file.seal();
                found.add(new SpooledChunk(
                        ChunkCodec.name(file.head()), file, seal == null ? null : ChunkCodec.seal(seal)));
            } catch (IOException e) {
                throw new JournalException(
                        "the journal " + journal.folder() + " cannot be read: " + file + " has another form ("
                                + e.getMessage() + "); read it with the version of the library that has written it",
                        e);
            }
        }
        return found;
    }

    @Override
    public OpenChunk open(ChunkName name) {
        return new FillingChunk(name, journal.spool().create(ChunkCodec.encode(name)));
    }

    @Override
    public synchronized List<SealedChunk> found() {
        List<SealedChunk> all = found;
        found = List.of();
        return all;
    }

    @Override
    public boolean durable() {
        return true;
    }

    @Override
    public long maxBytes() {
        return journal.settings().maxBytes();
    }

    @Override
    public void close() {
        journal.release();
    }

    private record FillingChunk(ChunkName name, SpoolFile file) implements OpenChunk {

        @Override
        public long write(byte[] record) {
            return file.write(record);
        }

        @Override
        public void force(long mark) {
            file.force(mark);
        }

        @Override
        public boolean isBroken() {
            return file.isBroken();
        }

        @Override
        public int records() {
            return file.records();
        }

        @Override
        public long bytes() {
            return file.bytes();
        }

        @Override
        public SealedChunk seal() {
            file.end();
            return new SpooledChunk(name, file, null);
        }
    }

    private static final class SpooledChunk implements SealedChunk {

        private final ChunkName name;
        private final SpoolFile file;
        private @Nullable ChunkSeal seal;

        SpooledChunk(ChunkName name, SpoolFile file, @Nullable ChunkSeal seal) {
            this.name = name;
            this.file = file;
            this.seal = seal;
        }

        @Override
        public ChunkName name() {
            return name;
        }

        @Override
        public int records() {
            return file.records();
        }

        @Override
        public long bytes() {
            return file.bytes();
        }

        @Override
        public byte[] content() {
            try {
                return file.content();
            } catch (DamagedSpoolException e) {
                throw new DamagedChunkException(String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        public @Nullable ChunkSeal seal() {
            return seal;
        }

        @Override
        public void seal(ChunkSeal decided) {
            try {
                file.seal(ChunkCodec.encode(decided));
            } catch (DamagedSpoolException e) {
                throw new DamagedChunkException(String.valueOf(e.getMessage()), e);
            }
            seal = decided;
        }

        @Override
        public void delivered() {
            file.delete();
        }

        @Override
        public void rejected(String reason) {
            file.reject(reason);
        }
    }
}
