package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Item;
import io.stowline.error.NotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Directories of blobs on Azurite: names, runs that repeat, mirrors, failures, and a large blob beside many small ones. */
@Timeout(240)
class BlobDirectoryIT extends StorageTest {

    /** Names that a URL, a listing or a file system could change. */
    private static final List<String> NAMES = List.of(
            "plain.txt",
            "a.txt",
            "a/b.txt",
            "a!c.txt",
            "A/b.txt",
            "with space/ x",
            "100%.txt",
            "%41.txt",
            "%2F.txt",
            "a+b&c=d;e",
            "question?.txt",
            "hash#tag/#",
            "quote'\"<>|",
            "colon:semi;",
            "\u00E9-composed",
            "e\u0301-apart",
            "\u65E5\u672C/\u8A9E",
            "\uD83D\uDE00",
            "\uFF5E",
            ".hidden",
            "..two");

    /** A number beyond one batch of deletions. */
    private static final int SMALL = 300;

    private BlobContainer photos;

    @TempDir
    private Path folder;

    @TempDir
    private Path copy;

    @BeforeEach
    void create() {
        photos = storage.container("dir" + UUID.randomUUID());
        photos.create();
    }

    @AfterEach
    void remove() {
        photos.drop();
    }

    private static void file(Path root, String name, byte[] content) throws IOException {
        Path path = root.resolve(name);
        Files.createDirectories(path.getParent());
        Files.write(path, content);
    }

    private static Map<String, Long> files(Path root) throws IOException {
        Map<String, Long> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.filter(Files::isRegularFile).toList()) {
                found.put(root.relativize(path).toString(), Files.size(path));
            }
        }
        return found;
    }

    private List<String> blobs() {
        try (Stream<BlobInfo> all = photos.stream()) {
            return all.map(BlobInfo::name).toList();
        }
    }

    @Test
    @DisplayName("names with any characters make the round trip, and a second run changes nothing")
    void names() throws IOException {
        for (int i = 0; i < NAMES.size(); i++) {
            file(folder, NAMES.get(i), new byte[i]);
        }

        TransferReport up =
                photos.uploadDirectory(folder, "p", o -> o.collectFailures()).join();
        TransferReport down =
                photos.downloadDirectory("p", copy, o -> o.collectFailures()).join();

        assertThat(up.failures()).isEmpty();
        assertThat(down.failures()).isEmpty();
        assertThat(blobs())
                .containsExactlyInAnyOrderElementsOf(
                        NAMES.stream().map(name -> "p/" + name).toList());
        assertThat(files(copy)).isEqualTo(files(folder));
        TransferReport again = photos.uploadDirectory(
                        folder, "p", o -> o.overwrite(Overwrite.IF_DIFFERENT).mirror())
                .join();
        assertThat(again.unchanged()).isEqualTo(NAMES.size());
        assertThat(again.transferred() + again.deleted()).isZero();
        TransferReport back = photos.downloadDirectory(
                        "p", copy, o -> o.overwrite(Overwrite.IF_DIFFERENT).mirror())
                .join();
        assertThat(back.unchanged()).isEqualTo(NAMES.size());
        assertThat(back.transferred() + back.deleted()).isZero();
    }

    @Test
    @DisplayName(
            "300 small files and one of several blocks arrive whole; a mirror removes what is gone; a deletion all of"
                    + " it")
    void manyAndLarge() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < SMALL; i++) {
            byte[] content = new byte[random.nextInt(4_096)];
            random.nextBytes(content);
            file(folder, "d%02d/f%d".formatted(i % 37, i), content);
        }
        byte[] large = new byte[20 * 1024 * 1024 + 7];
        random.nextBytes(large);
        file(folder, "d05/large", large);

        TransferReport up = photos.uploadDirectory(folder, "all/", o -> o).join();
        TransferReport down = photos.downloadDirectory("all/", copy, o -> o).join();

        assertThat(up.transferred()).isEqualTo(SMALL + 1);
        assertThat(down.bytes()).isEqualTo(up.bytes());
        assertThat(files(copy)).isEqualTo(files(folder));
        assertThat(Arrays.mismatch(Files.readAllBytes(copy.resolve("d05/large")), large))
                .as("first byte that differs")
                .isEqualTo(-1);
        assertThat(copy.resolve("d05/f5")).hasSameBinaryContentAs(folder.resolve("d05/f5"));
        TransferReport kept = photos.uploadDirectory(folder, "all/", o -> o.overwrite(Overwrite.IF_DIFFERENT))
                .join();
        assertThat(kept.unchanged()).isEqualTo(SMALL + 1);

        List<Path> gone = new ArrayList<>();
        try (Stream<Path> some = Files.list(folder.resolve("d03"))) {
            some.forEach(gone::add);
        }
        for (Path path : gone) {
            Files.delete(path);
        }
        TransferReport mirrored = photos.uploadDirectory(
                        folder, "all/", o -> o.overwrite(Overwrite.IF_DIFFERENT).mirror())
                .join();
        assertThat(mirrored.deleted()).isEqualTo(gone.size());
        assertThat(mirrored.unchanged()).isEqualTo(SMALL + 1 - gone.size());

        int part;
        try (Stream<Path> some = Files.list(folder.resolve("d05"))) {
            part = (int) some.count();
        }
        TransferReport copied =
                photos.copyDirectory("all/d05", photos, "second", o -> o).join();
        assertThat(copied.transferred()).isEqualTo(part).isGreaterThan(1);
        assertThat(photos.info("second/large").contentMd5())
                .isEqualTo(photos.info("all/d05/large").contentMd5())
                .isNotNull();
        assertThat(photos.deleteDirectory("all", o -> o).join().deleted()).isEqualTo(SMALL + 1 - gone.size());
        assertThat(blobs()).hasSize(part).allMatch(name -> name.startsWith("second/"));
    }

    @Test
    @DisplayName(
            "TRANSFER-4: a refused name is in the report, or ends the transfer; a missing container ends it always")
    void failures() throws IOException {
        file(folder, "a", new byte[1]);
        file(folder, "b.", new byte[1]);

        TransferReport collected =
                photos.uploadDirectory(folder, "p", o -> o.collectFailures()).join();
        TransferFailedException failed =
                catchThrowableOfType(TransferFailedException.class, () -> photos.uploadDirectory(folder, "q", o -> o)
                        .join());
        TransferFailedException missing =
                catchThrowableOfType(TransferFailedException.class, () -> storage.container("none" + UUID.randomUUID())
                        .uploadDirectory(folder, "p", o -> o.collectFailures())
                        .join());

        assertThat(collected.transferred()).isOne();
        assertThat(collected.failures()).extracting(Item::name).containsExactly("b.");
        assertThat(failed.report().failed()).isOne();
        assertThat(missing).hasCauseInstanceOf(NotFoundException.class);
    }
}
