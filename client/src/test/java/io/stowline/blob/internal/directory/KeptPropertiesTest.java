package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.blob.internal.directory.ListedBlobs.Listed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The properties of blobs that a transfer writes: those of replaced ones, and the content types of files. */
@Timeout(60)
class KeptPropertiesTest {

    private final ListedBlobs service = new ListedBlobs();
    private final StubBlobs blobs = new StubBlobs(this::response);
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));
    private volatile String type = "text/x-mine";

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
        if (requested.is("GET", "tags")) {
            return BlobStubResponse.of(200)
                    .with("Content-Type", "application/xml")
                    .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><Tags><TagSet><Tag><Key>team</Key>"
                                    + "<Value>a b</Value></Tag></TagSet></Tags>")
                            .getBytes(StandardCharsets.UTF_8));
        }
        if (requested.is("HEAD", "") && requested.path().contains("missing")) {
            return BlobStubResponse.refusal(404, "BlobNotFound");
        }
        if (requested.is("HEAD", "")) {
            return BlobStubResponse.of(200)
                    .with("ETag", "\"v1\"")
                    .with("x-ms-blob-type", "BlockBlob")
                    .with("Content-Length", "3")
                    .with("Content-Type", type)
                    .with("Cache-Control", "max-age=7")
                    .with("x-ms-meta-owner", "other")
                    .with("x-ms-meta-has-hyphen", "1")
                    .with("x-ms-meta-stowlinemodified", "2020-01-01T00:00:00Z")
                    .with("x-ms-access-tier", "Cool")
                    .with("x-ms-tag-count", "1");
        }
        return requested.is("GET", "")
                ? new StoredBlob(new byte[1]).apply(requested).with("x-ms-meta-of-source", "2")
                : service.apply(requested);
    }

    private StubRequest put() {
        return blobs.requested("PUT", "").get(0);
    }

    private void upload(UnaryOperator<DirectorySettings.Builder> settings) throws IOException {
        Files.write(folder.resolve("a.txt"), new byte[1]);
        service.put("d/a.txt", Listed.content(3));
        assertThat(photos.uploadDirectory(folder, "d", settings).join().transferred())
                .isOne();
    }

    @ParameterizedTest
    @EnumSource(names = {"IF_DIFFERENT", "ALWAYS"})
    @DisplayName("WORLD-3: with keepProperties() a blob that is replaced keeps metadata, tags, headers and tier")
    void kept(Overwrite overwrite) throws IOException {
        upload(with -> with.overwrite(overwrite).keepProperties());

        assertThat(put().header("x-ms-meta-owner")).isEqualTo("other");
        assertThat(put().header("x-ms-meta-has-hyphen")).isEqualTo("1");
        assertThat(put().header("x-ms-meta-stowlinemodified")).startsWith("2").doesNotStartWith("2020");
        assertThat(put().header("x-ms-tags")).isEqualTo("team=a%20b");
        assertThat(put().header("x-ms-blob-content-type")).isEqualTo("text/x-mine");
        assertThat(put().header("x-ms-blob-cache-control")).isEqualTo("max-age=7");
        assertThat(put().header("x-ms-access-tier")).isEqualTo("Cool");
        assertThat(put().header("If-Match")).isEqualTo(overwrite == Overwrite.ALWAYS ? null : "\"v1\"");
    }

    @ParameterizedTest
    @CsvSource({"rehydrate-pending-to-hot,Hot", "rehydrate-pending-to-cool,Cool", "rehydrate-pending-to-cold,Cold"})
    @DisplayName("WORLD-3: a blob that replaces one on its way out of the archive tier belongs in the tier of that way")
    void rehydrated(String status, String tier) throws IOException {
        blobs.respond(requested -> requested.is("HEAD", "")
                ? response(requested).with("x-ms-access-tier", "Archive").with("x-ms-archive-status", status)
                : response(requested));

        upload(with -> with.overwrite(Overwrite.IF_DIFFERENT).keepProperties());

        assertThat(put().header("x-ms-access-tier")).isEqualTo(tier);
    }

    @Test
    @DisplayName("WORLD-3: a response without a count of tags is that of a blob without tags, which are not requested")
    void untagged() throws IOException {
        blobs.respond(requested ->
                requested.is("HEAD", "") ? response(requested).without("x-ms-tag-count") : response(requested));

        upload(with -> with.overwrite(Overwrite.IF_DIFFERENT).keepProperties());

        assertThat(put().header("x-ms-meta-owner")).isEqualTo("other");
        assertThat(put().header("x-ms-tags")).isNull();
        assertThat(blobs.requested("GET", "tags")).isEmpty();
    }

    @Test
    @DisplayName(
            "WORLD-3: what upload() sets is stronger than what a blob keeps, and a blob without a type gets that of"
                    + " its name")
    void set() throws IOException {
        type = "application/octet-stream";
        upload(with -> with.overwrite(Overwrite.IF_DIFFERENT)
                .keepProperties()
                .upload((name, settings) -> settings.cacheControl("no-store")));

        assertThat(put().header("x-ms-blob-cache-control")).isEqualTo("no-store");
        assertThat(put().header("x-ms-blob-content-type")).isEqualTo("text/plain");
        assertThat(put().header("x-ms-meta-owner")).isEqualTo("other");
    }

    @Test
    @DisplayName("a blob that is replaced has nothing of the earlier one by default, and no request reads it")
    void replacedWhole() throws IOException {
        upload(with -> with.overwrite(Overwrite.IF_DIFFERENT));

        assertThat(put().header("x-ms-meta-owner")).isNull();
        assertThat(put().header("x-ms-tags")).isNull();
        assertThat(blobs.requested("HEAD", "")).isEmpty();
    }

    @Test
    @DisplayName("WORLD-3: keepProperties() reads nothing of a blob that is new, nor in a dry run")
    void nothingToKeep() throws IOException {
        upload(with -> with.overwrite(Overwrite.IF_DIFFERENT).keepProperties().dryRun());
        Files.write(folder.resolve("missing"), new byte[1]);
        assertThat(photos.uploadDirectory(folder, "d", with -> with.overwrite(Overwrite.ALWAYS)
                                .keepProperties()
                                .include("missing"))
                        .join()
                        .transferred())
                .isOne();
        assertThat(blobs.requested("GET", "tags")).isEmpty();
        assertThat(blobs.requested("HEAD", "")).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"IF_DIFFERENT", "ALWAYS"})
    @DisplayName(
            "WORLD-3: a blob that is gone before its tags are read is a failure, and no blob without them takes its"
                    + " place")
    void goneBeforeItsTags(Overwrite overwrite) throws IOException {
        blobs.respond(requested ->
                requested.is("GET", "tags") ? BlobStubResponse.refusal(404, "BlobNotFound") : response(requested));
        Files.write(folder.resolve("a.txt"), new byte[1]);
        service.put("d/a.txt", Listed.content(3));

        assertThat(photos.uploadDirectory(folder, "d", with -> with.overwrite(overwrite)
                                .keepProperties()
                                .collectFailures())
                        .join()
                        .failed())
                .isOne();
        assertThat(blobs.requested("PUT", "")).isEmpty();
    }

    @Test
    @DisplayName("WORLD-3: a copy that replaces a blob has headers and metadata of its source, and keeps tags and tier")
    void copies() {
        service.put("s/a", Listed.content(1)).put("d/a", Listed.content(3));
        assertThat(photos.copyDirectory("s", photos, "d", with -> with.overwrite(Overwrite.IF_DIFFERENT)
                                .keepProperties()
                                .streamed())
                        .join()
                        .transferred())
                .isOne();
        assertThat(put().header("x-ms-meta-owner")).isEqualTo("me");
        assertThat(put().header("x-ms-meta-of-source")).isEqualTo("2");
        assertThat(put().header("x-ms-blob-cache-control")).isNull();
        assertThat(put().header("x-ms-tags")).isEqualTo("team=a%20b");
        assertThat(put().header("x-ms-access-tier")).isEqualTo("Cool");
    }

    @ParameterizedTest
    @CsvSource({
        "index.html, text/html",
        "sub/STYLE.CSS, text/css",
        "app.min.js, text/javascript",
        "a.b/image.svg, image/svg+xml",
        "photo.jpeg, image/jpeg",
        "font.woff2, font/woff2",
        "a.tar.gz, application/gzip",
        "noend,",
        "a.b/noend,",
        "a.unknown,",
        ".htaccess,",
        "dot.,",
    })
    @DisplayName("a file becomes a blob of the content type that the end of its name stands for")
    void contentTypes(String name, String expected) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[1]);

        photos.upload(file, "blob");
        photos.reactive().upload(folder.resolve(name), "blob").block();
        photos.upload(file, name.endsWith(".") ? "x" : name);
        if (!name.endsWith(".")) {
            photos.uploadDirectory(folder, "d", with -> with.overwrite(Overwrite.ALWAYS))
                    .join();
        }

        assertThat(blobs.requested("PUT", "")).isNotEmpty().allSatisfy(requested -> assertThat(
                        requested.header("x-ms-blob-content-type"))
                .isEqualTo(expected));
    }

    @Test
    @DisplayName("a content type that is set is kept, the blob's name is stronger than the file's, and bytes have none")
    void contentTypesBySettings() throws IOException {
        Path file = Files.write(folder.resolve("a.html"), new byte[1]);
        photos.upload(file, "a.html", with -> with.contentType("text/mine"));
        photos.upload(file, "a.css");
        photos.upload(file, "a.html", with -> with.headers(headers -> headers.contentType(null)));
        photos.upload(new byte[1], "a.html");

        assertThat(blobs.requested("PUT", "").stream().map(requested -> requested.header("x-ms-blob-content-type")))
                .containsExactly("text/mine", "text/css", null, null);
    }
}
