package io.stowline.system;

import java.nio.file.Files;
import java.nio.file.Path;

/** The places of the project's own files. */
public final class Project {

    private Project() {}

    public static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("CHANGELOG.md"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException(
                        "no folder above " + Path.of("").toAbsolutePath() + " holds CHANGELOG.md");
            }
        }
        return folder;
    }
}
