package io.stowline.system;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A file system in memory with few bytes. A test that needs one is skipped where this process cannot mount it. */
final class SmallDisk implements AutoCloseable {

    private final Path folder;

    private SmallDisk(Path folder) {
        this.folder = folder;
    }

    static SmallDisk mount(Path folder, String size) throws IOException {
        Files.createDirectories(folder);
        assumeThat(runs("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString()))
                .as("this process may mount a file system")
                .isTrue();
        return new SmallDisk(folder);
    }

    /** Refuses all writes from now on; no file may be open. */
    void readOnly() {
        assumeThat(runs("mount", "-o", "remount,ro", folder.toString()))
                .as("this process may remount a file system")
                .isTrue();
    }

    private static boolean runs(String... command) {
        try {
            Process process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException absent) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        runs("umount", "-l", folder.toString());
    }
}
