package io.stowline.testkit.internal;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A {@code package.json} with its {@code package-lock.json}, identified by the hash of the lock. */
public final class NpmManifest {

    private final String name;
    private final byte[] packageJson;
    private final byte[] packageLock;

    NpmManifest(String name, byte[] packageJson, byte[] packageLock) {
        this.name = name;
        this.packageJson = packageJson;
        this.packageLock = packageLock;
    }

    /**
     * Reads both files from the class path.
     *
     * @param anchor the class beside whose package the folder is looked up
     * @param folder the folder, relative to the anchor's package or absolute with a leading slash
     * @return the manifest, named after the folder
     */
    public static NpmManifest load(Class<?> anchor, String folder) {
        try {
            return new NpmManifest(
                    folder.substring(folder.lastIndexOf('/') + 1),
                    Resources.read(anchor, folder + "/package.json"),
                    Resources.read(anchor, folder + "/package-lock.json"));
        } catch (FileNotFoundException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String name() {
        return name;
    }

    String hash() {
        return Resources.sha256(packageLock);
    }

    void writeTo(Path folder) throws IOException {
        Files.write(folder.resolve("package.json"), packageJson);
        Files.write(folder.resolve("package-lock.json"), packageLock);
    }
}
