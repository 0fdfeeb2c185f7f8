package io.stowline.records.internal.engine;

import io.stowline.journal.JournalException;
import io.stowline.records.internal.chunk.ChunkName;
import io.stowline.records.internal.chunk.ChunkSeal;
import io.stowline.records.internal.chunk.ChunkStore;
import io.stowline.records.internal.chunk.OpenChunk;
import io.stowline.records.internal.chunk.SealedChunk;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A disk of a simulation, which outlives crashes. Each operation may be refused, and may be the moment of a crash, before or after its
 * effect; what is not forced may be cut off then.
 */
final class ModelDisk {

    /** The end of a process in the middle of whatever it does. */
    static final class Crash extends Error {

        private static final long serialVersionUID = 1L;

        Crash() {
            super("the process is killed", null, false, false);
        }
    }

    private final Random random;
    private final boolean machine;
    private final BooleanSupplier other;
    private final List<File> files = new ArrayList<>();
    final List<String> rejected = new ArrayList<>();
    private int process;
    double refusals;
    double crashes;
    private boolean crashed;

    /**
     * Makes an empty disk.
     *
     * @param machine whether what is not forced may be lost
     * @param other lets other threads do something while a caller waits for the disk
     */
    ModelDisk(Random random, boolean machine, BooleanSupplier other) {
        this.random = random;
        this.machine = machine;
        this.other = other;
    }

    private static final class File {

        private final ChunkName name;
        private final List<byte[]> records = new ArrayList<>();
        private int forced;
        private boolean ended;
        private boolean broken;
        private boolean gone;
        private @Nullable ChunkSeal seal;

        File(ChunkName name) {
            this.name = name;
        }

        private long bytes() {
            return records.stream().mapToLong(record -> record.length).sum();
        }
    }

    boolean isCrashed() {
        return crashed;
    }

    void crash() {
        crashed = true;
    }

    /** Begins the next process, with what a killed one has left. */
    ChunkStore restart(long maxBytes, boolean killed) {
        process++;
        crashed = false;
        for (File file : files) {
            if (killed && machine && !file.ended) {
                int kept = file.forced + random.nextInt(file.records.size() - file.forced + 1);
                file.records.subList(kept, file.records.size()).clear();
            }
            file.ended = true;
            file.gone = false;
            file.forced = file.records.size();
        }
        files.removeIf(file -> file.records.isEmpty());
        return new Store(process, maxBytes);
    }

    boolean isSealed(ChunkName name, ChunkSeal seal) {
        return files.stream().anyMatch(file -> file.name.equals(name) && seal.equals(file.seal));
    }

    boolean isEmpty() {
        return files.isEmpty();
    }

    /** Returns whether a chunk is the oldest one that has records. */
    boolean isOldest(ChunkName name) {
        return files.stream()
                .filter(file -> !file.records.isEmpty() && !file.gone)
                .findFirst()
                .map(file -> file.name.equals(name))
                .orElse(false);
    }

    private void operate(int of, Runnable effect) {
        step(of);
        if (random.nextDouble() < refusals) {
            throw new JournalException("the disk refuses", new IllegalStateException());
        }
        effect.run();
        step(of);
    }

    private void step(int of) {
        if (of == process && !crashed && random.nextDouble() < crashes) {
            crashed = true;
        }
        if (of != process || crashed) {
            throw new Crash();
        }
    }

    private final class Store implements ChunkStore {

        private final int of;
        private final long maxBytes;

        Store(int of, long maxBytes) {
            this.of = of;
            this.maxBytes = maxBytes;
        }

        @Override
        public OpenChunk open(ChunkName name) {
            File file = new File(name);
            operate(of, () -> files.add(file));
            return new Open(of, file);
        }

        @Override
        public List<SealedChunk> found() {
            return files.stream().<SealedChunk>map(file -> new Sealed(of, file)).toList();
        }

        @Override
        public boolean durable() {
            return true;
        }

        @Override
        public long maxBytes() {
            return maxBytes;
        }

        @Override
        public void close() {
            step(of);
        }
    }

    private final class Open implements OpenChunk {

        private final int of;
        private final File file;

        Open(int of, File file) {
            this.of = of;
            this.file = file;
        }

        @Override
        public ChunkName name() {
            return file.name;
        }

        @Override
        public long write(byte[] record) {
            if (file.broken || file.ended) {
                throw new JournalException("the file takes no more", new IllegalStateException());
            }
            operate(of, () -> file.records.add(record));
            return file.records.size();
        }

        @Override
        public void force(long mark) {
            if (!machine) {
                return;
            }
            boolean unused = other.getAsBoolean();
            if (file.forced >= mark) {
                return;
            }
            if (file.broken) {
                throw new JournalException("an earlier force has failed", new IllegalStateException());
            }
            try {
                operate(of, () -> file.forced = file.records.size());
            } catch (JournalException e) {
                cut();
                throw e;
            }
        }

        private void cut() {
            file.broken = true;
            file.records.subList(file.forced, file.records.size()).clear();
        }

        @Override
        public boolean isBroken() {
            return file.broken;
        }

        @Override
        public int records() {
            return file.records.size();
        }

        @Override
        public long bytes() {
            return file.bytes();
        }

        @Override
        public SealedChunk seal() {
            step(of);
            if (machine && random.nextDouble() < refusals) {
                cut();
            }
            file.ended = true;
            file.forced = file.records.size();
            step(of);
            return new Sealed(of, file);
        }
    }

    private final class Sealed implements SealedChunk {

        private final int of;
        private final File file;

        Sealed(int of, File file) {
            this.of = of;
            this.file = file;
        }

        @Override
        public ChunkName name() {
            return file.name;
        }

        @Override
        public int records() {
            return file.records.size();
        }

        @Override
        public long bytes() {
            return file.bytes();
        }

        @Override
        public byte[] content() {
            StringBuilder all = new StringBuilder();
            operate(
                    of,
                    () -> file.records.forEach(record -> all.append(new String(record, StandardCharsets.US_ASCII))));
            return all.toString().getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public @Nullable ChunkSeal seal() {
            return file.seal;
        }

        @Override
        public void seal(ChunkSeal seal) {
            operate(of, () -> file.seal = seal);
        }

        @Override
        public void delivered() {
            step(of);
            file.gone = true;
            if (random.nextDouble() >= refusals / 10) {
                files.remove(file); // otherwise the next process finds it once more
            }
            step(of);
        }

        @Override
        public void rejected(String reason) {
            step(of);
            if (files.remove(file)) {
                file.gone = true;
                file.records.forEach(record -> rejected.add(new String(record, StandardCharsets.US_ASCII)));
            }
            step(of);
        }
    }
}
