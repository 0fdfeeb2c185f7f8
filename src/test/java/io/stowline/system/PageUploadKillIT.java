package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.PageBlob;
import io.stowline.blob.PageBlobSettings.FileUpload;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import java.io.IOException;
import java.io.RandomAccessFile;
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

/** An upload of a sparse file whose process was killed, and what the next one sends. */
@Timeout(120)
class PageUploadKillIT extends StorageTest {

    private static final int MIB = 1 << 20;
    private static final long GIB = 1L << 30;
    private static final Duration GUARD = Duration.ofSeconds(60);
    private static final RequestMatch PAGES =
            RequestMatch.requests().method("PUT").query("comp", "page");

    @TempDir
    Path folder;

    private BlobContainer disks;

    @BeforeEach
    void create() {
        disks = storage.container(freshName());
        disks.create();
    }

    @AfterEach
    void remove() {
        disks.dropIfExists();
    }

    /** Writes a file of this size with one extent of data in each part of it. */
    private Path sparse(long size, int extents, int bytes) throws IOException {
        Path file = folder.resolve("disk.vhd");
        Random random = new Random(42);
        byte[] some = new byte[bytes];
        long part = size / extents;
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            out.setLength(size);
            for (int i = 0; i < extents; i++) {
                random.nextBytes(some);
                out.seek(i * part + (random.nextInt((int) (part - bytes)) & -4096));
                out.write(some);
            }
        }
        return file;
    }

    private Process uploading(Path file) throws IOException {
        return ForkedJvm.of(
                        PageUploadProcess.class,
                        List.of("-Xmx128m", "-XX:MaxDirectMemorySize=64m", "-XX:+UseSerialGC"),
                        connectionString(),
                        disks.name(),
                        file.toString(),
                        "disk.vhd")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("child.log").toFile())
                .start();
    }

    private static List<String> acknowledged() {
        return proxy().recorded(PAGES).stream()
                .filter(exchange -> exchange.response()
                        .filter(response -> response.status() == 201)
                        .isPresent())
                .map(RecordedExchange::request)
                .map(request -> request.header("x-ms-range"))
                .toList();
    }

    @Test
    @DisplayName("TRANSFER-1: after kill -9 in a sparse upload the next one sends no range again that is in use")
    void resumesAfterAKill() throws Exception {
        Path file = sparse(96 * MIB, 24, 300_000);
        RequestHold held = new RequestHold();
        proxy().clear();
        int passing = 3 + new Random().nextInt(15);
        FaultRule rule = proxy().when(PAGES.from(passing + 1)).holdBefore(held);
        Process process = uploading(file);
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
        List<String> before = acknowledged();
        assertThat(before).as("%d writes pass", passing).isNotEmpty();
        PageBlob disk = disks.pageBlob("disk.vhd");
        assertThat(disk.info().blob().metadata()).containsKey("stowlineunfinished");
        assertThat(disk.info().size()).isEqualTo(96 * MIB);

        proxy().clear();
        Process next = uploading(file);
        try {
            assertThat(next.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } finally {
            next.destroyForcibly();
        }

        assertThat(next.exitValue())
                .as(Files.readString(folder.resolve("child.log")))
                .isZero();
        proxy().awaitIdle(GUARD);
        assertThat(acknowledged())
                .as("after %d writes", passing)
                .doesNotContainAnyElementsOf(before)
                .doesNotHaveDuplicates();
        assertThat(proxy().recorded(RequestMatch.requests().method("PUT")).stream()
                        .filter(exchange -> !exchange.request().query().containsKey("comp")))
                .as("the blob is created once")
                .isEmpty();
        assertThat(disk.info().blob().metadata()).isEmpty();
        Path back = folder.resolve("back.vhd");
        disk.downloadTo(back);
        assertThat(Files.mismatch(file, back)).isEqualTo(-1);
    }

    @Test
    @Tag("soak")
    @Timeout(900)
    @DisplayName("TRANSFER-1: of a GiB with 5 % data little more than the data is sent, and read back")
    void sendsTheDataOfAGibibyte() throws Exception {
        int extents = 205;
        Path file = sparse(GIB, extents, 256 << 10);
        long data = (long) extents * (256 << 10);
        PageBlob disk = disks.pageBlob("disk.vhd");
        proxy().clear();

        long start = System.nanoTime();
        FileUpload upload = disk.upload(file);
        Duration took = Duration.ofNanos(System.nanoTime() - start);

        proxy().awaitIdle(GUARD);
        System.out.printf(
                "%d bytes with %d of data: %d sent in %d writes, %s%n",
                GIB, data, upload.bytesSent(), acknowledged().size(), took);
        assertThat(upload.bytesSent()).isBetween(data, data + data / 100);
        Path back = folder.resolve("back.vhd");
        start = System.nanoTime();
        disk.downloadTo(back);
        System.out.printf("read back in %s%n", Duration.ofNanos(System.nanoTime() - start));
        assertThat(Files.mismatch(file, back)).isEqualTo(-1);
    }
}
