package io.stowline.examples.blobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@AzuriteTest
class BlobCommandTest {

    private final String container = "c" + UUID.randomUUID();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path source;

    @TempDir
    private Path target;

    private int run(TestStorage account, String... arguments) throws InterruptedException {
        out.reset();
        err.reset();
        return BlobCommand.PROGRAM.run(
                List.of(arguments),
                Map.of(ProgramAccount.VARIABLE, account.connectionString()),
                new PrintStream(out, true, UTF_8),
                new PrintStream(err, true, UTF_8));
    }

    private List<String> blobs(TestStorage account) {
        try (Stowline storage = Stowline.builder()
                        .connectionString(account.connectionString())
                        .build();
                Stream<BlobInfo> blobs = storage.container(container).stream()) {
            return blobs.map(BlobInfo::name).toList();
        }
    }

    private void file(String name, String content) throws IOException {
        Path file = source.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    @Test
    @DisplayName("what killed downloads have left is named, and removed on request")
    void unfinishedFiles(TestStorage account) throws Exception {
        file("a.jpg", "one");
        String there = "blob:" + container + "/photos";
        assertThat(run(account, "sync", source.toString(), there)).isZero();
        Path left = Files.writeString(target.resolve(".stowline-00000000000000b2.part"), "half");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofDays(2))));

        assertThat(run(account, "sync", there, target.toString())).isZero();
        assertThat(left).exists();
        assertThat(run(account, "sync", there, target.toString(), "--remove-unfinished", "--dry-run"))
                .isZero();
        assertThat(out.toString(UTF_8)).contains("would delete .stowline-00000000000000b2.part");
        assertThat(left).exists();
        assertThat(run(account, "sync", there, target.toString(), "--remove-unfinished"))
                .isZero();
        assertThat(out.toString(UTF_8)).contains("removed the unfinished file .stowline-00000000000000b2.part");
        assertThat(left).doesNotExist();
        assertThat(target.resolve("a.jpg")).hasContent("one");
        assertThat(run(account, "sync", source.toString(), there, "--remove-unfinished"))
                .isEqualTo(2);
    }

    @Test
    @DisplayName("a blob that is replaced keeps its properties on request, and one with snapshots is skipped with the"
            + " reason")
    void propertiesAndSnapshots(TestStorage account) throws Exception {
        file("a.html", "one");
        String there = "blob:" + container + "/photos";
        assertThat(run(account, "sync", source.toString(), there)).isZero();
        try (Stowline storage = Stowline.connect(account.connectionString())) {
            BlobContainer photos = storage.container(container);
            photos.setMetadata("photos/a.html", Map.of("owner", "me"));
            photos.setTags("photos/a.html", Map.of("team", "blue"));
            assertThat(run(account, "sync", source.toString(), there)).isZero();
            assertThat(out.toString(UTF_8)).containsPattern("unchanged\\W+1\\b");

            file("a.html", "longer");
            assertThat(run(account, "sync", source.toString(), there, "--keep-properties"))
                    .isZero();
            BlobInfo kept = photos.info("photos/a.html");
            assertThat(kept.size()).isEqualTo(6);
            assertThat(kept.metadata()).isEqualTo(Map.of("owner", "me"));
            assertThat(kept.headers().contentType()).isEqualTo("text/html");
            assertThat(photos.tags("photos/a.html")).isEqualTo(Map.of("team", "blue"));

            photos.snapshot("photos/a.html");
            assertThat(run(account, "rm", there, "--dry-run")).isZero();
            assertThat(out.toString(UTF_8)).contains("skipped a.html: ", "has snapshots");
            assertThat(run(account, "rm", there)).isZero();
            assertThat(out.toString(UTF_8)).contains("skipped a.html: ", "SnapshotsPresent");
            assertThat(run(account, "rm", there, "--delete-snapshots")).isZero();
            assertThat(blobs(account)).isEmpty();
        }
    }

    @Test
    @DisplayName("sync, a second sync, cp back, a mirror and rm")
    void allVerbs(TestStorage account) throws Exception {
        file("a.jpg", "one");
        file("2026/b.jpg", "two");
        file("note.txt", "three");
        String there = "blob:" + container + "/photos";

        assertThat(run(account, "sync", source.toString(), there, "--include", "**/*.jpg", "--mirror", "--dry-run"))
                .as(() -> err.toString(UTF_8))
                .isZero();
        assertThat(out.toString(UTF_8))
                .contains("would be made", "would transfer a.jpg", "would transfer 2026/b.jpg")
                .doesNotContain("note.txt");
        assertThat(run(account, "sync", source.toString(), there, "--include", "**/*.jpg"))
                .as(() -> err.toString(UTF_8))
                .isZero();
        assertThat(out.toString(UTF_8)).contains("was made").containsPattern("transferred\\W+2\\b");
        assertThat(run(account, "sync", source.toString(), there, "--include", "**/*.jpg"))
                .isZero();
        assertThat(out.toString(UTF_8)).containsPattern("unchanged\\W+2\\b");
        assertThat(run(account, "cp", there, target.toString(), "--parallelism", "2"))
                .isZero();
        assertThat(target.resolve("2026/b.jpg")).hasContent("two");
        Files.delete(source.resolve("a.jpg"));
        assertThat(run(account, "sync", source.toString(), there, "--mirror", "--dry-run"))
                .isZero();
        assertThat(out.toString(UTF_8)).contains("would delete a.jpg", "would transfer note.txt");
        assertThat(run(account, "sync", source.toString(), there, "--mirror", "--exclude", "*.txt"))
                .isZero();
        assertThat(blobs(account)).containsExactly("photos/2026/b.jpg");
        assertThat(run(account, "rm", there)).isZero();
        assertThat(blobs(account)).isEmpty();
    }

    @Test
    @DisplayName("a file that fails makes the exit code 1 and is named")
    void failure(TestStorage account) throws Exception {
        file("fine", "1");
        file("dot.", "1");

        assertThat(run(account, "cp", source.toString(), "blob:" + container)).isOne();
        assertThat(err.toString(UTF_8)).contains("dot.");
        assertThat(blobs(account)).containsExactly("fine");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "mv a blob:b",
                "cp a",
                "cp a b",
                "cp a blob:/x",
                "rm a",
                "rm blob:photos",
                "rm blob:photos/x --mirror",
                "cp a blob:b --parallelism 0",
                "cp a blob:b --parallelism 257",
                "cp a blob:b --include",
                "cp a blob:b --include {x",
                "cp a blob:b --frob",
                "cp a blob:b c",
                "cp a blob:b --parallelism two",
                "cp a blob:b --md5",
                "sync a blob:b --overwrite",
                "rm blob:photos/x --overwrite",
                "cp a blob:C_1/x",
                "rm blob:b/x",
                "cp blob:con/p/ blob:con/p/",
                "cp blob:con/p/ blob:con/p/sub/"
            })
    void misuse(String line, TestStorage account) throws Exception {
        assertThat(run(account, line.isEmpty() ? new String[0] : line.split(" ")))
                .isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("--help");
    }

    @Test
    @DisplayName("an empty source, as of a variable that is not set, is no folder")
    void emptySource(TestStorage account) throws Exception {
        assertThat(run(account, "sync", "", "blob:" + container)).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("is empty");
        assertThat(run(account, "sync", "blob:" + container, "")).isEqualTo(2);
        assertThat(run(account, "cp", source.toString())).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("a source and a target, not " + source);
    }

    @Test
    void help(TestStorage account) throws Exception {
        assertThat(run(account, "--help")).isZero();
        assertThat(out.toString(UTF_8)).contains("blobs cp SOURCE TARGET");
    }
}
