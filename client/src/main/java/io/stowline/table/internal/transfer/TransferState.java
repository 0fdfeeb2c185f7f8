package io.stowline.table.internal.transfer;

import io.stowline.table.Entity;
import io.stowline.table.internal.format.EntityLines;
import io.stowline.table.internal.format.RowChecksum;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The state of a transfer on the disk, by which it goes on after a kill: a folder with one file that is replaced as a whole, and the files of
 * its parts. One transfer has it at a time. It holds names, keys and figures, and no credential. Thread-safe.
 */
final class TransferState implements AutoCloseable {

    private static final String STATE = "state.jsonl";
    private static final String LOCK = "lock";

    /** The length of the last line. */
    private static final int SUM = 65;

    private static final Pattern OWN = Pattern.compile(
            "state\\.jsonl|state\\.tmp|lock|whole|manifest|sorted-\\d+" + "|\\d+\\.(rows|counts|rejected)");

    private final Path folder;
    private final FileChannel channel;
    private final FileLock lock;
    private final List<Entity> parts = new ArrayList<>();
    private final EntityLines lines = new EntityLines();
    private Entity header;
    private boolean found;
    private boolean resumed;
    private boolean temporary;

    private TransferState(Path folder, FileChannel channel, FileLock lock, Entity header) {
        this.folder = folder;
        this.channel = channel;
        this.lock = lock;
        this.header = header;
    }

    /**
     * Opens the state of a transfer, or makes it.
     *
     * @param identity names the transfer, its ends and what it transfers
     * @throws IllegalStateException if the folder has the state of another transfer, other files, or is in use
     */
    static TransferState open(Path folder, String identity) throws IOException {
        if (!Files.isDirectory(folder)) {
            Files.createDirectory(folder);
        }
        refuseOthers(folder);
        FileChannel channel =
                FileChannel.open(folder.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = locked(channel, folder);
            TransferState state = new TransferState(
                    folder,
                    channel,
                    lock,
                    Entity.builder("transfer", "")
                            .set("Of", identity)
                            .set("Began", Instant.now())
                            .build());
            state.load(identity);
            return state;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Makes a state that is removed with its transfer, however that ends. */
    static TransferState temporary(String identity) throws IOException {
        TransferState state = open(Files.createTempDirectory("stowline-transfer"), identity);
        state.temporary = true;
        return state;
    }

    private static void refuseOthers(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<String> others = files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> !OWN.matcher(name).matches())
                    .limit(1)
                    .toList();
            if (!others.isEmpty()) {
                throw new IllegalStateException("the folder " + folder + " for the state of a transfer holds other"
                        + " files, such as " + others.get(0) + ": name another folder");
            }
        }
    }

    private static FileLock locked(FileChannel channel, Path folder) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
        } catch (OverlappingFileLockException e) {
            throw new IllegalStateException("a transfer of this process uses the state " + folder, e);
        }
        throw new IllegalStateException("a transfer of another process uses the state " + folder);
    }

    private void load(String identity) throws IOException {
        Path file = folder.resolve(STATE);
        if (!Files.exists(file)) {
            return;
        }
        byte[] bytes = Files.readAllBytes(file);
        int end = Math.max(0, bytes.length - SUM);
        if (!Arrays.equals(sum(Arrays.copyOf(bytes, end)), Arrays.copyOfRange(bytes, end, bytes.length))) {
            throw new IllegalStateException(
                    "the state " + folder + " is damaged: delete the folder to begin from the start");
        }
        List<String> saved =
                new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
        header = lines.entity(saved.get(0).getBytes(StandardCharsets.UTF_8));
        if (!identity.equals(header.get("Of", String.class))) {
            throw new IllegalStateException("the state " + folder + " is that of another transfer: "
                    + header.get("Of", String.class) + "; call that one again, or delete the folder");
        }
        for (String part : saved.subList(1, saved.size())) {
            parts.add(lines.entity(part.getBytes(StandardCharsets.UTF_8)));
        }
        found = true;
        resumed = !isEmpty();
    }

    /** Returns whether an earlier run has left it, with or without a row. */
    boolean found() {
        return found;
    }

    /** Returns whether an earlier run has left it with rows that this run need not transfer. */
    boolean resumed() {
        return resumed;
    }

    /** Returns when the first run began. */
    Instant began() {
        Instant began = header.get("Began", Instant.class);
        return began == null ? Instant.EPOCH : began;
    }

    /** Returns the parts. */
    synchronized List<Entity> parts() {
        return List.copyOf(parts);
    }

    /** Sets all parts. */
    synchronized void parts(List<Map<String, Object>> all) throws IOException {
        parts.clear();
        for (int i = 0; i < all.size(); i++) {
            parts.add(part(i, all.get(i)));
        }
        save();
    }

    /** Replaces one part. */
    synchronized void put(int index, Map<String, Object> properties) throws IOException {
        parts.set(index, part(index, properties));
        save();
    }

    private static Entity part(int index, Map<String, Object> properties) {
        return Entity.read("part", String.format(Locale.ROOT, "%06d", index), properties, null);
    }

    private void save() throws IOException {
        StringBuilder text = new StringBuilder(new String(lines.line(header), StandardCharsets.UTF_8)).append('\n');
        for (Entity part : parts) {
            text.append(new String(lines.line(part), StandardCharsets.UTF_8)).append('\n');
        }
        Path next = folder.resolve("state.tmp");
        try (PartFile out = PartFile.open(next, 0)) {
            byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
            out.write(bytes);
            out.write(sum(bytes));
            out.force();
        }
        Files.move(next, folder.resolve(STATE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Returns the last line of the state: a part with a damaged figure would go on at a wrong place. */
    private static byte[] sum(byte[] bytes) {
        RowChecksum checksum = new RowChecksum();
        checksum.add(bytes);
        return (checksum + "\n").getBytes(StandardCharsets.UTF_8);
    }

    Path folder() {
        return folder;
    }

    /** Returns a file of the state. */
    Path file(String name) {
        return folder.resolve(name);
    }

    /** Returns a file of a part. */
    Path file(int part, String kind) {
        return folder.resolve(part + "." + kind);
    }

    /** Puts the rejected rows of all parts into one file, which is replaced. */
    void collectRejected(Path target) throws IOException {
        int count = parts().size();
        try (OutputStream out = Files.newOutputStream(target)) {
            for (int i = 0; i < count; i++) {
                Files.copy(file(i, "rejected"), out);
            }
        }
    }

    /** Removes the state at the end of its transfer. */
    void end() throws IOException {
        temporary = false;
        Files.deleteIfExists(folder.resolve(STATE));
        Path lockFile = folder.resolve(LOCK);
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(each -> !each.equals(lockFile)).toList()) {
                Files.delete(file);
            }
        }
        close();
        Files.delete(lockFile);
        Files.delete(folder);
    }

    /** Removes a state without a row, whose table is missing: the next transfer may be another one. */
    void endIfEmpty() throws IOException {
        boolean isBegun = parts().stream().anyMatch(part -> Boolean.TRUE.equals(part.get("Done", Boolean.class)));
        if (!isBegun && isEmpty()) {
            end();
        }
    }

    private boolean isEmpty() {
        return parts().stream()
                .allMatch(part -> PartTally.number(part, "Read") == 0 && PartTally.number(part, "Covered") == 0);
    }

    @Override
    public void close() throws IOException {
        if (temporary && channel.isOpen()) {
            temporary = false;
            end();
        }
        if (channel.isOpen()) {
            lock.release();
            channel.close();
        }
    }
}
