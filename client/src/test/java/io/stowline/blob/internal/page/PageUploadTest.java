package io.stowline.blob.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.blob.PageBlob;
import io.stowline.blob.PageBlobSettings.FileUpload;
import io.stowline.blob.PageRange;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Uploads of files without their zeros, through failures at each request. */
@Timeout(60)
class PageUploadTest {

    private static final int SIZE = 10 << 20;

    private final StoredPages pages = new StoredPages().listing(2);
    private final StubBlobs blobs = new StubBlobs(pages);
    private final PageBlob disk = blobs.container().pageBlob("disk");

    @TempDir
    private Path folder;

    private Path file;
    private byte[] content;

    /** Five runs of data: 2 in the first piece, 1 in the second, 2 in the third, which ends with the file. */
    @BeforeEach
    void write() throws IOException {
        content = new byte[SIZE];
        Random random = new Random(1);
        for (int at : new int[] {0, 1 << 20, 5 << 20, 9 << 20, SIZE - 1000}) {
            byte[] data = new byte[1000];
            random.nextBytes(data);
            System.arraycopy(data, 0, content, at, data.length);
        }
        file = Files.write(folder.resolve("disk.img"), content);
    }

    @AfterEach
    void close() {
        blobs.close();
    }

    private List<String> written() {
        return blobs.requested("PUT", "page").stream()
                .map(request -> request.header("x-ms-range"))
                .toList();
    }

    /** Takes effect, and its response is lost on the way, as far as the client can know. */
    private static Function<StubRequest, BlobStubResponse> losing(
            int number, Function<StubRequest, BlobStubResponse> service, AtomicInteger count) {
        return request -> {
            BlobStubResponse response = service.apply(request);
            return count.getAndIncrement() == number ? BlobStubResponse.refusal(500, "InternalError") : response;
        };
    }

