package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EquivalentNamesTest {

    private static final String NFC = "\u00E9t\u00E9.txt";
    private static final String NFD = "e\u0301te\u0301.txt";

    private final MemoryStorage memory = MemoryStorage.create();
    private final List<Item> items = new CopyOnWriteArrayList<>();
    private Stowline storage;
    private BlobContainer container;

    @TempDir
    private Path folder;

    @BeforeEach
    void connect() throws IOException {
        assumeThat(System.getProperty("sun.jnu.encoding")).isEqualTo("UTF-8");
        Path probe = Files.createFile(folder.resolve(NFC));
        assumeThat(Files.exists(folder.resolve(NFD))).as("one file").isFalse();
        Files.delete(probe);
        storage = Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build();
        container = storage.container("names");
        container.create();
    }

    @AfterEach
    void close() {
        if (storage != null) {
            storage.close();
        }
    }

    private UnaryOperator<DirectorySettings.Builder> settings(boolean mirror) {
        return with -> {
            DirectorySettings.Builder same =
                    with.overwrite(Overwrite.IF_DIFFERENT).eachItem(items::add);
            return mirror ? same.mirror() : same;
        };
    }

    private TransferReport upload(boolean mirror) {
        items.clear();
        return container.uploadDirectory(folder, "d", settings(mirror)).join();
    }

    private TransferReport download(boolean mirror) {
        items.clear();
        return container.downloadDirectory("d", folder, settings(mirror)).join();
    }

    private void blob(String name) {
        container.upload(new byte[] {1}, "d/" + name);
    }

    private List<String> blobs() {
        try (Stream<BlobInfo> all = container.stream("d/")) {
            return all.map(blob -> blob.name().substring(2)).toList();
        }
    }

    private TreeSet<String> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return new TreeSet<>(all.map(path -> path.getFileName().toString()).toList());
        }
    }

    private void skipped(String... names) {
        assertThat(items)
                .filteredOn(item -> item.action() == Action.SKIPPED)
                .extracting(Item::name)
                .containsExactlyInAnyOrder(names);
        assertThat(items)
                .filteredOn(item -> item.action() == Action.SKIPPED)
                .extracting(item -> item.error().getMessage())
                .allMatch(message -> message.contains("NFC or NFD"));
    }

    @Test
    @DisplayName("WORLD-1: an upload makes no second blob of a name in the other form, and its mirror keeps the blob")
    void upload() throws IOException {
        blob(NFC);
        Files.writeString(folder.resolve(NFD), "x");
        Files.writeString(folder.resolve("plain"), "x");

        assertThat(upload(false).transferred()).isEqualTo(1);
        skipped(NFD);
        TransferReport mirrored = upload(true);
        assertThat(mirrored.deleted()).isZero();
        skipped(NFD, NFC);
        assertThat(blobs()).containsExactlyInAnyOrder("plain", NFC);
    }

    @Test
    @DisplayName("WORLD-1: a download makes no second file of a name in the other form, and its mirror keeps the file")
    void download() throws IOException {
        blob(NFD);
        Files.writeString(folder.resolve(NFC), "x");

        assertThat(download(false).transferred()).isZero();
        skipped(NFD);
        assertThat(download(true).deleted()).isZero();
        skipped(NFD, NFC);
        assertThat(files()).containsExactly(NFC);
    }

    @Test
    @DisplayName("both forms are two names where both sides have both, and a mirror deletes the one that is gone")
    void twoNames() throws IOException {
        Files.writeString(folder.resolve(NFC), "x");
        Files.writeString(folder.resolve(NFD), "y");
        assertThat(upload(true).transferred()).isEqualTo(2);
        assertThat(blobs()).containsExactlyInAnyOrder(NFC, NFD);
        Files.delete(folder.resolve(NFC));
        assertThat(upload(true).deleted()).isEqualTo(1);
        assertThat(blobs()).containsExactly(NFD);

        blob(NFC);
        assertThat(download(true).transferred()).isEqualTo(1);
        assertThat(files()).containsExactlyInAnyOrder(NFC, NFD);
        container.delete("d/" + NFD);
        assertThat(download(true).deleted()).isEqualTo(1);
        assertThat(files()).containsExactly(NFC);
    }

    @Test
    @DisplayName("names have other forms only where their characters have")
    void forms() {
        assertThat(EquivalentNames.of("plain/a b.txt")).isEmpty();
        assertThat(EquivalentNames.of("\u0131\u65E5")).isEmpty();
        assertThat(EquivalentNames.of(NFC)).containsExactly(NFD);
        assertThat(EquivalentNames.of(NFD)).containsExactly(NFC);
        assertThat(EquivalentNames.of("\u00E9te\u0301.txt")).containsExactly(NFC, NFD);
    }
}
