package io.stowline.caching.internal.disk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A folder in memory on a bad disk: each operation may fail, before it has done anything, half-way or when all is done; the disk may be full,
 * the folder gone or read-only, and other programs change and delete its files. For one thread.
 */
final class FaultyDisk implements DiskFiles {

    /** The fault of the whole disk. */
    enum State {
        WELL,
        READ_ONLY,
        GONE
    }

    private final Random random;
    private final Map<Path, Content> files = new LinkedHashMap<>();
    private final boolean keepsOpenFiles;

    /** The probability that an operation fails. */
    double faulty;

    State state = State.WELL;

    /** The point at which the next move fails: before it is done, or after. */
    @Nullable
    Boolean nextMoveIsDone;

    long room = Long.MAX_VALUE;

    /** The number of all faults. */
    int faults;

    /** The number of open files. */
    int open;

    /** The bytes of one file. */
    private static final class Content {
        private byte[] bytes = new byte[0];
        private int open;
    }

    FaultyDisk(Random random) {
        this.random = random;
        this.keepsOpenFiles = random.nextInt(4) == 0;
    }

    void heal() {
        faulty = 0;
        state = State.WELL;
        room = Long.MAX_VALUE;
    }

    /** The bytes of all files. */
    long size() {
        return files.values().stream().mapToLong(file -> file.bytes.length).sum();
    }

    List<String> names() {
        return files.keySet().stream()
                .map(file -> file.getFileName().toString())
                .toList();
    }

    /** Another program is here. */
    void disturb() {
        if (files.isEmpty()) {
            return;
        }
        Path file = List.copyOf(files.keySet()).get(random.nextInt(files.size()));
        Content content = files.get(file);
        faults++;
        switch (random.nextInt(4)) {
            case 0 -> files.remove(file);
            case 1 -> content.bytes = Arrays.copyOf(content.bytes, random.nextInt(content.bytes.length + 1));
            case 2 -> content.bytes = Arrays.copyOf(content.bytes, content.bytes.length + 1);
            default -> {
                if (content.bytes.length > 0) {
                    content.bytes = content.bytes.clone();
                    content.bytes[random.nextInt(content.bytes.length)] ^= (byte) (1 << random.nextInt(8));
                }
            }
        }
    }

    /** All files go at once, and with them the folder. */
    void vanish() {
        files.clear();
        state = State.GONE;
        faults++;
    }

    private boolean strikes() {
        return random.nextDouble() < faulty;
    }

    private IOException fault(String what) {
        faults++;
        if (random.nextInt(8) == 0) {
            throw new UncheckedIOException(what, new IOException("unchecked"));
        }
        return new IOException(what);
    }

    private void before(String what, boolean changes) throws IOException {
        if (state == State.GONE) {
            faults++;
            throw new NoSuchFileException("the folder is gone");
        }
        if ((changes && state == State.READ_ONLY) || strikes()) {
            throw fault(what + " fails");
        }
    }

    private void after(String what) throws IOException {
        if (faulty > 0 && random.nextInt(4) == 0 && strikes()) {
            throw fault(what + " fails when it is done");
        }
    }

    private Content existing(Path file) throws NoSuchFileException {
        Content content = files.get(file);
        if (content == null) {
            throw new NoSuchFileException(file.toString());
        }
        return content;
    }

    @Override
    public List<Path> list(Path folder) throws IOException {
        before("list", false);
        return new ArrayList<>(files.keySet());
    }

    @Override
    public Sink create(Path file) throws IOException {
        before("create", true);
        Content content = new Content();
        if (files.putIfAbsent(file, content) != null) {
            throw new FileAlreadyExistsException(file.toString());
        }
        after("create");
        open++;
        content.open++;
        return new Writing(content);
    }

    @Override
    public DiskSource open(Path file) throws IOException {
        before("open", false);
        Content content = existing(file);
        open++;
        content.open++;
        return new Reading(content);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        before("move", true);
        Boolean done = nextMoveIsDone;
        nextMoveIsDone = null;
        if (done == null || done) {
            files.put(to, existing(from));
            files.remove(from);
        }
        if (done != null) {
            throw new IOException("move fails");
        }
        after("move");
    }

    @Override
    public void delete(Path file) throws IOException {
        before("delete", true);
        Content content = files.get(file);
        if (content != null && content.open > 0 && keepsOpenFiles) {
            throw fault("a file that is open is not deleted");
        }
        files.remove(file);
        after("delete");
    }

    @Override
    public void touch(Path file) throws IOException {
        before("touch", true);
        existing(file);
    }

    private final class Writing implements Sink {

        private final Content content;
        private boolean closed;

        Writing(Content content) {
            this.content = content;
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            int all = bytes.remaining();
            boolean strikes = strikes() || state != State.WELL;
            int some = (int) Math.min(room, strikes ? random.nextInt(all + 1) : all);
            int end = (int) position + some;
            byte[] grown = content.bytes.length < end ? Arrays.copyOf(content.bytes, end) : content.bytes;
            bytes.get(grown, (int) position, some);
            room -= room == Long.MAX_VALUE ? 0 : grown.length - content.bytes.length;
            content.bytes = grown;
            if (strikes || some < all) {
                throw fault("write of " + all + " bytes ends after " + some);
            }
        }

        @Override
        public void force() throws IOException {
            before("force", true);
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                open--;
                content.open--;
                after("close");
            }
        }
    }

    private final class Reading implements DiskSource {

        private final Content content;
        private boolean closed;

        Reading(Content content) {
            this.content = content;
        }

        @Override
        public void read(ByteBuffer into, long position) throws IOException {
            if (closed) {
                throw new IOException("closed");
            }
            if (strikes()) {
                throw fault("read fails");
            }
            int count = Math.max(0, (int) Math.min(into.remaining(), content.bytes.length - position));
            into.put(content.bytes, (int) Math.min(position, content.bytes.length), count);
        }

        @Override
        public long size() throws IOException {
            if (strikes()) {
                throw fault("size fails");
            }
            return content.bytes.length;
        }

        @Override
        public void close() throws IOException {
            if (!closed) {
                closed = true;
                open--;
                content.open--;
                after("close");
            }
        }
    }
}