    @Test
    @DisplayName("TRANSFER-1: an upload sends the runs with data once, and marks the blob until its end")
    void sendsRuns() {
        List<Map<String, String>> seen = new ArrayList<>();
        blobs.respond(request -> {
            if (request.is("PUT", "page")) {
                seen.add(Map.copyOf(pages.metadata()));
            }
            return pages.apply(request);
        });

        FileUpload upload = disk.upload(file, o -> o.metadata(Map.of("owner", "me")));

        assertThat(pages.content()).isEqualTo(content);
        assertThat(written()).hasSize(5).doesNotHaveDuplicates();
        assertThat(upload.bytesSent()).isEqualTo(5 * 1024);
        assertThat(upload.bytesResumed()).isZero();
        assertThat(seen).allMatch(metadata -> metadata.containsKey("x-ms-meta-stowlineunfinished"));
        assertThat(pages.metadata())
                .containsEntry("x-ms-meta-owner", "me")
                .doesNotContainKey("x-ms-meta-stowlineunfinished");
        assertThat(upload.blob().blob().metadata()).isEqualTo(Map.of("owner", "me"));
        assertThat(blobs.memory().now()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-0, TRANSFER-1: an upload survives the loss of any response")
    void survivesEachLostResponse() {
        disk.upload(file);
        int requests = blobs.requested().size();
        assertThat(requests).isGreaterThanOrEqualTo(10);
        for (int number = 0; number < requests; number++) {
            StoredPages fresh = new StoredPages();
            blobs.respond(losing(number, fresh, new AtomicInteger()));

            FileUpload upload = disk.upload(file);

            assertThat(fresh.content()).as("request %d", number).isEqualTo(content);
            assertThat(upload.bytesSent()).isEqualTo(5 * 1024);
            assertThat(fresh.metadata()).doesNotContainKey("x-ms-meta-stowlineunfinished");
        }
    }

    @Test
    @DisplayName("TRANSFER-1: an upload that failed at any request goes on, and sends nothing that is in use")
    void goesOnAfterEachFailure() {
        disk.upload(file);
        int requests = blobs.requested().size();
        for (int number = 0; number < requests; number++) {
            StoredPages fresh = new StoredPages().listing(1);
            AtomicInteger count = new AtomicInteger();
            int failing = number;
            blobs.respond(request -> count.getAndIncrement() == failing
                    ? BlobStubResponse.refusal(400, "InvalidHeaderValue")
                    : fresh.apply(request));
            assertThat(catchThrowable(() -> disk.upload(file, o -> o.parallelism(1))))
                    .as("request %d", number)
                    .isNotNull();
            assertThat(blobs.memory().now()).isZero();
            blobs.respond(fresh);

            if (number == requests - 1) {
                // Only the last look at the finished blob failed.
                assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> disk.upload(file));
                continue;
            }
            blobs.requested().clear();
            FileUpload upload = disk.upload(file);

            assertThat(fresh.content()).as("request %d", number).isEqualTo(content);
            assertThat(upload.bytesSent() + upload.bytesResumed()).isEqualTo(5 * 1024);
            assertThat(written()).hasSize((int) (upload.bytesSent() / 1024));
        }
    }

    @Test
    @DisplayName("TRANSFER-5: another blob is refused, and so is the unfinished upload of another state of the file")
    void refusesOthers() throws IOException {
        blobs.respond(request -> request.is("PUT", "page")
                ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                : pages.apply(request));
        assertThat(catchThrowable(() -> disk.upload(file))).isNotNull();
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000));
        blobs.respond(pages);

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> disk.upload(file))
                .withMessageContaining("another state of this one, has not ended");
        assertThat(disk.upload(file, o -> o.overwrite()).bytesSent()).isEqualTo(5 * 1024);
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> disk.upload(file))
                .withMessageContaining(": there is a blob of this name [");
        assertThat(pages.content()).isEqualTo(content);
    }

    @Test
    @DisplayName("TRANSFER-5: an upload whose blob is replaced in between is a conflict and leaves the other mark")
    void isOvertaken() {
        AtomicInteger writes = new AtomicInteger();
        blobs.respond(request -> {
            BlobStubResponse response = pages.apply(request);
            if (request.is("PUT", "page") && writes.incrementAndGet() == 5) {
                pages.metadata().put("x-ms-meta-stowlineunfinished", "7 another");
            }
            return response;
        });

        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> disk.upload(file))
                .withMessageContaining("another upload or writer has replaced the blob");
        assertThat(pages.metadata()).containsEntry("x-ms-meta-stowlineunfinished", "7 another");
    }

    @Test
    @DisplayName("TRANSFER-1: a file that changes during its upload leaves the blob unfinished")
    void notesChanges() {
        blobs.respond(request -> {
            if (request.is("PUT", "page")) {
                try {
                    Files.setLastModifiedTime(file, FileTime.fromMillis(5_000_000));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
            return pages.apply(request);
        });

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> disk.upload(file))
                .withMessageContaining("was modified at");
        assertThat(pages.metadata()).containsKey("x-ms-meta-stowlineunfinished");
        assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> disk.upload(folder.resolve("none")));
    }

    @Test
    void listsInPages() {
        disk.upload(file);
        blobs.requested().clear();

        try (Stream<PageRange> ranges = disk.ranges()) {
            assertThat(ranges.map(PageRange::offset))
                    .containsExactly(0L, 1L << 20, 5L << 20, 9L << 20, (long) SIZE - 1024);
        }
        assertThat(blobs.requested("GET", "pagelist")).hasSize(3);
        blobs.requested().clear();
        try (Stream<PageRange> ranges = disk.ranges()) {
            assertThat(ranges.findFirst()).contains(new PageRange(0, 1024));
        }
        assertThat(blobs.requested("GET", "pagelist")).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void downloadsReadNoHoles() throws IOException {
        disk.upload(file);
        blobs.requested().clear();
        Path back = folder.resolve("back.img");

        disk.downloadTo(back);

        assertThat(Files.mismatch(file, back)).isEqualTo(-1);
        assertThat(blobs.requested().stream()
                        .filter(request ->
                                request.is("GET", "") && !request.query().contains("comp="))
                        .map(request -> request.header("x-ms-range")))
                .as("ranges of a MiB, the last one always")
                .containsExactlyInAnyOrder(
                        "bytes=0-1048575", "bytes=1048576-2097151", "bytes=5242880-6291455", "bytes=9437184-10485759");
        assertThat(blobs.requested("GET", "pagelist")).allMatch(request -> request.header("If-Match") != null);
    }

    @Test
    @DisplayName(
            "TRANSFER-2: a download that failed reads what is missing, and its holes are of the version that it reads")
    void downloadsGoOn() throws IOException {
        disk.upload(file);
        Path back = folder.resolve("back.img");
        blobs.respond(request -> "bytes=9437184-10485759".equals(request.header("x-ms-range"))
                ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                : pages.apply(request));
        assertThat(catchThrowable(
                        () -> disk.downloadTo(back, o -> o.rangeSize(1 << 20).parallelism(1))))
                .isNotNull();
        assertThat(back).doesNotExist();
        blobs.respond(pages);
        blobs.requested().clear();

        assertThat(disk.downloadTo(back).bytesResumed()).isEqualTo(3 << 20);
        assertThat(Files.mismatch(file, back)).isEqualTo(-1);
        assertThat(blobs.requested("GET", "").stream().map(request -> request.header("x-ms-range")))
                .containsExactly("bytes=9437184-10485759");
    }

    @Test
    @DisplayName("OUTCOME-4: the error of a piece does not claim that the rest was not written")
    void namesThePiece() {
        disk.create(SIZE);
        blobs.respond(request -> "bytes=4194304-8388607".equals(request.header("x-ms-range"))
                ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                : pages.apply(request));

        assertThatExceptionOfType(AuthenticationException.class)
                .isThrownBy(() -> disk.write(0, new byte[SIZE]))
                .withMessageContaining("this is the piece from offset 4194304, one of 3: others may have been written");
        blobs.respond(pages);
        assertThat(disk.write(0, content).mayHaveRepeated()).isFalse();
        assertThat(pages.content()).isEqualTo(content);
    }

    @Test
    void refusesWhatDoesNotFit() {
        disk.create(1024);

        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> disk.write(1024, new byte[512]))
                .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("InvalidPageRange"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> disk.create(512, o -> o.metadata(Map.of("a", "b".repeat(8180)))))
                .withMessageContaining("more than the limit of 8192");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> disk.createIfMissing(512, o -> o.overwrite()))
                .withMessageContaining("it takes no overwrite");
    }
}
