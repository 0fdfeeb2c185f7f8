package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.CachedContainer;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport;
import io.stowline.caching.Freshness;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Compressed content on Azurite: single blobs and directories. */
@Timeout(120)
class GzipIT extends StorageTest {

    private static final byte[] TEXT =
            "one line of a log as others, ".repeat(20_000).getBytes(StandardCharsets.UTF_8);

    private BlobContainer logs;
    private BlobContainer archive;

    @TempDir
    private Path folder;

    @BeforeEach
    void create() {
        logs = storage.container("gzip" + UUID.randomUUID());
        logs.create();
        archive = storage.container("gzip" + UUID.randomUUID());
        archive.create();
    }

    @AfterEach
    void remove() {
        logs.drop();
        archive.drop();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    @Test
    @DisplayName("A1: a blob is stored as gzip in one request or in blocks, and comes back")
    void oneBlob() throws IOException {
        for (int blockSize : new int[] {500, 1 << 20}) {
            logs.upload(new ByteArrayInputStream(TEXT), "a.log", o -> o.gzip()
                    .overwrite()
                    .blockSize(blockSize));
            BlobInfo info = logs.info("a.log");

            assertThat(info.headers().contentEncoding()).isEqualTo("gzip");
            assertThat(info.metadata()).isEmpty();
            assertThat(info.size()).isLessThan(TEXT.length / 20);
            byte[] stored = logs.download("a.log", o -> o.asStored());
            assertThat(new GZIPInputStream(new ByteArrayInputStream(stored)).readAllBytes())
                    .isEqualTo(TEXT);
            assertThat(logs.download("a.log")).isEqualTo(TEXT);
            assertThat(logs.open("a.log").readAllBytes()).isEqualTo(TEXT);
        }
        logs.snapshot("a.log");
        assertThat(logs.revisions("a.log").findFirst().orElseThrow().download()).isEqualTo(TEXT);
    }

    private TransferReport up(Overwrite overwrite, boolean byMd5) {
        return logs.uploadDirectory(folder.resolve("in"), "d", o -> {
                    o.overwrite(overwrite).upload((name, u) -> u.gzip());
                    return byMd5 ? o.compareMd5() : o;
                })
                .join();
    }

    private TransferReport down(String to, boolean byMd5, boolean asStored) {
        return logs.downloadDirectory("d", folder.resolve(to), o -> {
                    o.overwrite(Overwrite.IF_DIFFERENT);
                    o = asStored ? o.asStored() : o;
                    return byMd5 ? o.compareMd5() : o;
                })
                .join();
    }

    @Test
    @DisplayName("A1: directories compare compressed blobs by their content before compression")
    void directories() throws IOException {
        Path in = Files.createDirectory(folder.resolve("in"));
        Files.write(in.resolve("text"), TEXT);
        Files.write(in.resolve("random"), random(100_000));
        Files.write(in.resolve("short"), new byte[10]);

        assertThat(up(Overwrite.IF_DIFFERENT, false).transferred()).isEqualTo(3);
        assertThat(up(Overwrite.IF_DIFFERENT, false).unchanged()).isEqualTo(3);
        assertThat(up(Overwrite.IF_DIFFERENT, true).unchanged()).isEqualTo(3);
        logs.setMetadata("d/text", Map.of("a", "b"));
        assertThat(up(Overwrite.IF_DIFFERENT, true).unchanged()).isEqualTo(3);
        assertThat(logs.info("d/text").headers().contentEncoding()).isEqualTo("gzip");
        assertThat(logs.info("d/random").headers().contentEncoding()).isNull();

        assertThat(down("out", false, false).transferred()).isEqualTo(3);
        assertThat(folder.resolve("out/text")).hasBinaryContent(TEXT);
        assertThat(down("out", false, false).unchanged()).isEqualTo(3);
        assertThat(down("out", true, false).unchanged()).isEqualTo(3);
        assertThat(down("stored", false, true).transferred()).isEqualTo(3);
        assertThat(down("stored", false, true).unchanged()).isEqualTo(3);
        assertThat(down("stored", true, true).unchanged()).isEqualTo(3);
        assertThat(folder.resolve("stored/text")).hasBinaryContent(logs.download("d/text", o -> o.asStored()));

        assertThat(copy().transferred()).isEqualTo(3);
        assertThat(copy().unchanged()).isEqualTo(3);
        assertThat(archive.download("e/text", o -> o.asStored())).isEqualTo(logs.download("d/text", o -> o.asStored()));
        assertThat(archive.download("e/text")).isEqualTo(TEXT);
        logs.downloadDirectory("d", folder.resolve("out"), o -> o).join();
        assertThat(archive.uploadDirectory(in, "e", o -> o.overwrite(Overwrite.IF_DIFFERENT))
                        .join()
                        .unchanged())
                .isEqualTo(3);
    }

    @Test
    @DisplayName(
            "A1: a directory bounds the expansion of its blobs, a channel and a cached part refuse compressed content")
    void bounds() throws IOException {
        logs.upload(TEXT, "d/text", o -> o.gzip());
        TransferReport report = logs.downloadDirectory("d", folder.resolve("out"), o -> o.maxExpansion(200, 1_000)
                        .collectFailures())
                .join();
        assertThat(report.failed()).isEqualTo(1);
        assertThat(report.failures().get(0).error()).hasMessageContaining("limit of 1000");
        assertThat(folder.resolve("out/text")).doesNotExist();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DirectorySettings.builder().maxExpansion(0, 1));

        byte[] stored = logs.download("d/text", o -> o.asStored());
        assertThatIllegalStateException().isThrownBy(() -> logs.channel("d/text"));
        try (SeekableByteChannel channel = logs.channel("d/text", o -> o.asStored())) {
            assertThat(channel.size()).isEqualTo(stored.length);
        }
        CachedContainer cached = logs.cached(Freshness.revalidated());
        assertThat(cached.download("d/text").value()).contains(TEXT);
        assertThat(cached.download("d/text").value()).contains(TEXT);
        assertThat(cached.asStored().download("d/text").value()).contains(stored);
        assertThatIllegalStateException().isThrownBy(() -> cached.range("d/text", 0, 5));
    }

