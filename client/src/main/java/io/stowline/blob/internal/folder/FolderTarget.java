package io.stowline.blob.internal.folder;

import io.stowline.error.internal.PrintableText;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The folder that blobs are downloaded to. It gives a file for a name, and refuses a name whose file could lie elsewhere, could be another
 * blob's, or has no form on this system. Thread-safe.
 */
public final class FolderTarget {

    private static final Pattern RESERVED =
            Pattern.compile("(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\\..*)?", Pattern.CASE_INSENSITIVE);

    private static final int CASE = 0x20;

    private static final String NOT_ON_WINDOWS = "<>:\"|?*";

    private final Path root;
    private final boolean windows;
    private final Set<String> claimed = ConcurrentHashMap.newKeySet();
    private volatile boolean foldsCase;
    private volatile Path realRoot;
    private volatile TimeResolution times = TimeResolution.EXACT;

    /** The last folder in which, and above which, names that differ in case are different files. */
    private volatile @Nullable String exact;

    public FolderTarget(Path root) {
        this(root, System.getProperty("os.name", "").startsWith("Windows"));
    }

    public FolderTarget(Path root, boolean windows) {
        this.root = withoutDots(root.toAbsolutePath());
        this.realRoot = this.root;
        this.windows = windows;
        this.foldsCase = windows;
    }

    /** Two dots count from the end of a link, as they do for the system. */
    private static Path withoutDots(Path path) {
        Path at = Objects.requireNonNull(path.getRoot(), "an absolute path has a root");
        for (Path name : path) {
            switch (name.toString()) {
                case "." -> {}
                case ".." -> at = above(at);
                default -> at = at.resolve(name);
            }
        }
        return at;
    }

    private static Path above(Path folder) {
        try {
            boolean there = Files.exists(folder);
            if (there ? !Files.isDirectory(folder) : Files.isSymbolicLink(folder)) {
                throw new NotDirectoryException(folder + " is no folder, nor leads to one");
            }
            Path real = there ? folder.toRealPath() : folder;
            Path parent = real.getParent();
            return parent == null ? real : parent;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot go up from " + folder + ": " + e, e);
        }
    }

    /** Makes the folder, and finds out whether names that differ in case only are one file there, and how exact times are. */
    public void make() throws IOException {
        Files.createDirectories(root);
        realRoot = root.toRealPath();
        Path probe = Files.createTempFile(root, FolderWalk.PARTS, ".probe");
        try {
            times = TimeResolution.of(probe);
            foldsCase = Files.exists(root.resolve(probe.getFileName().toString().toUpperCase(Locale.ROOT)));
        } finally {
            Files.deleteIfExists(probe);
        }
    }

    /** Returns the precision with which its files keep their times; taken for exact until the folder is made. */
    public TimeResolution times() {
        return times;
    }

    public Path root() {
        return root;
    }

    /** Returns a file below the folder, with the links that lead to the folder followed. */
    public Path real(Path path) {
        return realRoot.equals(root) ? path : realRoot.resolve(root.relativize(path));
    }

    /** Returns the path of a blob's file. */
    public Path of(String name) throws IOException {
        Path path = root;
        String[] segments = name.split("/", -1);
        for (String segment : segments) {
            refuse(name, segment);
            path = resolved(path, name, segment);
        }
        if (depth(path) != segments.length || !path.startsWith(root)) {
            throw refused(name, "it leads out of the folder");
        }
        return path;
    }

    private int depth(Path path) {
        return path.getNameCount() - root.getNameCount();
    }

    private static Path resolved(Path folder, String name, String segment) throws IOException {
        try {
            return folder.resolve(segment);
        } catch (InvalidPathException e) {
            throw refused(name, "the segment '" + segment + "' " + LocalFolder.hasNoForm());
        }
    }

    private void refuse(String name, String segment) throws IOException {
        if (segment.isEmpty()) {
            throw refused(name, "a segment between slashes is empty");
        }
        if (segment.equals(".") || segment.equals("..")) {
            throw refused(name, "the segment '" + segment + "' leads elsewhere");
        }
        if (segment.startsWith(FolderWalk.PARTS)) {
            throw refused(name, "'" + FolderWalk.PARTS + "' is how parts of transfers begin");
        }
        if (segment.indexOf('\\') >= 0 || segment.indexOf('\0') >= 0) {
            throw refused(name, "a file has no backslash and no NUL in its name");
        }
        if (windows && !fitsWindows(segment)) {
            throw refused(name, "Windows has no file named '" + segment + "'");
        }
    }

    private static boolean fitsWindows(String segment) {
        return !RESERVED.matcher(segment).matches()
                && !segment.endsWith(".")
                && !segment.endsWith(" ")
                && segment.chars().noneMatch(c -> c < ' ' || NOT_ON_WINDOWS.indexOf(c) >= 0);
    }

