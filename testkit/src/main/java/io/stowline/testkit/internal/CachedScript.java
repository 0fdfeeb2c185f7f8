package io.stowline.testkit.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

/** A script resource that is put where {@code node} can read it: a file of the cache, named by the script's hash. */
final class CachedScript {

    private CachedScript() {}

    static Path of(Path cache, Class<?> anchor, String resource) throws IOException {
        byte[] script = Resources.read(anchor, resource);
        Path folder = cache.resolve("scripts");
        PrivateFolder.make(folder);
        Path file = folder.resolve(Resources.sha256(script) + ".js");
        if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), script)) {
            return file;
        }
        Path part = Files.createTempFile(folder, "script", ".part");
        try {
            Files.write(part, script);
            // Several processes may get here at once; each brings the same content, so the last rename may win.
            return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
