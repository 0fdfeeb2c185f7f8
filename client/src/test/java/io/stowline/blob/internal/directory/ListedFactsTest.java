package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.Transfer;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.blob.internal.directory.ListedBlobs.Listed;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The facts of a listing in the plans of downloads, copies and uploads. */
@Timeout(60)
class ListedFactsTest {

    private final ListedBlobs service = new ListedBlobs();
    private final StubBlobs blobs = new StubBlobs(this::response);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));
    private final Map<String, Item> items = new ConcurrentHashMap<>();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private BlobStubResponse response(StubRequest requested) {
        if (requested.is("PUT", "")) {
            return BlobStubResponse.of(201);
        }
        return requested.is("GET", "") ? new StoredBlob(new byte[1]).apply(requested) : service.apply(requested);
    }

    private UnaryOperator<DirectorySettings.Builder> heard(UnaryOperator<DirectorySettings.Builder> settings) {
        items.clear();
        return with -> settings.apply(with.eachItem(item -> items.put(item.name(), item)));
    }

    /** A verb that reads the blobs below {@code d}. */
    private enum Reading {
        DOWNLOAD {
            @Override
            Transfer of(BlobContainer photos, Path folder, UnaryOperator<DirectorySettings.Builder> settings) {
                return photos.downloadDirectory("d", folder, settings);
            }
        },
        COPY {
            @Override
            Transfer of(BlobContainer photos, Path folder, UnaryOperator<DirectorySettings.Builder> settings) {
                return photos.copyDirectory("d", photos, "t", settings);
            }
        },
        MIRRORED_DOWNLOAD {
            @Override
            Transfer of(BlobContainer photos, Path folder, UnaryOperator<DirectorySettings.Builder> settings) {
                return photos.downloadDirectory("d", folder, with -> settings.apply(with.mirror()));
            }
        },
        MIRRORED_COPY {
            @Override
            Transfer of(BlobContainer photos, Path folder, UnaryOperator<DirectorySettings.Builder> settings) {
                return photos.copyDirectory("d", photos, "t", with -> settings.apply(with.mirror()));
            }
        };

        abstract Transfer of(BlobContainer photos, Path folder, UnaryOperator<DirectorySettings.Builder> settings);
    }

    /** A fact of a listed blob that cannot be read, and the reason in words. */
    private enum Fact {
        FOLDER(Listed.folder(), "marks a folder"),
        ARCHIVED(Listed.content(1).with("AccessTier", "Archive"), "is in the archive tier"),
        REHYDRATING(
                Listed.content(1).with("AccessTier", "Archive").with("ArchiveStatus", "rehydrate-pending-to-hot"),
                "is in the archive tier"),
        COPY_PENDING(Listed.content(1).with("CopyStatus", "pending"), "copy that the service has not ended"),
        COPY_FAILED(Listed.content(0).with("CopyStatus", "failed"), "copy that the service ended without success"),
        COPY_ABORTED(Listed.content(0).with("CopyStatus", "aborted"), "copy that the service ended without success"),
        ENCRYPTED(Listed.content(1).with("CustomerProvidedKeySha256", "c2hh"), "is encrypted by a key");

        private final Listed listed;
        private final String reason;

        Fact(Listed listed, String reason) {
            this.listed = listed;
            this.reason = reason;
        }
    }

    static Stream<Arguments> factsOfReadings() {
        return Stream.of(Reading.values())
                .flatMap(verb -> Stream.of(Fact.values()).map(fact -> Arguments.of(verb, fact)));
    }

    @ParameterizedTest(name = "{0} of {1}")
    @MethodSource("factsOfReadings")
    @DisplayName(
            "WORLD-1: what cannot be read is skipped with the reason, in a dry run as without, and no request is sent"
                    + " for it")
    void unreadable(Reading verb, Fact fact) {
        service.put("d/it", fact.listed).put("d/plain", Listed.content(1));
        for (boolean dry : new boolean[] {true, false}) {
            TransferReport report = verb.of(photos, folder, heard(with -> dry ? with.dryRun() : with))
                    .join();

            assertThat(report.transferred()).isOne();
            assertThat(report.skipped()).isOne();
            assertThat(items.get("it").action()).isEqualTo(Action.SKIPPED);
            assertThat(items.get("it").error())
                    .hasMessageStartingWith("photos/d/it ")
                    .hasMessageContaining(fact.reason);
        }
        assertThat(blobs.requested()).noneMatch(requested -> requested.path().endsWith("it"));
        assertThat(folder.resolve("it")).doesNotExist();
    }

    @ParameterizedTest(name = "{0} of {1}")
    @MethodSource("factsOfReadings")
    @DisplayName("WORLD-1: with failUnreadable() what cannot be read fails, in a dry run as without")
    void failUnreadable(Reading verb, Fact fact) {
        service.put("d/it", fact.listed);
        for (boolean dry : new boolean[] {true, false}) {
            TransferReport report = verb.of(photos, folder, heard(with -> (dry ? with.dryRun() : with)
                            .failUnreadable()
                            .collectFailures()))
                    .join();
            assertThat(report.failed()).isEqualTo(fact == Fact.FOLDER ? 0 : 1);
            assertThat(report.transferred()).isZero();
        }
    }

    @Test
    @DisplayName("WORLD-1: what is there already is unchanged or skipped, whether its source can be read or not")
    void notNeeded() throws IOException {
        service.put("d/it", Fact.ARCHIVED.listed);
        photos.downloadDirectory("d", folder, with -> with).join();
        Files.write(folder.resolve("it"), new byte[1]);
        Files.setLastModifiedTime(folder.resolve("it"), FileTime.from(Instant.parse("2024-02-29T12:00:00Z")));

        assertThat(photos.downloadDirectory("d", folder, with -> with.overwrite(Overwrite.IF_DIFFERENT)
                                .failUnreadable())
                        .join()
                        .unchanged())
                .isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"folder", "leased", "copying"})
    @DisplayName("WORLD-1: a folder, a blob with a lease or of a copy without end is skipped in place of replaced")
    void irreplaceable(String there) throws IOException {
        service.put("d/folder", Listed.folder())
                .put("d/copying", Listed.content(3).with("CopyStatus", "pending"))
                .put("d/leased", Listed.content(3).with("LeaseStatus", "locked"))
                .put("s/" + there, Listed.content(1));
        Files.write(folder.resolve(there), new byte[1]);
        for (boolean dry : new boolean[] {true, false}) {
            UnaryOperator<DirectorySettings.Builder> settings =
                    heard(with -> (dry ? with.dryRun() : with).overwrite(Overwrite.IF_DIFFERENT));
            assertThat(photos.uploadDirectory(folder, "d", settings).join().skipped())
                    .isOne();
            assertThat(items.get(there).error()).hasMessageStartingWith("photos/d/" + there);
            assertThat(photos.copyDirectory("s", photos, "d", settings).join().skipped())
                    .isOne();
        }
        assertThat(blobs.requested("PUT", "")).isEmpty();
    }

    @Test
    @DisplayName("WORLD-1: an encrypted blob whose properties cannot be read is skipped where they are to be kept")
    void keptPropertiesOfEncryptedBlobs() throws IOException {
        service.put("d/it", Fact.ENCRYPTED.listed);
        Files.write(folder.resolve("it"), new byte[3]);
        for (boolean dry : new boolean[] {true, false}) {
            assertThat(photos.uploadDirectory(folder, "d", heard(with -> (dry ? with.dryRun() : with)
                                    .overwrite(Overwrite.IF_DIFFERENT)
                                    .keepProperties()))
                            .join()
                            .skipped())
                    .isOne();
            assertThat(items.get("it").error()).hasMessageContaining("is encrypted by a key");
        }
        assertThat(blobs.requested("HEAD", "")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("WORLD-1: blocks replace an encrypted blob that the service does not show, in a dry run as without")
    void blocksOntoEncryptedBlobs(Overwrite overwrite) throws IOException {
        service.put("d/it", Fact.ENCRYPTED.listed);
        blobs.respond(requested -> {
            if (requested.is("HEAD", "") || requested.is("GET", "blocklist")) {
                return BlobStubResponse.refusal(409, "BlobUsesCustomerSpecifiedEncryption");
            }
            return requested.method().equals("PUT") ? BlobStubResponse.of(201) : service.apply(requested);
        });
        Files.write(folder.resolve("it"), new byte[300_000]);
        for (boolean dry : new boolean[] {true, false}) {
            TransferReport report = photos.uploadDirectory(folder, "d", with -> (dry ? with.dryRun() : with)
                            .overwrite(overwrite)
                            .upload((name, blob) -> blob.blockSize(1 << 16)))
                    .join();
            assertThat(report.transferred()).isEqualTo(overwrite == Overwrite.NEVER ? 0 : 1);
            assertThat(report.skipped()).isEqualTo(overwrite == Overwrite.NEVER ? 1 : 0);
        }
        assertThat(blobs.requested("PUT", "blocklist"))
                .hasSize(overwrite == Overwrite.NEVER ? 0 : 1)
                .allSatisfy(requested -> assertThat(requested.header("If-Match"))
                        .isEqualTo(overwrite == Overwrite.ALWAYS ? null : "\"v1\""));
    }

    @Test
    @DisplayName("blocks that replace no blob are not sent onto an encrypted one that the listing has not shown")
    void blocksBesideEncryptedBlobs() throws IOException {
        blobs.respond(requested -> requested.is("HEAD", "")
                ? BlobStubResponse.refusal(409, "BlobUsesCustomerSpecifiedEncryption")
                : service.apply(requested));
        Files.write(folder.resolve("it"), new byte[300_000]);

        TransferReport report = photos.uploadDirectory(
                        folder, "d", with -> with.upload((name, blob) -> blob.blockSize(1 << 16)))
                .join();

        assertThat(report.skipped()).isOne();
        assertThat(blobs.requested()).noneMatch(requested -> requested.method().equals("PUT"));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("an encrypted blob is read by a view whose requests have a key")
    void withTheKey(Reading verb) {
        service.put("d/it", Fact.ENCRYPTED.listed);
        BlobContainer view = photos.withHeader("x-ms-encryption-key", "a2V5")
                .withHeader("x-ms-encryption-key-sha256", "c2hh")
                .withHeader("x-ms-encryption-algorithm", "AES256");

        assertThat(verb.of(view, folder, with -> with.failUnreadable()).join().transferred())
                .isOne();
    }

    @Test
    @DisplayName("a file of 1970 has its time after a download, and is unchanged for the next one")
    void filesOf1970() throws IOException {
        service.put("d/it", Listed.content(1).withMetadata("stowlinemodified", "1970-01-01T00:00:00Z"));

        photos.downloadDirectory("d", folder, with -> with).join();

        assertThat(Files.getLastModifiedTime(folder.resolve("it")).toMillis()).isZero();
        assertThat(photos.downloadDirectory("d", folder, with -> with.overwrite(Overwrite.IF_DIFFERENT))
                        .join()
                        .unchanged())
                .isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0800-12-25T00:00:00Z", "1850-01-01T00:00:00Z", "2500-01-01T00:00:00Z"})
    @DisplayName("a file whose time its file system cannot keep is unchanged for the next download")
    void timesBeyondTheRange(String time) {
        service.put("d/it", Listed.content(1).withMetadata("stowlinemodified", time));

        photos.downloadDirectory("d", folder, with -> with).join();

        assertThat(photos.downloadDirectory("d", folder, with -> with.overwrite(Overwrite.IF_DIFFERENT))
                        .join()
                        .unchanged())
                .isOne();
    }

    @ParameterizedTest
    @ValueSource(strings = {"conf.d", "conf-1"})
    @DisplayName(
            "TRANSFER-4: a file goes before the folder of its name is made, beside a folder whose name it continues,"
                    + " in a dry run as without")
    void makesRoom(String file) throws IOException {
        service.content("d/" + file + "/x", "d/" + file + "/y/z");
        Files.createDirectories(folder.resolve("conf"));
        Files.write(folder.resolve("conf/a"), new byte[1]);
        Files.write(folder.resolve(file), new byte[1]);
        for (boolean dry : new boolean[] {true, false}) {
            TransferReport report = photos.downloadDirectory("d", folder, with -> (dry ? with.dryRun() : with).mirror())
                    .join();
            assertThat(report.deleted()).isEqualTo(2);
            assertThat(report.transferred()).isEqualTo(2);
        }
        assertThat(folder.resolve(file).resolve("y/z")).exists();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("a file that a mirror leaves is no folder for the blobs below its name, in a dry run as without")
    void makesNoRoom(boolean dry) throws IOException {
        service.content("d/kept/x");
        Files.write(folder.resolve("kept"), new byte[1]);

        TransferReport report = photos.downloadDirectory("d", folder, heard(with -> (dry ? with.dryRun() : with)
                        .mirror()
                        .exclude("kept")
                        .collectFailures()))
                .join();

        assertThat(report.failed()).isOne();
        assertThat(items.get("kept/x").error()).hasMessageContaining("is no folder");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("WORLD-1: a blob whose name is that of a folder gives way to the blobs below, in a dry run as without")
    void nameOfAFolder(boolean mirror) {
        service.content("d/TEST", "d/TEST-a", "d/TEST/x", "d/TEST/x/y", "d/TEST/z", "d/other");
        for (int run = 0; run < 3; run++) {
            boolean again = run == 2;
            UnaryOperator<DirectorySettings.Builder> dry = run == 0 ? with -> with.dryRun() : with -> with;
            UnaryOperator<DirectorySettings.Builder> mirrors = mirror ? with -> with.mirror() : with -> with;
            photos.downloadDirectory("d", folder, heard(with -> mirrors.apply(dry.apply(with))
                            .overwrite(Overwrite.IF_DIFFERENT)))
                    .join();

            assertThat(items).hasSize(6);
            assertThat(items.get("TEST").error()).hasMessageContaining("the folder of photos/d/TEST/x");
            assertThat(items.get("TEST/x").error()).hasMessageContaining("the folder of photos/d/TEST/x/y");
            assertThat(items.get("TEST").action()).isEqualTo(Action.SKIPPED);
            assertThat(items.get("TEST/x").action()).isEqualTo(Action.SKIPPED);
            for (String name : new String[] {"TEST-a", "TEST/x/y", "TEST/z", "other"}) {
                assertThat(items.get(name).action()).isEqualTo(again ? Action.UNCHANGED : Action.TRANSFERRED);
            }
        }
        assertThat(folder.resolve("TEST/x/y")).isRegularFile();
    }

    @ParameterizedTest
    @ValueSource(strings = {"AppendBlob", "PageBlob"})
    @DisplayName("WORLD-1: a blob of another type is replaced by at most the blockSize that upload() sets for it, else"
            + " skipped")
    void otherTypes(String type) throws IOException {
        service.put("s/it", Listed.content(200))
                .put("d/it", Listed.content(3).without("BlobType").with("BlobType", type));
        Files.write(folder.resolve("it"), new byte[200]);
        for (boolean dry : new boolean[] {true, false}) {
            for (int blockSize : new int[] {199, 200}) {
                UnaryOperator<DirectorySettings.Builder> settings = heard(with -> (dry ? with.dryRun() : with)
                        .overwrite(Overwrite.IF_DIFFERENT)
                        .upload((name, each) -> each.blockSize(name.equals("d/it") ? blockSize : 1)));
                Action expected = blockSize == 199 ? Action.SKIPPED : Action.TRANSFERRED;
                photos.uploadDirectory(folder, "d", settings).join();
                assertThat(items.remove("it").action()).isEqualTo(expected);
                photos.copyDirectory("s", photos, "d", settings).join();
                assertThat(items.get("it").action())
                        .isEqualTo(expected == Action.SKIPPED ? Action.SKIPPED : Action.COPIED);
                if (expected == Action.SKIPPED) {
                    assertThat(items.get("it").error())
                            .hasMessageContaining("photos/d/it is an append or page blob")
                            .hasMessageContaining("199 bytes, and there are 200");
                }
            }
        }
        assertThat(blobs.requested("PUT", "")).hasSize(2);
    }

    @Test
    @DisplayName(
            "WORLD-5: each file without a name of its own is a failure, and a mirror keeps what may be of any of them")
    void severalOfOneText() throws IOException {
        assumeThat(System.getProperty("sun.jnu.encoding")).as("names are bytes").isEqualTo("UTF-8");
        assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("unix");
        for (String name : new String[] {"a%FE", "a%FF"}) {
            Files.createFile(Path.of(URI.create(folder.toUri() + name)));
        }
        Files.createDirectory(Path.of(URI.create(folder.toUri() + "b%FE")));
        Files.write(folder.resolve("a\uFFFD"), new byte[2]);
        Files.write(folder.resolve("b\uFFFD"), new byte[2]);
        service.content("d/a\uFFFD", "d/b\uFFFD/in.txt", "d/gone");

        TransferReport report = photos.uploadDirectory(folder, "d", heard(with -> with.overwrite(Overwrite.IF_DIFFERENT)
                        .mirror()
                        .collectFailures()))
                .join();

        assertThat(report.failed()).isEqualTo(3);
        assertThat(report.failures())
                .extracting(item -> item.error().getMessage())
                .anyMatch(text -> text.contains("a%FE"))
                .anyMatch(text -> text.contains("a%FF"))
                .anyMatch(text -> text.contains("b%FE"));
        assertThat(report.transferred()).isEqualTo(2);
        assertThat(service.left()).containsOnlyKeys("d/a\uFFFD", "d/b\uFFFD/in.txt");
    }

    @Test
    @DisplayName("WORLD-5: a mirror keeps the blobs below the text of a folder whose name has none")
    void belowForeignFolders() throws IOException {
        assumeThat(System.getProperty("sun.jnu.encoding")).as("names are bytes").isEqualTo("UTF-8");
        assumeThat(folder.getFileSystem().supportedFileAttributeViews()).contains("unix");
        Files.createDirectory(Path.of(URI.create(folder.toUri() + "sub%FE")));
        service.content("d/gone", "d/sub\uFFFD/in.txt", "d/sub/in.txt");

        TransferReport report = photos.uploadDirectory(
                        folder, "d", heard(with -> with.mirror().collectFailures()))
                .join();

        assertThat(report.deleted()).isEqualTo(2);
        assertThat(report.failed()).isOne();
        assertThat(items.get("sub\uFFFD/in.txt").error()).hasMessageContaining("cannot be read");
        assertThat(service.left()).containsOnlyKeys("d/sub\uFFFD/in.txt");
    }

    @Test
    @DisplayName("WORLD-1: an upload that mirrors leaves markers of folders alone")
    void mirroredUpload() {
        service.folders("d/a").content("d/a/1");

        TransferReport report =
                photos.uploadDirectory(folder, "d", with -> with.mirror()).join();

        assertThat(report.deleted()).isOne();
        assertThat(report.skipped()).isOne();
        assertThat(service.left()).containsOnlyKeys("d/a");
    }

    @Test
    @DisplayName("WORLD-1: a mirrored download deletes a file whose name is that of a folder now")
    void fileBecameAFolder() throws IOException {
        Files.write(folder.resolve("a"), new byte[1]);
        service.folders("d/a").content("d/a/1");

        TransferReport report =
                photos.downloadDirectory("d", folder, with -> with.mirror()).join();

        assertThat(report.deleted()).isOne();
        assertThat(report.transferred()).isOne();
        assertThat(folder.resolve("a/1")).isRegularFile();
    }

    @Test
    @DisplayName("an empty blob is downloaded or copied by one request for its source, unless it has content now")
    void emptyBlobs() {
        service.put("d/empty", Listed.content(0));

        assertThat(photos.downloadDirectory("d", folder, with -> with).join().transferred())
                .isOne();
        assertThat(folder.resolve("empty")).isEmptyFile();
        assertThat(blobs.requested()).hasSize(2);
        assertThat(photos.copyDirectory("d", photos, "t", with -> with.overwrite(Overwrite.ALWAYS))
                        .join()
                        .transferred())
                .isOne();
        assertThat(blobs.requested()).hasSize(5);
        assertThat(blobs.requested("GET", ""))
                .filteredOn(requested -> !requested.query().contains("comp="))
                .isEmpty();

        blobs.respond(requested ->
                requested.is("HEAD", "") ? new StoredBlob(new byte[1]).apply(requested) : response(requested));
        assertThat(photos.downloadDirectory("d", folder, with -> with.overwrite(Overwrite.ALWAYS))
                        .join()
                        .bytes())
                .isOne();
        assertThat(photos.copyDirectory("d", photos, "t", with -> with.overwrite(Overwrite.ALWAYS))
                        .join()
                        .bytes())
                .isOne();
    }

    @Test
    @DisplayName("the failure of an unreadable blob ends a transfer that fails fast, and names the blob and the reason")
    void failsFast() {
        service.put("d/it", Fact.ARCHIVED.listed);

        TransferFailedException end =
                catchThrowableOfType(TransferFailedException.class, () -> photos.downloadDirectory(
                                "d", folder, with -> with.failUnreadable())
                        .join());

        assertThat(end).hasMessageContaining("failed at it").hasMessageContaining("archive tier");
    }
}
