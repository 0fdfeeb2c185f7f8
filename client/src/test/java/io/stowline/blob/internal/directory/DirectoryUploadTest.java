package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.Told;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.scheduler.Schedulers;

/** What a directory's upload does on the disk: how often it changes threads. */
@Timeout(60)
class DirectoryUploadTest {

    private static final int FILES = 40;

    private final AtomicInteger tasks = new AtomicInteger();
    private final StubBlobs blobs = new StubBlobs(asked -> Told.of(201));

    @TempDir
    private Path folder;

    @BeforeEach
    void count() {
        Schedulers.onScheduleHook(DirectoryUploadTest.class.getName(), task -> () -> {
            if (Thread.currentThread().getName().startsWith("stowline-shared-transfer")) {
                tasks.incrementAndGet();
            }
            task.run();
        });
    }

    @AfterEach
    void close() {
        Schedulers.resetOnScheduleHook(DirectoryUploadTest.class.getName());
        blobs.close();
    }

    @Test
    @DisplayName("a small file has one task on a thread for files, which looks at it, opens, reads and closes it")
    void fewTasks() throws IOException {
        for (int i = 0; i < FILES; i++) {
            Files.write(folder.resolve("file" + i), new byte[i]);
        }

        TransferReport report = blobs.container()
                .uploadDirectory(folder, "d", with -> with.overwrite(Overwrite.ALWAYS))
                .join();

        assertThat(report.transferred()).isEqualTo(FILES);
        assertThat(tasks.get()).isBetween(FILES, FILES + 5);
        assertThat(blobs.memory().now()).isZero();
    }
}
