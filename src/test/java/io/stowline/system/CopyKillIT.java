package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.error.ConflictException;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.RecordedExchange;
import io.stowline.testkit.RequestHold;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A copy in blocks whose process is killed at a chosen request, over an account in memory, since the emulator has no such copies. */
@Timeout(120)
class CopyKillIT {

    private static final Duration GUARD = Duration.ofSeconds(60);
    private static final int BLOCKS = 20;
    private static final RequestMatch STAGED =
            RequestMatch.requests().method("PUT").query("comp", "block");
    private static final RequestMatch COMMITS =
            RequestMatch.requests().method("PUT").query("comp", "blocklist");

    private final byte[] content = new byte[BLOCKS * CopyProcess.BLOCK - 1];

    @TempDir
    Path folder;

    private MemoryServer server;
    private FaultProxy proxy;
    private Stowline storage;
    private BlobContainer photos;

    @BeforeEach
    void start() throws IOException {
        server = new MemoryServer(MemoryStorage.create());
        proxy = FaultProxy.builder().inFrontOf(server.endpoint()).start();
        storage = Stowline.connect(server.connectionString(proxy.endpoint()));
        photos = storage.container("photos");
        photos.create();
        new Random(42).nextBytes(content);
        photos.upload(content, "disk");
        proxy.clear();
    }

    @AfterEach
    void stop() {
        storage.close();
        proxy.close();
        server.close();
    }

    private void killAt(FaultRule rule, RequestHold hold) throws Exception {
        Process process = ForkedJvm.of(
                        CopyProcess.class,
                        List.of("-Xmx128m", "-XX:+UseSerialGC"),
                        server.connectionString(proxy.endpoint()),
                        "photos",
                        "disk",
                        "target")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("child.log").toFile())
                .start();
        try {
            hold.awaitArrived(GUARD);
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)).isTrue();
            rule.remove();
            hold.release();
        }
        proxy.awaitIdle(GUARD);
    }

    private List<String> staged() {
        return proxy.recorded(STAGED).stream()
                .filter(exchange -> exchange.response()
                        .filter(response -> response.status() == 201)
                        .isPresent())
                .map(RecordedExchange::request)
                .map(request -> request.header("x-ms-source-range"))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"1, true", "1, false", "7, true", "12, false", "20, true", "20, false"})
    @DisplayName("TRANSFER-1, COPY-1: after kill -9 at a block there is no target, and the next run copies the rest")
    void atABlock(int number, boolean before) throws Exception {
        RequestHold hold = new RequestHold();
        RequestMatch block = STAGED.nth(number);
        killAt(before ? proxy.when(block).holdBefore(hold) : proxy.when(block).holdAfter(hold), hold);
        List<String> left = staged();
        assertThat(photos.exists("target")).isFalse();
        assertThat(left).hasSizeGreaterThanOrEqualTo(number - 2);

        proxy.clear();
        CopyProcess.copy(photos, "disk", "target");

        int sent = staged().size();
        assertThat(staged()).noneMatch(left::contains);
        assertThat(sent)
                .as("a block without a response may be there")
                .isBetween(BLOCKS - left.size() - 1, BLOCKS - left.size());
        assertThat(proxy.recorded(COMMITS)).hasSize(1);
        assertThat(photos.download("target")).isEqualTo(content);
    }

    @Test
    @DisplayName(
            "COPY-1: after kill -9 before the commit there is no target or a whole one, and no block is sent again")
    void beforeTheCommit() throws Exception {
        RequestHold hold = new RequestHold();
        killAt(proxy.when(COMMITS).holdBefore(hold), hold);
        assertThat(staged()).hasSize(BLOCKS);
        boolean arrived = photos.exists("target");

        proxy.clear();
        if (!arrived) {
            CopyProcess.copy(photos, "disk", "target");
        }
        assertThat(staged()).isEmpty();
        assertThat(photos.download("target")).isEqualTo(content);
    }

    @Test
    @DisplayName("COPY-1: after kill -9 behind the commit the target is whole, and the next run finds it")
    void behindTheCommit() throws Exception {
        RequestHold hold = new RequestHold();
        killAt(proxy.when(COMMITS).holdAfter(hold), hold);
        assertThat(photos.download("target")).isEqualTo(content);

        proxy.clear();
        assertThat(catchThrowable(() -> CopyProcess.copy(photos, "disk", "target")))
                .isInstanceOf(ConflictException.class);
        assertThat(staged()).isEmpty();
        assertThat(photos.download("target")).isEqualTo(content);
    }

    @Test
    @DisplayName(
            "COPY-1: a source that changes after a kill is copied in its new version, with no block of the old one")
    void changedSource() throws Exception {
        RequestHold hold = new RequestHold();
        killAt(proxy.when(STAGED.nth(10)).holdBefore(hold), hold);
        new Random(43).nextBytes(content);
        photos.upload(content, "disk", o -> o.overwrite());

        proxy.clear();
        CopyProcess.copy(photos, "disk", "target");

        assertThat(staged()).hasSize(BLOCKS);
        assertThat(photos.download("target")).isEqualTo(content);
    }
}
