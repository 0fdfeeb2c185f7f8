package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.ConflictException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blobs that are there although the plan of a transfer took them for absent: made since, or listed in an unusual order. */
@Timeout(60)
class UnlistedBlobsTest {

    private static final String LONG_AGO = "Thu, 29 Feb 2024 12:00:00 GMT";

    private final ListedBlobs service = new ListedBlobs(String.CASE_INSENSITIVE_ORDER);
    private final StubBlobs blobs = new StubBlobs(this::response);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));
    private final Map<String, Item> items = new ConcurrentHashMap<>();
    private volatile Supplier<String> written = () -> LONG_AGO;
    private volatile boolean dated = true;

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private static String now() {
        return DateTimeFormatter.RFC_1123_DATE_TIME.format(Instant.now().atOffset(ZoneOffset.UTC));
    }

    private BlobStubResponse response(StubRequest requested) {
        if (requested.is("PUT", "")) {
            return requested.header("If-None-Match") == null
                    ? BlobStubResponse.of(201)
                    : BlobStubResponse.refusal(409, "BlobAlreadyExists");
        }
        if (requested.is("HEAD", "")) {
            BlobStubResponse found = BlobStubResponse.of(200)
                    .with("ETag", "\"now\"")
                    .with("Last-Modified", written.get())
                    .with("x-ms-blob-type", "BlockBlob")
                    .with("Content-Length", "3");
            return dated ? found.with("Date", now()) : found;
        }
        return requested.is("GET", "") ? new StoredBlob(new byte[1]).apply(requested) : service.apply(requested);
    }

    private UnaryOperator<DirectorySettings.Builder> settings(Overwrite overwrite) {
        return with -> with.overwrite(overwrite).collectFailures().eachItem(item -> items.put(item.name(), item));
    }

    private void upload() throws IOException {
        service.content("d/a.txt", "d/B.txt");
        Files.write(folder.resolve("a.txt"), new byte[2]);
        Files.write(folder.resolve("B.txt"), new byte[2]);
        photos.uploadDirectory(folder, "d", settings(Overwrite.IF_DIFFERENT)).join();
    }

    private void copy() {
        service.content("s/B.txt");
        photos.copyDirectory("s", photos, "d", settings(Overwrite.IF_DIFFERENT)).join();
    }

    private void transfer(boolean copies) throws IOException {
        if (copies) {
            copy();
        } else {
            upload();
        }
    }

    private StubRequest lastPut() {
        return blobs.requested("PUT", "").stream()
                .filter(requested -> requested.path().endsWith("B.txt"))
                .reduce((one, two) -> two)
                .orElseThrow();
    }

    @ParameterizedTest(name = "copy: {0}")
    @ValueSource(booleans = {false, true})
    @DisplayName(
            "a version that is older than the listing is replaced in that version, in whatever order it was listed")
    void older(boolean copies) throws IOException {
        transfer(copies);

        assertThat(items.get("B.txt").action()).isEqualTo(copies ? Action.COPIED : Action.TRANSFERRED);
        assertThat(lastPut().header("If-Match")).isEqualTo("\"now\"");
    }

    /** The reason why a version may be younger than the listing. */
    private enum Age {
        WRITTEN_SINCE {
            @Override
            void prepare(UnlistedBlobsTest test) {
                test.written = UnlistedBlobsTest::now;
            }
        },
        NO_DATE {
            @Override
            void prepare(UnlistedBlobsTest test) {
                test.dated = false;
            }
        },
        NO_TIME {
            @Override
            void prepare(UnlistedBlobsTest test) {
                test.written = () -> BlobStubResponse.ABSENT;
            }
        };

        abstract void prepare(UnlistedBlobsTest test);
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource
    @DisplayName("WORLD-3: a version that another client may have written since the listing fails, and stays as it is")
    void writtenSince(Age age) throws IOException {
        age.prepare(this);
        for (boolean copies : new boolean[] {false, true}) {
            transfer(copies);

            assertThat(items.get("B.txt").action()).isEqualTo(Action.FAILED);
            assertThat(items.get("B.txt").error())
                    .isInstanceOf(ConflictException.class)
                    .hasMessageContaining("the listing did not show the version that is there");
            assertThat(lastPut().header("If-Match")).isNull();
        }
        assertThat(items.get("a.txt").action()).isEqualTo(Action.TRANSFERRED);
    }

    @Test
    @DisplayName("a version that has the content already is unchanged, also if it is new")
    void same() throws IOException {
        written = UnlistedBlobsTest::now;
        Files.write(folder.resolve("B.txt"), new byte[3]);
        blobs.respond(requested -> requested.is("HEAD", "")
                ? response(requested)
                        .with(
                                "x-ms-meta-stowlinemodified",
                                time(folder.resolve("B.txt")).toString())
                : response(requested));

        photos.uploadDirectory(folder, "d", settings(Overwrite.IF_DIFFERENT)).join();

        assertThat(items.get("B.txt").action()).isEqualTo(Action.UNCHANGED);
    }

    private static Instant time(Path file) {
        return Instant.ofEpochMilli(file.toFile().lastModified());
    }

    @ParameterizedTest
    @EnumSource(names = {"NEVER", "IF_DIFFERENT"})
    @DisplayName("a blob that is found before the first block of a large file ends as one that the service refuses")
    void largeFiles(Overwrite overwrite) throws IOException {
        Files.write(folder.resolve("B.txt"), new byte[300]);
        written = UnlistedBlobsTest::now;

        photos.uploadDirectory(folder, "d", with -> settings(overwrite)
                        .apply(with)
                        .upload((name, each) -> each.blockSize(100)))
                .join();

        assertThat(items.get("B.txt").action())
                .isEqualTo(overwrite == Overwrite.NEVER ? Action.SKIPPED : Action.FAILED);
        assertThat(blobs.requested("PUT", "block")).isEmpty();
    }
}