    private TransferReport copy() {
        return logs.copyDirectory("d", archive, "e", o -> o.overwrite(Overwrite.IF_DIFFERENT))
                .join();
    }

    @Test
    @DisplayName("A1: a copy may compress, and is unchanged after that")
    void compressingCopies() {
        logs.upload(TEXT, "d/text");
        for (int run = 0; run < 2; run++) {
            TransferReport report = logs.copyDirectory("d", archive, "e", o -> o.overwrite(Overwrite.IF_DIFFERENT)
                            .compareMd5()
                            .upload((name, u) -> u.gzip()))
                    .join();
            assertThat(report.unchanged()).isEqualTo(run);
        }
        assertThat(archive.info("e/text").size()).isLessThan(TEXT.length / 20);
        assertThat(archive.download("e/text")).isEqualTo(TEXT);
    }

    @Test
    @DisplayName("A1: gzip of another program is expanded once, and compared by its time after that")
    void ofOthers() throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(TEXT);
        }
        logs.upload(zipped.toByteArray(), "d/text", o -> o.headers(with -> with.contentEncoding("gzip")));

        assertThat(down("out", false, false).transferred()).isEqualTo(1);
        assertThat(folder.resolve("out/text")).hasBinaryContent(TEXT);
        assertThat(down("out", false, false).unchanged()).isEqualTo(1);
    }

    @Test
    @DisplayName(
            "A1: a blob that replaces a compressed one and keeps its properties keeps no encoding of other content")
    void keptProperties() throws IOException {
        Path in = Files.createDirectory(folder.resolve("in"));
        Files.write(in.resolve("text"), TEXT);
        up(Overwrite.ALWAYS, false);
        byte[] other = random(5_000);
        Files.write(in.resolve("text"), other);
        logs.uploadDirectory(in, "d", o -> o.overwrite(Overwrite.ALWAYS).keepProperties())
                .join();

        assertThat(logs.info("d/text").headers().contentEncoding()).isNull();
        assertThat(logs.download("d/text")).isEqualTo(other);
    }
}
