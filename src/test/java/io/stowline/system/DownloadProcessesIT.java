package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Downloads in processes that are killed, and in one with little memory. */
@AzuriteTest
@Timeout(600)
class DownloadProcessesIT {

    private static final int MIB = 1 << 20;
    private static final int PARALLELISM = 4;

    /** A range has 2 MiB with this heap. */
    private static final String SMALL_HEAP = "-Xmx128m";

    private static final String SMALL_DIRECT = "-XX:MaxDirectMemorySize=64m";
    private static final Duration LONG = Duration.ofMinutes(4);

    private final String name = "d" + UUID.randomUUID().toString().substring(0, 20);
    private final List<Process> processes = new ArrayList<>();

    @TempDir
    Path folder;

    @AfterEach
    void end() {
        processes.forEach(Process::destroyForcibly);
    }

    /** A file, since a GiB does not fit into the heap of the tests. */
    private Path upload(Azurite azurite, int bytes) throws IOException {
        Path source = folder.resolve("source");
        Random random = new Random(bytes);
        byte[] some = new byte[MIB];
        try (OutputStream out = Files.newOutputStream(source)) {
            for (int left = bytes; left > 0; left -= some.length) {
                random.nextBytes(some);
                out.write(some, 0, Math.min(left, some.length));
            }
        }
        try (Stowline storage = Stowline.connect(azurite.connectionString())) {
            BlobContainer container = storage.container(name);
            container.create();
            container.upload(source, "big");
        }
        return source;
    }

    private Process start(FaultProxy proxy, String log, int files, String... options) throws IOException {
        Process process = ForkedJvm.of(
                        DownloadWorker.class,
                        List.of(options),
                        proxy.storage().connectionString(),
                        name,
                        folder.resolve("big").toString(),
                        String.valueOf(files))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(log).toFile())
                .start();
        processes.add(process);
        return process;
    }

    private void assertContent(String file, Path source) throws IOException {
        assertThat(Files.mismatch(folder.resolve(file), source))
                .as("first byte of %s that differs", file)
                .isEqualTo(-1);
    }

    private static long start(String range) {
        return Long.parseLong(range.substring("bytes=".length(), range.indexOf('-')));
    }

    /** Each process is killed with all requests from one range on held, so that a slow kill lets none of them through. */
    private void killed(Azurite azurite, int bytes) throws Exception {
        Path source = upload(azurite, bytes);
        int range = 2 * MIB;
        int ranges = bytes / range;
        Random random = new Random(7);
        RequestMatch gets = RequestMatch.requests().method("GET").path("**/big");
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            for (int kill = 0; kill < 3; kill++) {
                long from = (long) (ranges / 4 * (kill + 1) + random.nextInt(ranges / 8)) * range;
                RequestHold hold = new RequestHold();
                FaultRule rule = proxy.when(
                                RequestMatch.requests().method("GET").header("x-ms-range", sent -> start(sent) >= from))
                        .holdBefore(hold);
                Process process = start(proxy, "kill" + kill, 1, SMALL_HEAP, SMALL_DIRECT);
                hold.awaitArrived(LONG);
                process.destroyForcibly();
                assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
                hold.release();
                rule.remove();
                assertThat(folder.resolve("big0")).doesNotExist();
            }
            Process last = start(proxy, "last", 1, SMALL_HEAP, SMALL_DIRECT);
            assertThat(last.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

            assertThat(last.exitValue())
                    .as(Files.readString(folder.resolve("last")))
                    .isZero();
            assertContent("big0", source);
            assertThat(proxy.recorded(gets)).hasSizeBetween(ranges, ranges + 3 * PARALLELISM);
        }
        assertThat(Files.readString(folder.resolve("last"))).doesNotContain("done 0");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.filter(file -> file.getFileName().toString().startsWith(".stowline")))
                    .isEmpty();
        }
    }

    @Test
    @DisplayName("TRANSFER-2: a download that is killed three times requests at most one range per worker again")
    void killedInTheMiddle(Azurite azurite) throws Exception {
        killed(azurite, 32 * MIB);
    }

    @Test
    @Tag("soak")
    @DisplayName(
            "TRANSFER-2: a download of a GiB that is killed three times requests at most one range per worker again")
    void killedInTheMiddleOfMuch(Azurite azurite) throws Exception {
        killed(azurite, 1 << 30);
    }

    @Test
    @DisplayName("TRANSFER-3: 20 downloads at once fit into a heap of 128 MiB and 64 MiB of direct memory")
    void littleMemory(Azurite azurite) throws Exception {
        Path source = upload(azurite, 16 * MIB);
        Process process;
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            process = start(proxy, "small", 20, SMALL_HEAP, SMALL_DIRECT);
            assertThat(process.waitFor(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        String log = Files.readString(folder.resolve("small"));
        assertThat(log).doesNotContain("OutOfMemory");
        assertThat(process.exitValue()).as(log).isZero();
        for (int i = 0; i < 20; i++) {
            assertContent("big" + i, source);
            Files.delete(folder.resolve("big" + i));
        }
    }
}
