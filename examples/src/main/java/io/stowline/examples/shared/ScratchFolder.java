package io.stowline.examples.shared;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A temporary folder, which is gone at the end with all that is in it.
 *
 * @param path the folder
 */
public record ScratchFolder(Path path) implements AutoCloseable {

    /**
     * Makes it.
     *
     * @param name what its name begins with
     * @return the folder; close it
     * @throws IOException if it cannot be made
     */
    public static ScratchFolder create(String name) throws IOException {
        return new ScratchFolder(Files.createTempDirectory(name));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> walk = Files.walk(path)) {
            for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
