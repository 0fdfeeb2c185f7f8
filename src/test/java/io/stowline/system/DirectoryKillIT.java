package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Directories whose process is killed while it uploads one and downloads another, and what the next run sends. */
@AzuriteTest
@Timeout(600)
class DirectoryKillIT {

    private static final Duration GUARD = Duration.ofSeconds(60);
    private static final RequestMatch PUTS =
            RequestMatch.requests().method("PUT").path("**/up%2F**");
    private static final RequestMatch GETS =
            RequestMatch.requests().method("GET").path("**/down%2F**");
    private static final RequestMatch CONTENT = RequestMatch.requests()
            .when("uploads and downloads", request -> request.path().contains("%2F"));

    private static final int PARALLELISM = 16;

    private final String name = "k" + UUID.randomUUID().toString().substring(0, 20);

    @TempDir
    Path folder;

    private Path source;
    private Path target;

    @BeforeEach
    void folders() throws IOException {
        source = Files.createDirectory(folder.resolve("source"));
        target = Files.createDirectory(folder.resolve("target"));
    }

    private void files(int count, Random random) throws IOException {
        for (int i = 0; i < count; i++) {
            byte[] content = new byte[random.nextInt(4_096)];
            random.nextBytes(content);
            Path file = source.resolve("d%02d/f%d".formatted(i % 37, i));
            Files.createDirectories(file.getParent());
            Files.write(file, content);
        }
    }

    private static Map<String, ByteBuffer> contents(Path root) throws IOException {
        Map<String, ByteBuffer> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                found.put(root.relativize(path).toString(), ByteBuffer.wrap(Files.readAllBytes(path)));
            }
        }
        return found;
    }

    /** The files with a final name: the part of a small file may stay behind when its process is killed. */
    private static Map<String, ByteBuffer> finished(Path root) throws IOException {
        Map<String, ByteBuffer> found = contents(root);
        found.keySet().removeIf(file -> Path.of(file).getFileName().toString().startsWith(".stowline-"));
        return found;
    }

    private Process start(FaultProxy proxy) throws IOException {
        return ForkedJvm.of(
                        DirectoryProcess.class,
                        List.of("-Xmx256m", "-XX:+UseSerialGC"),
                        proxy.storage().connectionString(),
                        name,
                        source.toString(),
                        target.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("child.log").toFile())
                .start();
    }

    /** Kills a process once so many uploads and downloads have passed the proxy. */
    private void kill(FaultProxy proxy, int passing) throws Exception {
        // The emulator takes up to 14 ms for a request where 30,000 blobs lie.
        Duration patience = GUARD.plusMillis(30L * passing);
        RequestHold hold = new RequestHold();
        FaultRule rule = proxy.when(CONTENT.from(passing + 1)).holdBefore(hold);
        Process process = start(proxy);
        try {
            hold.awaitArrived(patience);
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
            rule.remove();
            hold.release();
        }
        proxy.awaitIdle(GUARD);
    }

    private static Set<String> blobs(BlobContainer container) {
        try (Stream<BlobInfo> all = container.stream("up/")) {
            return all.map(blob -> blob.name().substring("up/".length()))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static List<String> requested(FaultProxy proxy, RequestMatch requests, String prefix) {
        return proxy.recorded(requests).stream()
                .map(exchange -> exchange.request().path())
                .map(path -> URLDecoder.decode(path, StandardCharsets.UTF_8))
                .map(path -> path.substring(path.indexOf(prefix) + prefix.length()))
                .toList();
    }

    private void killed(Azurite azurite, int count) throws Exception {
        Random random = new Random(count);
        files(count, random);
        Map<String, ByteBuffer> contents = contents(source);
        try (FaultProxy proxy = FaultProxy.builder()
                        .inFrontOf(azurite)
                        .recordedExchanges(3 * count)
                        .start();
                Stowline storage = Stowline.connect(proxy.storage().connectionString())) {
            BlobContainer container = storage.container(name);
            container.create();
            container.uploadDirectory(source, "down/", with -> with).join();

            kill(proxy, count / 2 + random.nextInt(count / 2));

            Set<String> sent = blobs(container);
            Map<String, ByteBuffer> fetched = finished(target);
            assertThat(sent.size() + fetched.size()).isBetween(1, 2 * count - 1);
            assertThat(contents.entrySet().containsAll(fetched.entrySet()))
                    .as("files with a final name are whole")
                    .isTrue();

            proxy.clear();
            TransferReport up = container
                    .uploadDirectory(source, "up/", with -> with.overwrite(Overwrite.IF_DIFFERENT))
                    .join();
            TransferReport down = container
                    .downloadDirectory("down/", target, with -> with.overwrite(Overwrite.IF_DIFFERENT))
                    .join();

            assertThat(up.unchanged()).isEqualTo(sent.size());
            Set<String> unsent = new TreeSet<>(contents.keySet());
            unsent.removeAll(sent);
            assertThat(requested(proxy, PUTS, "/up/").stream().sorted().toList())
                    .isEqualTo(List.copyOf(unsent));
            List<String> again = requested(proxy, GETS, "/down/");
            assertThat(down.transferred()).isEqualTo(again.size());
            Set<String> twice = new TreeSet<>(again);
            twice.retainAll(fetched.keySet());
            assertThat(twice).as("files without their time yet").hasSizeLessThanOrEqualTo(PARALLELISM);
            assertThat(finished(target).equals(contents))
                    .as("all files are there, whole")
                    .isTrue();

            Path back = Files.createDirectory(folder.resolve("back"));
            container.downloadDirectory("up/", back, with -> with).join();
            assertThat(contents(back).equals(contents)).isTrue();
        }
    }

    @Test
    @DisplayName("TRANSFER-1, TRANSFER-2: after kill -9 a run over directories sends only what is missing")
    void killedInTheMiddle(Azurite azurite) throws Exception {
        killed(azurite, 150);
    }

    @Test
    @Timeout(3_600)
    @Tag("soak")
    @DisplayName(
            "TRANSFER-1, TRANSFER-2: after kill -9 a run over directories of 10,000 files sends only what is missing")
    void killedInTheMiddleOfMany(Azurite azurite) throws Exception {
        killed(azurite, 10_000);
    }
}
