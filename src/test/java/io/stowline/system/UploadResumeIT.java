package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An upload whose process was killed, and what the next one sends. */
@Timeout(120)
class UploadResumeIT extends StorageTest {

    private static final int MIB = 1 << 20;
    private static final int BLOCK = 4 * MIB;
    private static final int SIZE = 64 * MIB + 5;
    private static final int SMALL_BLOCK = MIB / 4;
    private static final int GIB = 1 << 30;
    private static final Duration GUARD = Duration.ofSeconds(60);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final RequestMatch BLOCKS =
            RequestMatch.requests().method("PUT").query("comp", "block");

    @TempDir
    Path folder;

    private BlobContainer photos;

    @BeforeEach
    void create() {
        photos = storage.container(freshName());
        photos.create();
    }

    @AfterEach
    void remove() {
        photos.dropIfExists();
    }

    /** Writes random bytes, of which the mask leaves so many bits. */
    private Path file(long size, int mask) throws IOException {
        Path file = folder.resolve("big.bin");
        Random random = new Random(42);
        byte[] some = new byte[MIB];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (long left = size; left > 0; left -= some.length) {
                random.nextBytes(some);
                for (int i = 0; mask != -1 && i < MIB; i++) {
                    some[i] &= (byte) mask;
                }
                out.write(some, 0, (int) Math.min(left, some.length));
            }
        }
        return file;
    }

    private Process uploading(Path file, int block, boolean gzip) throws IOException {
        return ForkedJvm.of(
                        UploadProcess.class,
                        List.of("-Xmx128m", "-XX:MaxDirectMemorySize=64m", "-XX:+UseSerialGC"),
                        connectionString(),
                        photos.name(),
                        file.toString(),
                        "big.bin",
                        String.valueOf(block),
                        String.valueOf(gzip))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("child.log").toFile())
                .start();
    }

    private static List<String> blocks(List<RecordedExchange> exchanges) {
        return exchanges.stream()
                .filter(exchange -> exchange.response()
                        .filter(response -> response.status() == 201)
                        .isPresent())
                .map(exchange -> exchange.request().query().get("blockid"))
                .toList();
    }

    @Test
    @DisplayName("TRANSFER-1: after kill -9 the next upload sends no block again that the service has acknowledged")
    void resumesAfterAKill() throws Exception {
        resumed(file(SIZE, -1), 3 + new Random().nextInt(10), BLOCK, false);
    }

    @Test
    @DisplayName("TRANSFER-1: after kill -9 the next upload of compressed content sends no block again")
    void resumesCompressedContent() throws Exception {
        resumed(file(12 * MIB + 5, 0x0F), 3 + new Random().nextInt(10), SMALL_BLOCK, true);
        assertThat(photos.info("big.bin").headers().contentEncoding()).isEqualTo("gzip");
    }

    @Test
    @Tag("soak")
    @Timeout(900)
    @DisplayName("TRANSFER-1, TRANSFER-3: the same of a GiB, whose rest another process with little memory sends")
    void resumesAGibibyte() throws Exception {
        resumed(file(GIB, -1), 100 + new Random().nextInt(100), BLOCK, false);
    }

    private void resumed(Path file, int passing, int block, boolean gzip) throws Exception {
        RequestHold held = new RequestHold();
        proxy().clear();
        FaultRule rule = proxy().when(BLOCKS.from(passing + 1)).holdBefore(held);
        List<String> acknowledged;
        Process process = uploading(file, block, gzip);
        try {
            held.awaitArrived(GUARD);
            process.destroyForcibly();
            assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
            rule.remove();
            held.release();
        }
        proxy().awaitIdle(GUARD);
        acknowledged = blocks(proxy().recorded(BLOCKS));
        assertThat(acknowledged).as("%d blocks pass", passing).hasSizeGreaterThanOrEqualTo(1);
        assertThat(photos.exists("big.bin")).isFalse();

        proxy().clear();
        Process next = uploading(file, block, gzip);
        try {
            assertThat(next.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            next.destroyForcibly();
        }

        assertThat(next.exitValue())
                .as(Files.readString(folder.resolve("child.log")))
                .isZero();
        long size = photos.info("big.bin").size();
        assertThat(blocks(proxy().recorded(BLOCKS)))
                .doesNotContainAnyElementsOf(acknowledged)
                .hasSize((int) ((size + block - 1) / block) - acknowledged.size());
        Path back = folder.resolve("back.bin");
        photos.downloadTo("big.bin", back);
        assertThat(Files.mismatch(file, back)).isEqualTo(-1);
    }
}
