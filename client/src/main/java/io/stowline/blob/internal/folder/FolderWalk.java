package io.stowline.blob.internal.folder;

import io.stowline.blob.internal.file.UnfinishedFiles;
import io.stowline.blob.internal.folder.LocalFile.FileKind;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The files below a folder in the order of their full names, as a listing gives blobs: a folder sorts as its name with a slash. A large
 * folder is read several times, each time for its next names, so that memory does not grow with it. Links are found and not followed. Files
 * that transfers write beside their targets are left out. Used by one thread at a time.
 */
public final class FolderWalk {

    /** Files whose names begin with this prefix are parts of transfers. */
    static final String PARTS = UnfinishedFiles.PREFIX;

    private static final int MAX_NAMES = 65_536;
    private static final int CHUNK = 512;

    private final Deque<SortedFolder> open = new ArrayDeque<>();
    private final LocalFolder source;
    private final int maxNames;
    private boolean begun;

    FolderWalk(LocalFolder source) {
        this(source, MAX_NAMES);
    }

    /**
     * A walk with another memory bound.
     *
     * @param maxNames how many names of a folder are kept at a time
     */
    FolderWalk(LocalFolder source, int maxNames) {
        this.source = source;
        this.maxNames = maxNames;
    }

    /**
     * Returns all files below a folder, read in chunks on a thread that may block; an error if the folder itself cannot
     * be read.
     */
    public static Flux<LocalFile> of(LocalFolder source) {
        return Flux.defer(() -> {
            FolderWalk walk = new FolderWalk(source);
            Mono<List<LocalFile>> chunk = DiskWork.later("read the folder " + source.root(), () -> walk.next(CHUNK));
            return chunk.repeat().takeWhile(files -> !files.isEmpty()).concatMapIterable(files -> files, 1);
        });
    }

    /**
     * Goes on.
     *
     * @param max how many files at the most
     * @return the next files; none at the end
     * @throws IOException if the folder itself cannot be read; what is below it is a file with an error instead
     */
    List<LocalFile> next(int max) throws IOException {
        if (!begun) {
            begun = true;
            Path root = source.root();
            if (!Files.isDirectory(root)) {
                throw Files.exists(root)
                        ? new NotDirectoryException(root.toString())
                        : new NoSuchFileException(root.toString());
            }
            open.push(new SortedFolder(root, ""));
        }
        List<LocalFile> found = new ArrayList<>();
        while (found.size() < max && !open.isEmpty()) {
            LocalFile next = open.getFirst().next();
            if (next == null) {
                open.pop();
            } else if (next.kind() == FileKind.FOLDER) {
                descend(next, found);
            } else {
                found.add(next);
            }
        }
        return found;
    }

    private void descend(LocalFile folder, List<LocalFile> found) {
        try {
            open.push(new SortedFolder(source.path(folder), folder.name() + "/"));
        } catch (NoSuchFileException e) {
            // It was removed since its parent was read, with all that was in it.
        } catch (IOException e) {
            found.add(LocalFile.unreadable(folder.name() + "/", e));
        }
    }

    /**
     * The place of a child among the others.
     *
     * @param text its name, of a folder with a slash
     * @param foreign the path of a child whose name has no text that leads back to it, or {@code null}: several such names have one text
     */
    private record Key(String text, @Nullable Path foreign) implements Comparable<Key> {

        private static final Comparator<Key> ORDER = Comparator.comparing(Key::text)
                .thenComparing(Key::foreign, Comparator.nullsFirst(Comparator.naturalOrder()));

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** Names the bytes of a file whose name has no form in the file-name encoding of the JVM. */
    private static IOException foreign(Path path) {
        String bytes = path.toUri().getRawPath();
        String name = bytes.endsWith("/") ? bytes.substring(0, bytes.length() - 1) : bytes;
        return new IOException("the file name " + name.substring(name.lastIndexOf('/') + 1)
                + " (its bytes, percent-encoded) " + LocalFolder.hasNoForm());
    }

    /** The children of one folder in their order, some at a time. */
    private final class SortedFolder {

        private final Path folder;
        private final String prefix;
        private final TreeMap<Key, LocalFile> children = new TreeMap<>();
        private boolean complete;
        private Key last = new Key("", null);

        SortedFolder(Path folder, String prefix) throws IOException {
            this.folder = folder;
            this.prefix = prefix;
            fill();
        }

        @Nullable
        LocalFile next() throws IOException {
            if (children.isEmpty() && !complete) {
                fill();
            }
            Map.Entry<Key, LocalFile> first = children.pollFirstEntry();
            if (first == null) {
                return null;
            }
            last = first.getKey();
            return first.getValue();
        }

        private void fill() throws IOException {
            complete = true;
            try (DirectoryStream<Path> all = source.list(folder)) {
                for (Path path : all) {
                    add(all, path, path.getFileName().toString());
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
        }

        private void add(DirectoryStream<Path> all, Path path, String name) {
            // As a folder it would sort behind its bare name.
            if (name.startsWith(PARTS) || (name + "/").compareTo(last.text) < 0) {
                return;
            }
            boolean foreign = !isExpressible(path, name);
            LocalFile child = foreign ? LocalFile.unreadable(prefix + name, foreign(path)) : child(all, path, name);
            if (child == null) {
                return;
            }
            Key key = new Key(child.kind() == FileKind.FOLDER ? name + "/" : name, foreign ? path : null);
            if (key.compareTo(last) <= 0) {
                return;
            }
            children.put(key, child);
            if (children.size() > maxNames) {
                children.pollLastEntry();
                complete = false;
            }
        }

        private @Nullable LocalFile child(DirectoryStream<Path> all, Path path, String name) {
            String full = prefix + name;
            try {
                BasicFileAttributes seen = LocalFolder.attributes(all, path);
                return new LocalFile(full, seen.size(), seen.lastModifiedTime().toInstant(), kind(seen), null);
            } catch (NoSuchFileException e) {
                return null;
            } catch (IOException e) {
                return LocalFile.unreadable(full, e);
            }
        }

        /** Returns whether its text leads back to the file: not where its bytes are no characters of the JVM's encoding of file names. */
        private boolean isExpressible(Path path, String name) {
            try {
                return folder.resolve(name).equals(path);
            } catch (InvalidPathException e) {
                return false;
            }
        }

        private static FileKind kind(BasicFileAttributes seen) {
            if (seen.isDirectory()) {
                return FileKind.FOLDER;
            }
            return seen.isRegularFile() ? FileKind.FILE : FileKind.OTHER;
        }
    }
}
