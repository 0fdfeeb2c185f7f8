package io.stowline.journal.internal.spool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The disk of the operating system, whose operations can fail, and which knows what a power cut leaves of it. */
final class FaultyDisk implements SpoolDisk {

    /** The operations that can fail. */
    enum Fault {
        CREATE,
        OPEN,
        WRITE,
        READ,
        TRUNCATE,
        SYNC,
        DELETE,
        MOVE,
        FORCE
    }

    final AtomicInteger syncs = new AtomicInteger();

    private final Set<Fault> faults = EnumSet.noneOf(Fault.class);
    private final Map<Path, byte[]> synced = new ConcurrentHashMap<>();
    private final Set<Path> made = ConcurrentHashMap.newKeySet();
    private final Set<Path> named = ConcurrentHashMap.newKeySet();
    private volatile Runnable before = () -> {};
    private volatile Runnable beforeSync = () -> {};
    private volatile int part = 2;
    private volatile long nanos;

    /** Lets operations fail from now on. */
    synchronized void fail(Fault... kinds) {
        faults.addAll(Set.of(kinds));
    }

    synchronized void repair() {
        faults.clear();
    }

    /** Sets the part of a failing write that is written all the same: the whole, if it is 1, a half, if it is 2. */
    void writePart(int divisor) {
        part = divisor;
    }

    /** Runs before each operation that changes the disk. */
    void before(Runnable each) {
        before = each;
    }

    void beforeSync(Runnable each) {
        beforeSync = each;
    }

    /** Lets the checks of places be due. */
    void pass() {
        nanos += PresenceCheck.EVERY_NANOS;
    }

    /** Writes what a power cut leaves: all that was forced, and nothing else. */
    void leaveForced(Path folder) throws IOException {
        for (Map.Entry<Path, byte[]> each : synced.entrySet()) {
            if (named.contains(each.getKey()) && Files.exists(each.getKey())) {
                Files.write(folder.resolve(each.getKey().getFileName()), each.getValue());
            }
        }
    }

    private void on(Fault kind) throws IOException {
        before.run();
        refuse(kind);
    }

    private synchronized void refuse(Fault kind) throws IOException {
        if (faults.contains(kind)) {
            throw new IOException("injected: " + kind);
        }
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        on(Fault.CREATE);
        OpenFile created = SYSTEM.create(file);
        made.add(file);
        return new Faulty(file, created);
    }

    @Override
    public OpenFile open(Path file, boolean writable) throws IOException {
        refuse(Fault.OPEN);
        return new Faulty(file, SYSTEM.open(file, writable));
    }

    @Override
    public void delete(Path file) throws IOException {
        on(Fault.DELETE);
        SYSTEM.delete(file);
        synced.remove(file);
    }

    @Override
    public void move(Path file, Path name) throws IOException {
        on(Fault.MOVE);
        SYSTEM.move(file, name);
        byte[] bytes = synced.remove(file);
        if (bytes != null) {
            synced.put(name, bytes);
        }
    }

    @Override
    public void force(Path folder) throws IOException {
        on(Fault.FORCE);
        SYSTEM.force(folder);
        named.addAll(made);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    private final class Faulty implements OpenFile {

        private final Path path;
        private final OpenFile file;

        Faulty(Path path, OpenFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void write(long position, byte[] bytes, int length) throws IOException {
            before.run();
            try {
                refuse(Fault.WRITE);
            } catch (IOException e) {
                file.write(position, bytes, length / part);
                throw e;
            }
            file.write(position, bytes, length);
        }

        @Override
        public int read(long position, byte[] into, int offset, int length) throws IOException {
            refuse(Fault.READ);
            return file.read(position, into, offset, length);
        }

        @Override
        public void truncate(long size) throws IOException {
            on(Fault.TRUNCATE);
            file.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            syncs.incrementAndGet();
            beforeSync.run();
            byte[] now = contents();
            on(Fault.SYNC);
            file.sync();
            synced.put(path, now);
        }

        private byte[] contents() throws IOException {
            try {
                return Files.readAllBytes(path);
            } catch (NoSuchFileException removed) {
                return new byte[0];
            }
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
