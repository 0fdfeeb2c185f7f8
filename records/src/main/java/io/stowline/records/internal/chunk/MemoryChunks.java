package io.stowline.records.internal.chunk;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Chunks in memory, which end with the process. */
public final class MemoryChunks implements ChunkStore {

    private final long maxBytes;

    /**
     * Makes a store.
     *
     * @param maxBytes the largest number of bytes of all chunks together, which the writer keeps to
     */
    public MemoryChunks(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    @Override
    public OpenChunk open(ChunkName name) {
        return new Filling(name);
    }

    @Override
    public List<SealedChunk> found() {
        return List.of();
    }

    @Override
    public boolean durable() {
        return false;
    }

    @Override
    public long maxBytes() {
        return maxBytes;
    }

    @Override
    public void close() {}

    /** An open chunk in pages, so that a small record costs its bytes and no object. */
    private static final class Filling implements OpenChunk {

        private static final int PAGE = 64 * 1024;

        private final ChunkName name;
        private final List<byte[]> pages = new ArrayList<>();
        private int room;
        private int records;
        private long bytes;

        Filling(ChunkName name) {
            this.name = name;
        }

        @Override
        public ChunkName name() {
            return name;
        }

        @Override
        public synchronized long write(byte[] record) {
            for (int done = 0; done < record.length; ) {
                if (room == 0) {
                    pages.add(new byte[PAGE]);
                    room = PAGE;
                }
                int part = Math.min(room, record.length - done);
                System.arraycopy(record, done, pages.get(pages.size() - 1), PAGE - room, part);
                room -= part;
                done += part;
            }
            records++;
            bytes += record.length;
            return bytes;
        }

        @Override
        public void force(long mark) {}

        @Override
        public boolean isBroken() {
            return false;
        }

        @Override
        public synchronized int records() {
            return records;
        }

        @Override
        public synchronized long bytes() {
            return bytes;
        }

        @Override
        public synchronized SealedChunk seal() {
            return new Filled(name, records, bytes, pages);
        }
    }

    /** A sealed chunk, which keeps its pages until its end. */
    private static final class Filled implements SealedChunk {

        private final ChunkName name;
        private final int records;
        private final long bytes;
        private List<byte[]> pages;
        private @Nullable ChunkSeal seal;

        Filled(ChunkName name, int records, long bytes, List<byte[]> pages) {
            this.name = name;
            this.records = records;
            this.bytes = bytes;
            this.pages = pages;
        }

        @Override
        public ChunkName name() {
            return name;
        }

        @Override
        public int records() {
            return records;
        }

        @Override
        public long bytes() {
            return bytes;
        }

        @Override
        public byte[] content() {
            byte[] content = new byte[Math.toIntExact(bytes)];
            int done = 0;
            for (byte[] page : pages) {
                int part = Math.min(page.length, content.length - done);
                System.arraycopy(page, 0, content, done, part);
                done += part;
            }
            return content;
        }

        @Override
        public @Nullable ChunkSeal seal() {
            return seal;
        }

        @Override
        public void seal(ChunkSeal decided) {
            this.seal = decided;
        }

        @Override
        public void delivered() {
            pages = List.of();
        }

        @Override
        public void rejected(String reason) {
            pages = List.of();
        }
    }
}
