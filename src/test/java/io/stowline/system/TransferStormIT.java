package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport;
import io.stowline.retry.Backoff;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.StubResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers over a line that cuts, loses and refuses one request of ten. */
@AzuriteTest
@Timeout(300)
class TransferStormIT {

    private static final int KIB = 1 << 10;
    private static final int SIZE = 1_500 * KIB + 7;
    private static final int BLOCK = 64 * KIB;
    private static final int FILES = 30;
    private static final double CHANCE = 0.025;
    private static final RequestMatch CONTENT = RequestMatch.requests()
            .when(
                    "content of blobs",
                    request -> request.path().contains("/big") || request.path().contains("%2F"));

    @TempDir
    Path folder;

    private static void storm(FaultProxy proxy) {
        proxy.when(CONTENT.chance(CHANCE)).reset();
        proxy.when(CONTENT.chance(CHANCE)).loseResponse();
        proxy.when(CONTENT.chance(CHANCE)).respond(StubResponse.error(503, "ServerBusy", "busy"));
        proxy.when(RequestMatch.requests()
                        .method("GET")
                        .header("x-ms-range", sent -> true)
                        .chance(2 * CHANCE))
                .cutResponse(1_000);
        proxy.when(RequestMatch.requests()
                        .method("PUT")
                        .query("comp", "blocklist")
                        .nth(1))
                .loseResponse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    @DisplayName("TRANSFER-1, TRANSFER-2, TRANSFER-4: whatever the line does, all content arrives as it was sent")
    void allContentArrives(long seed, Azurite azurite) throws IOException {
        byte[] content = new byte[SIZE];
        new Random(seed).nextBytes(content);
        Path source = Files.createDirectory(folder.resolve("source"));
        for (int i = 0; i < FILES; i++) {
            Files.write(source.resolve("f" + i), Arrays.copyOf(content, i * 700));
        }
        try (FaultProxy proxy =
                        FaultProxy.builder().inFrontOf(azurite).seed(seed).start();
                Stowline storage = Stowline.builder()
                        .connectionString(proxy.storage().connectionString())
                        .retry(with -> with.retries(12).backoff(Backoff.fixed(Duration.ofMillis(5))))
                        .build()) {
            BlobContainer photos =
                    storage.container("s" + UUID.randomUUID().toString().substring(0, 20));
            photos.create();
            storm(proxy);

            photos.upload(content, "big", with -> with.blockSize(BLOCK));
            photos.upload(new ByteArrayInputStream(content), "big2", with -> with.blockSize(BLOCK));
            photos.downloadTo("big", folder.resolve("big"), with -> with.rangeSize(BLOCK));
            byte[] read = photos.download("big2", with -> with.rangeSize(BLOCK));
            TransferReport up = photos.uploadDirectory(source, "d", with -> with.overwrite(Overwrite.ALWAYS)
                            .collectFailures())
                    .join();
            Path back = folder.resolve("back");
            TransferReport down = photos.downloadDirectory("d", back, with -> with.collectFailures())
                    .join();

            assertThat(Arrays.equals(Files.readAllBytes(folder.resolve("big")), content))
                    .isTrue();
            assertThat(Arrays.equals(read, content)).isTrue();
            assertThat(up.failures()).isEmpty();
            assertThat(down.failures()).isEmpty();
            assertThat(down.transferred()).isEqualTo(FILES);
            for (int i = 0; i < FILES; i++) {
                assertThat(Files.readAllBytes(back.resolve("f" + i))).isEqualTo(Arrays.copyOf(content, i * 700));
            }
        }
    }
}
