package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.Transfer;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferReport;
import io.stowline.blob.internal.base.FileTasks;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.error.ClosedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The changes of threads of a directory's upload. */
@Timeout(60)
class DirectoryUploadTest {

    private static final int FILES = 40;
    private static final int PARALLEL = 4;

    private final CountDownLatch goOn = new CountDownLatch(1);
    private final FileTasks tasks = new FileTasks();
    private final StubBlobs blobs = new StubBlobs(requested -> BlobStubResponse.of(201));

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        tasks.close();
        blobs.close();
    }

    private void files() throws IOException {
        for (int i = 0; i < FILES; i++) {
            Files.write(folder.resolve("file" + i), new byte[i]);
        }
    }

    /** An upload whose requests have come to the server, which responds to them later. */
    private Transfer inFlight(UnaryOperator<DirectorySettings.Builder> failures) throws IOException {
        files();
        CountDownLatch sent = new CountDownLatch(PARALLEL);
        blobs.respond(requested -> {
            sent.countDown();
            StubBlobs.await(goOn);
            return BlobStubResponse.of(201);
        });
        Transfer transfer = blobs.container().uploadDirectory(folder, "d", with -> failures.apply(with)
                .overwrite(Overwrite.ALWAYS)
                .parallelism(PARALLEL));
        StubBlobs.await(sent);
        return transfer;
    }

    @Test
    @DisplayName("a small file has one task on a thread for files, which looks at it, opens, reads and closes it")
    void fewTasks() throws IOException {
        files();

        TransferReport report = blobs.container()
                .uploadDirectory(folder, "d", with -> with.overwrite(Overwrite.ALWAYS))
                .join();

        assertThat(report.transferred()).isEqualTo(FILES);
        assertThat(tasks.run()).isBetween(FILES, FILES + 5);
        assertThat(blobs.memory().now()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("TRANSFER-4: the blobs that the close of the client cuts short are cancelled, not failed")
    void cutInFlight(boolean collecting) throws IOException {
        Transfer transfer = inFlight(with -> collecting ? with.collectFailures() : with);

        blobs.abandon();

        TransferFailedException end = catchThrowableOfType(TransferFailedException.class, transfer::join);
        goOn.countDown();
        assertThat(end.report().failed()).isZero();
        assertThat(end.report().cancelled()).isEqualTo(PARALLEL);
    }

    @Test
    @DisplayName("a wait that ends before the transfer leaves nothing behind")
    void shortWaits() throws IOException {
        Transfer transfer = inFlight(with -> with);
        for (int i = 0; i < 100; i++) {
            assertThat(transfer.join(Duration.ofNanos(1))).isEmpty();
            transfer.whenComplete().subscribe().dispose();
        }

        assertThat(transfer)
                .extracting("end", type(CompletableFuture.class))
                .satisfies(end -> assertThat(end.getNumberOfDependents()).isOne());
        goOn.countDown();
        assertThat(transfer.join().transferred()).isEqualTo(FILES);
        assertThat(transfer.join(Duration.ZERO)).isPresent();
        assertThat(transfer.whenComplete().block().transferred()).isEqualTo(FILES);
    }

    @Test
    @DisplayName("TRANSFER-4: the blobs in flight when the client is closed arrive, and no other one begins")
    void closedInFlight() throws IOException {
        Transfer transfer = inFlight(with -> with);

        CompletableFuture<Void> closing = blobs.closing();
        goOn.countDown();
        closing.join();

        TransferFailedException end = catchThrowableOfType(TransferFailedException.class, transfer::join);
        assertThat(end).hasCauseInstanceOf(ClosedException.class);
        assertThat(end.report().transferred()).isEqualTo(PARALLEL);
        assertThat(end.report().cancelled()).isZero();
        assertThat(blobs.requested()).hasSize(PARALLEL);
        assertThat(blobs.memory().now()).isZero();
    }
}
