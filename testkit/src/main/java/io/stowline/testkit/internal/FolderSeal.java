package io.stowline.testkit.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * A file in a folder that records what the folder held when it was finished.
 *
 * <p>It has two digests. One is over names, kinds, sizes and times of change, and is compared at each use. The other is over names,
 * kinds and content, and is compared where the first one differs: a copy of the folder has other times but is as good.
 */
final class FolderSeal {

    static final String FILE = "installed.sha256";

    private final Path folder;
    private final Path file;

    FolderSeal(Path folder) {
        this.folder = folder;
        this.file = folder.resolve(FILE);
    }

    /** Writes down what the folder holds now. */
    void set() throws IOException {
        write(digest(true));
    }

    /** Returns whether the folder is unchanged, as far as sizes and times of change show. */
    boolean isUntouched() {
        try {
            String times = sealed().get(0);
            return !times.isEmpty() && times.equals(digest(false));
        } catch (IOException changing) {
            return false;
        }
    }

    /** Returns whether the content is the same; if it is, it records the present times. */
    boolean hasSameContent() throws IOException {
        String content = sealed().get(1);
        if (content.isEmpty() || !content.equals(digest(true))) {
            return false;
        }
        write(content);
        return true;
    }

    private List<String> sealed() {
        try {
            List<String> lines = Files.readAllLines(file);
            return lines.size() == 2 ? lines : List.of("", "");
        } catch (IOException missing) {
            return List.of("", "");
        }
    }

    private void write(String content) throws IOException {
        Path part = Files.createTempFile(folder.getParent(), folder.getFileName() + NpmInstall.PART, null);
        Files.writeString(part, digest(false) + "\n" + content + "\n");
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private String digest(boolean content) throws IOException {
        List<String> entries = new ArrayList<>();
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entry, BasicFileAttributes found) {
                entries.add(name(entry) + "/");
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path entry, BasicFileAttributes found) throws IOException {
                if (!entry.equals(file)) {
                    entries.add(name(entry) + " " + of(entry, found));
                }
                return FileVisitResult.CONTINUE;
            }

            private String of(Path entry, BasicFileAttributes found) throws IOException {
                if (found.isSymbolicLink()) {
                    return "-> " + Files.readSymbolicLink(entry);
                }
                return content
                        ? Resources.sha256(Files.readAllBytes(entry))
                        : found.size() + " " + found.lastModifiedTime();
            }
        });
        // Folders are read in any order.
        entries.sort(null);
        return Resources.sha256(String.join("\n", entries).getBytes(StandardCharsets.UTF_8));
    }

    /** The walk gives the folder itself and its entries: relativize() would give the same and cost more. */
    private String name(Path entry) {
        String path = entry.toString();
        return path.substring(Math.min(path.length(), folder.toString().length() + 1));
    }
}