    private static IOException refused(String name, String why) {
        return new IOException(PrintableText.of("the blob name '" + name + "' has no file below the folder: " + why));
    }

    /**
     * Returns the file under a name, reached through no link.
     *
     * @param make whether folders that the file needs are made
     * @return the attributes of the file, or {@code null} if there is none
     * @throws IOException if a folder, a link or a device stands there, or a file stands where a folder is needed
     */
    @Nullable
    public BasicFileAttributes attributes(String name, Path path, boolean make) throws IOException {
        for (Path folder : parents(path)) {
            BasicFileAttributes seen = attributes(folder);
            if (seen == null && make) {
                seen = made(folder);
            }
            if (seen == null && !make) {
                return null;
            }
            if (seen == null || !seen.isDirectory()) {
                throw refused(name, folder + " is no folder");
            }
        }
        BasicFileAttributes seen = attributes(path);
        if (seen == null) {
            return null;
        }
        if (!seen.isRegularFile()) {
            throw refused(name, path + " is no file");
        }
        if (!samePath(path)) {
            throw refused(name, "its file is that of another blob, whose name differs in upper and lower case");
        }
        return seen;
    }

    /** Returns the file that stands where the file of a blob needs a folder, or {@code null}. */
    @Nullable
    public Path inTheWay(Path path) throws IOException {
        for (Path folder : parents(path)) {
            BasicFileAttributes seen = attributes(folder);
            if (seen == null || !seen.isDirectory()) {
                return seen != null && seen.isRegularFile() ? folder : null;
            }
        }
        return null;
    }

    private static @Nullable BasicFileAttributes attributes(Path path) throws IOException {
        try {
            return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    /**
     * Another name reaches the same file where case does not count. Following a whole path is expensive, so each folder
     * is tried once.
     */
    private boolean samePath(Path path) throws IOException {
        String folder = path.resolveSibling("").toString();
        if (folder.equals(exact)) {
            return true;
        }
        if (isExact(path)) {
            exact = folder;
            return true;
        }
        Path real = root.toRealPath().relativize(path.toRealPath());
        return composed(real).equals(composed(root.relativize(path)));
    }

    /** True if neither a file nor any folder above it exists under its name in the other case. */
    private boolean isExact(Path path) throws IOException {
        for (Path folder : parents(path)) {
            if (!isExactThere(folder)) {
                return false;
            }
        }
        return isExactThere(path);
    }

    private static boolean isExactThere(Path path) throws IOException {
        String name = path.getFileName().toString();
        String other = otherCase(name);
        return !other.equals(name) && attributes(path.resolveSibling(other)) == null;
    }

    /** Changes the letters that have another case wherever case does not count. */
    private static String otherCase(String name) {
        StringBuilder other = new StringBuilder(name);
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            other.setCharAt(i, letter ? (char) (c ^ CASE) : c);
        }
        return other.toString();
    }

    private static String composed(Path path) {
        return Normalizer.normalize(path.toString(), Normalizer.Form.NFC);
    }

    /** Returns the folders between the root and a file, the outermost first. */
    List<Path> parents(Path path) {
        Path[] parents = new Path[depth(path) - 1];
        Path folder = path;
        for (int i = parents.length - 1; i >= 0; i--) {
            folder = folder.resolveSibling("");
            parents[i] = folder;
        }
        return List.of(parents);
    }

    /** Looks once more at the folders of a file, which is about to be written. */
    public void refuseMoved(String name, Path path) throws IOException {
        for (Path folder : parents(path)) {
            BasicFileAttributes seen = attributes(folder);
            if (seen == null || !seen.isDirectory()) {
                throw refused(name, folder + " is a folder no longer");
            }
        }
    }

    private static @Nullable BasicFileAttributes made(Path folder) throws IOException {
        try {
            Files.createDirectory(folder);
        } catch (FileAlreadyExistsException e) {
            // Another blob of the folder has made it, or something else stands there now.
        }
        return attributes(folder);
    }

    /**
     * Takes a file for one blob while it is being written, where names that differ in case only are one file.
     *
     * @throws IOException if a blob is being written whose name differs in upper and lower case only
     */
    public void claim(String name) throws IOException {
        if (foldsCase && !claimed.add(name.toLowerCase(Locale.ROOT))) {
            throw refused(name, "a blob is being written whose name differs in upper and lower case only");
        }
    }

    public void release(String name) {
        claimed.remove(name.toLowerCase(Locale.ROOT));
    }

    /** Returns the name of the blob of a file below this folder. */
    public String name(Path file) {
        return root.relativize(file).toString().replace(File.separatorChar, '/');
    }

    /** Runs work on the disk for a download to this folder. */
    public <T> Mono<T> onDisk(DiskWork<T> work) {
        return DiskWork.later("downloadDirectory to " + root, work);
    }
}
