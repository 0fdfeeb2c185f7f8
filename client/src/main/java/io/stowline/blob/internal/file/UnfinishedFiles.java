package io.stowline.blob.internal.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The files below a folder that killed downloads have left. A file in use is none of them: it has a lock on its
 * state, or was written within the last day. Links are not followed. Its methods read and write files. Immutable.
 */
public final class UnfinishedFiles {

    /** The prefix of the names of all files that downloads write beside their targets. */
    public static final String PREFIX = ".stowline-";

    /** The time without a write after which no download is still running. */
    private static final Duration ABANDONED = Duration.ofDays(1);

    private static final String STATE = ".state";
    private static final String PART = ".part";
    private static final String MODE = ".mode";

    /** Matches the names that {@link #newName}, {@link PartFiles} and the probe of a folder make. */
    private static final Pattern MADE = Pattern.compile(
            "\\.stowline-(?:[0-9a-f]{16}\\.(?:part|mode)|[0-9a-f]{24}\\.(?:part|state)|[0-9]{1,20}\\.probe)");

    private final TransferReach reach;
    private final Predicate<String> resumable;
    private final Instant now;

    /**
     * The files as they are now.
     *
     * @param resumable whether a download would go on with the state of this file name, or discard it
     */
    public UnfinishedFiles(TransferReach reach, Predicate<String> resumable, Instant now) {
        this.reach = reach;
        this.resumable = resumable;
        this.now = now;
    }

    /** The files and blobs that a transfer may remove something of. */
    public interface TransferReach {

        /** Returns whether a blob with this address lies below the transfer's prefix: then no other download has its files. */
        boolean lies(String blob);

        /** Returns whether the patterns let such a blob take part. */
        boolean takesBlob(String blob);

        /** Returns whether the patterns let a file take part, whose blob is unknown or another transfer's. */
        boolean takesFile(Path file);
    }

    /** Returns a new name for a part of a file that is written beside it. Its file must be opened as a new one. */
    static Path newPart(Path target) {
        return newName(target, PART);
    }

    /** Returns a new name for an empty file beside another one, which shows the mode of new files. */
    static Path newProbe(Path target) {
        return newName(target, MODE);
    }

    private static Path newName(Path target, String end) {
        String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        return target.resolveSibling(PREFIX + random + end);
    }

    /**
     * The folders that may contain states. One scan of a folder takes the place of one for each file that is downloaded
     * to it. A state that comes into a folder later belongs to a running download. Serves one transfer. Thread-safe.
     */
    public static final class StateFolders {

        /** The folders above the present one, and some more: a listing comes back to them. */
        private static final int MAX_FOLDERS = 64;

        /** A folder of more files is not scanned. */
        private static final int MAX_FILES = 100_000;

        private final Map<Path, Boolean> known = new LinkedHashMap<>(2 * MAX_FOLDERS, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Path, Boolean> eldest) {
                return size() > MAX_FOLDERS;
            }
        };

        /**
         * Returns whether a state may lie beside this file. Nothing waits while another thread looks through its
         * folder.
         */
        boolean mayHold(Path target) {
            Path folder = target.resolveSibling("");
            synchronized (known) {
                Boolean seen = known.putIfAbsent(folder, true);
                if (seen != null) {
                    return seen;
                }
            }
            boolean found = inspect(folder);
            synchronized (known) {
                known.put(folder, found);
            }
            return found;
        }

        /** A path that is no folder now is not opened: a pipe would wait. */
        private static boolean inspect(Path folder) {
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                return true;
            }
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
                int left = MAX_FILES;
                for (Path file : files) {
                    String name = String.valueOf(file.getFileName());
                    if ((name.startsWith(PREFIX) && name.endsWith(STATE)) || --left == 0) {
                        return true;
                    }
                }
                return false;
            } catch (IOException | DirectoryIteratorException e) {
                return true;
            }
        }
    }

    /**
     * The files of the download of one blob to one target. Their names follow from both, so that another process finds them. Immutable.
     *
     * @param target the file that is replaced, links followed
     * @param part the file that takes its place
     * @param lines the state
     */
    record PartFiles(Path target, Path part, Path lines) {

        static PartFiles of(Path target, String blob) {
            byte[] both = (target + "\n" + blob).getBytes(StandardCharsets.UTF_8);
            String name = PREFIX + HexFormat.of().formatHex(sha256(both), 0, 12);
            return new PartFiles(target, target.resolveSibling(name + PART), target.resolveSibling(name + STATE));
        }

        private static byte[] sha256(byte[] bytes) {
            try {
                return MessageDigest.getInstance("SHA-256").digest(bytes);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("this Java has no SHA-256, which every Java must have", e);
            }
        }
    }

    /**
     * Returns the path of the state of a blob's download, whether or not it exists.
     *
     * @param target the file that is replaced, links followed
     * @param blob the identity of the blob
     */
    public static Path state(Path target, String blob) {
        return PartFiles.of(target, blob).lines();
    }

    /**
     * A file or an error found below a folder.
     *
     * @param path a file that may be of a download that was killed; of a part and its state the state only
     * @param error why the path is a folder that cannot be looked through, or {@code null}
     */
    public record FoundFile(Path path, @Nullable IOException error) {}

    /** Returns the files below a folder that may be of killed downloads. */
    public List<FoundFile> below(Path root) throws IOException {
        List<FoundFile> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes seen) {
                String name = String.valueOf(file.getFileName());
                if (seen.isRegularFile()
                        && MADE.matcher(name).matches()
                        && (name.endsWith(STATE) ? !resumable.test(name) : abandoned(file, seen) && !hasState(file))) {
                    found.add(new FoundFile(file, null));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException error) {
                if (!(error instanceof NoSuchFileException)) {
                    found.add(new FoundFile(file, error));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    private boolean abandoned(Path file, BasicFileAttributes seen) {
        return isOld(seen) && reach.takesFile(file);
    }

    private boolean isOld(BasicFileAttributes seen) {
        return seen.lastModifiedTime().toInstant().plus(ABANDONED).isBefore(now);
    }

    private static boolean hasState(Path file) {
        return ending(file, PART) && Files.exists(with(file, PART, STATE), LinkOption.NOFOLLOW_LINKS);
    }

    private static boolean ending(Path file, String end) {
        return file.getFileName().toString().endsWith(end);
    }

    private static Path with(Path file, String end, String other) {
        String name = file.getFileName().toString();
        return file.resolveSibling(name.substring(0, name.length() - end.length()) + other);
    }

    /**
     * Removes a file that was found, with its part if it is a state.
     *
     * @param dryRun whether nothing is to be removed
     * @return whether it was of a download that goes on no longer
     */
    public boolean remove(Path file, boolean dryRun) throws IOException {
        BasicFileAttributes seen = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!ending(file, STATE)) {
            return abandoned(file, seen) && (dryRun || Files.deleteIfExists(file));
        }
        try (StateFile lines = StateFile.inspect(file)) {
            if (lines == null || !isDone(lines.text(), file, seen)) {
                return false;
            }
            if (!dryRun) {
                Files.deleteIfExists(with(file, STATE, PART));
                lines.delete();
            }
            return true;
        }
    }

    /** The state of a blob below the prefix goes at any age, unless the patterns leave that blob out. */
    private boolean isDone(String text, Path file, BasicFileAttributes seen) {
        DownloadState state = DownloadState.parse(text);
        if (state != null && reach.lies(state.sourceVersion().blob())) {
            return reach.takesBlob(state.sourceVersion().blob());
        }
        return abandoned(file, seen);
    }
}
