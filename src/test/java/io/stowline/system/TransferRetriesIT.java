package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.TransferProgress;
import io.stowline.testkit.RequestMatch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests of transfers that are sent again, and what the progress says of them. */
@Timeout(60)
class TransferRetriesIT extends StorageTest {

    private static final int SMALL = 64 * 1024;
    private static final RequestMatch BLOCKS =
            RequestMatch.requests().method("PUT").query("comp", "block");
    private static final RequestMatch RANGES =
            RequestMatch.requests().method("GET").header("x-ms-range", sent -> true);

    @TempDir
    Path folder;

    private BlobContainer photos;

    @BeforeEach
    void create() {
        photos = storage.container(freshName());
        photos.create();
        proxy().clear();
    }

    @AfterEach
    void remove() {
        proxy().clear();
        photos.dropIfExists();
    }

    /** The progress at the end of a transfer. */
    private static TransferProgress end(Consumer<Consumer<TransferProgress>> transfer) throws Exception {
        CompletableFuture<TransferProgress> end = new CompletableFuture<>();
        transfer.accept(state -> {
            if (state.blobsDone() == 1) {
                end.complete(state);
            }
        });
        return end.get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("TRANSFER-7: the progress of an upload counts the requests that are sent again")
    void countsThoseOfUploads() throws Exception {
        byte[] content = new byte[4 * SMALL];
        Path file = Files.write(folder.resolve("a"), content);
        proxy().when(BLOCKS.nth(2)).reset();
        proxy().when(BLOCKS.nth(3)).reset();
        TransferProgress ofFile = end(listener -> photos.upload(
                file, "a", with -> with.blockSize(SMALL).parallelism(1).progress(listener)));
        proxy().clear();
        proxy().when(BLOCKS.nth(1)).reset();
        TransferProgress ofStream =
                end(listener -> photos.upload(new ByteArrayInputStream(content), "b", with -> with.blockSize(SMALL)
                        .progress(listener)));
        proxy().clear();
        proxy().when(RequestMatch.requests().method("PUT").path("**/c").nth(1)).reset();
        TransferProgress ofBytes = end(listener -> photos.upload(content, "c", with -> with.progress(listener)));
        TransferProgress undisturbed = end(listener -> photos.upload(content, "d", with -> with.progress(listener)));

        assertThat(ofFile.retries()).isEqualTo(2);
        assertThat(ofStream.retries()).isOne();
        assertThat(ofBytes.retries()).isOne();
        assertThat(undisturbed.retries()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-7: the progress of a download counts the requests that are sent again")
    void countsThoseOfDownloads() throws Exception {
        photos.upload(new byte[4 * SMALL], "a");
        proxy().when(RANGES.nth(1)).reset();
        proxy().when(RANGES.nth(4)).reset();
        TransferProgress toFile = end(listener -> photos.downloadTo(
                "a", folder.resolve("a"), with -> with.rangeSize(SMALL).progress(listener)));
        proxy().clear();
        proxy().when(RANGES.nth(2)).reset();
        TransferProgress toStream = end(listener -> photos.downloadTo(
                "a", new ByteArrayOutputStream(), with -> with.rangeSize(SMALL).progress(listener)));
        proxy().clear();
        proxy().when(RANGES.nth(3)).reset();
        TransferProgress toMemory = end(
                listener -> photos.download("a", with -> with.rangeSize(SMALL).progress(listener)));

        assertThat(toFile.retries()).isEqualTo(2);
        assertThat(toStream.retries()).isOne();
        assertThat(toMemory.retries()).isOne();
    }
}
