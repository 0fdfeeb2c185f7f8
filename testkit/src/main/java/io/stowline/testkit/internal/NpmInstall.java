package io.stowline.testkit.internal;

import io.stowline.testkit.TestkitException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An installer of the packages of a lock file into a folder of the cache, once, whole or not at all. A folder that is not as the installation left
 * it is installed again, and takes the place of the old one when it is complete. Only this user can write to the folders.
 */
public final class NpmInstall {

    private static final Logger LOG = LoggerFactory.getLogger(NpmInstall.class);
    static final String PART = ".part-";

    private final NpmManifest manifest;
    private final Path cache;
    private final NodeTools tools;
    private final Duration timeout;

    /**
     * Prepares an installation.
     *
     * @param cache the cache folder
     * @param tools where {@code npm} is found
     * @param timeout how long {@code npm} may run
     */
    public NpmInstall(NpmManifest manifest, Path cache, NodeTools tools, Duration timeout) {
        this.manifest = manifest;
        this.cache = cache.resolve("npm");
        this.tools = tools;
        this.timeout = timeout;
    }

    /**
     * Installs unless that was done before.
     *
     * @return the folder that holds {@code node_modules}
     */
    public Path run() {
        Path target = cache.resolve(manifest.hash());
        try {
            PrivateFolder.make(cache);
            if (new FolderSeal(target).isUntouched()) {
                return target;
            }
            return new MachineLock(cache.resolve(manifest.hash() + ".lock"))
                    .locked(lock -> isGood(target) ? target : install(target));
        } catch (IOException e) {
            throw new TestkitException("cannot install " + manifest.name() + " into " + target + ": " + e, e);
        }
    }

    // Another process may have installed it while this one waited for the lock.
    private static boolean isGood(Path target) throws IOException {
        FolderSeal seal = new FolderSeal(target);
        return seal.isUntouched() || seal.hasSameContent();
    }

    private Path install(Path target) throws IOException {
        Path npm = tools.npm();
        deleteLeftovers();
        if (Files.exists(target)) {
            LOG.warn("{} is not as its installation left it, and is installed again", target);
        }
        LOG.info("installing {} from npm into {}, once", manifest.name(), target);
        Path part = Files.createTempDirectory(cache, manifest.hash() + PART);
        try {
            manifest.writeTo(part);
            runNpm(npm, part);
            new FolderSeal(part).set();
            replace(target, part);
            return target;
        } finally {
            TestkitFolders.delete(part);
        }
    }

    private void replace(Path target, Path part) throws IOException {
        Path old = Files.createTempDirectory(cache, manifest.hash() + PART);
        try {
            if (Files.exists(target)) {
                Files.move(target, old.resolve("old"), StandardCopyOption.ATOMIC_MOVE);
            }
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            TestkitFolders.delete(old);
        }
    }

    // Only the holder of the lock makes such folders, so these belong to processes that died.
    private void deleteLeftovers() throws IOException {
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(cache, manifest.hash() + PART + "*")) {
            for (Path part : parts) {
                TestkitFolders.delete(part);
            }
        }
    }

    private void runNpm(Path npm, Path part) throws IOException {
        Path output = cache.resolve(manifest.hash() + ".log");
        ProcessBuilder command = new ProcessBuilder(npm.toString(), "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                .directory(part.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        String ending = await(tools.launcher().start(command));
        if (!ending.isEmpty() || !Files.isDirectory(part.resolve("node_modules"))) {
            throw new TestkitException("npm ci of " + manifest.name() + " "
                    + (ending.isEmpty() ? "left no node_modules" : ending) + "; its output is kept in " + output
                    + " and ends with:\n" + OutputLog.tail(Files.readString(output)));
        }
        Files.delete(output);
    }

    private String await(Process process) throws IOException {
        process.getOutputStream().close();
        try {
            if (process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue() == 0 ? "" : "failed with exit code " + process.exitValue();
            }
            return "did not end within " + timeout.toSeconds() + " s";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while npm ran");
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
