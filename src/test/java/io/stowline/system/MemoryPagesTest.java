package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.exception.HttpResponseException;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.BinaryData;
import com.azure.storage.blob.BlobClient;
import com.azure.storage.blob.BlobClientBuilder;
import com.azure.storage.blob.models.BlobRange;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobLease;
import io.stowline.blob.PageBlob;
import io.stowline.blob.PageRange;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteOutcome;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Page blobs of the account in memory do what the service documents. */
class MemoryPagesTest {

    private static final int PAGE = 512;

    @TempDir
    Path folder;

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline storage = Stowline.builder()
            .connectionString(memory.connectionString())
            .httpClient(memory.httpClient())
            .build();
    private final BlobContainer disks = storage.container("disks");
    private final PageBlob disk = disks.pageBlob("disk");

    @BeforeEach
    void create() {
        disks.create();
        disk.create(16 * PAGE, o -> o.metadata(Map.of("owner", "me")).sequenceNumber(3));
    }

    @AfterEach
    void close() {
        storage.close();
    }

    private static byte[] filled(int length, int with) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) with);
        return bytes;
    }

    private static List<PageRange> ranges(PageBlob blob) {
        try (Stream<PageRange> ranges = blob.ranges()) {
            return ranges.toList();
        }
    }

    @RepeatedTest(3)
    @DisplayName("writes, clears, reads, ranges and sizes do to the blob what they do to an array")
    void isLikeAnArray(RepetitionInfo repetition) {
        Random random = new Random(42 + repetition.getCurrentRepetition());
        byte[] model = new byte[16 * PAGE];
        for (int step = 1; step <= 150; step++) {
            int all = model.length / PAGE;
            int from = random.nextInt(all);
            int count = 1 + random.nextInt(all - from);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    byte[] some = filled(count * PAGE, step);
                    disk.write((long) from * PAGE, some);
                    System.arraycopy(some, 0, model, from * PAGE, some.length);
                }
                case 2 -> {
                    disk.clear((long) from * PAGE, (long) count * PAGE);
                    Arrays.fill(model, from * PAGE, (from + count) * PAGE, (byte) 0);
                }
                case 3 -> {
                    int at = random.nextInt(model.length);
                    int length = random.nextInt(model.length - at + 1);
                    assertThat(disk.read(at, length)).isEqualTo(Arrays.copyOfRange(model, at, at + length));
                }
                default -> {
                    model = Arrays.copyOf(model, (1 + random.nextInt(24)) * PAGE);
                    disk.resize(model.length);
                }
            }
            assertThat(disk.info().size()).isEqualTo(model.length);
            byte[] used = new byte[model.length];
            for (PageRange range : ranges(disk)) {
                System.arraycopy(model, (int) range.offset(), used, (int) range.offset(), (int) range.length());
            }
            assertThat(used).isEqualTo(model);
        }
        assertThat(disks.download("disk")).isEqualTo(model);
    }

    @Test
    @DisplayName("ranges in use are listed joined, in parts, and without cleared pages")
    void lists() {
        disk.write(PAGE, filled(2 * PAGE, 1));
        disk.write(3 * PAGE, filled(PAGE, 2));
        disk.write(9 * PAGE, filled(PAGE, 3));
        assertThat(ranges(disk)).containsExactly(new PageRange(PAGE, 3 * PAGE), new PageRange(9 * PAGE, PAGE));
        disk.clear(2 * PAGE, PAGE);

        assertThat(sdk().getPageBlobClient()
                        .listPageRanges(new BlobRange(PAGE, 3L * PAGE))
                        .iterableByPage(1)
                        .iterator()
                        .next()
                        .getContinuationToken())
                .isEqualTo(Integer.toString(3 * PAGE));
        assertThat(sdk().getPageBlobClient().listPageRanges(new BlobRange(PAGE, 3L * PAGE)).stream()
                        .map(item -> item.getRange().getOffset()))
                .containsExactly((long) PAGE, 3L * PAGE);
    }

    /** Each account has a name of its own, which the connection string names. */
    private String address(String target) {
        String text = memory.connectionString();
        return text.substring(text.indexOf("BlobEndpoint=") + "BlobEndpoint=".length()) + target;
    }

    private BlobClient sdk() {
        return new BlobClientBuilder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .containerName("disks")
                .blobName("disk")
                .buildClient();
    }

    @Test
    @DisplayName("sequence numbers are set, raised and required")
    void sequenceNumbers() {
        assertThat(disk.info().sequenceNumber()).isEqualTo(3);
        disk.setSequenceNumber(5);
        disk.raiseSequenceNumber(9);
        disk.raiseSequenceNumber(2);
        assertThat(disk.info().sequenceNumber()).isEqualTo(9);
        sdk().getPageBlobClient()
                .updateSequenceNumber(com.azure.storage.blob.models.SequenceNumberActionType.INCREMENT, null);

        disk.ifSequenceNumberEqual(10).write(0, filled(PAGE, 1));
        disk.ifSequenceNumberLess(11).write(0, filled(PAGE, 2));
        disk.ifSequenceNumberLessOrEqual(10).write(0, filled(PAGE, 3));
        for (PageBlob older : List.of(
                disk.ifSequenceNumberEqual(9), disk.ifSequenceNumberLess(10), disk.ifSequenceNumberLessOrEqual(9))) {
            assertThatExceptionOfType(PreconditionFailedException.class)
                    .isThrownBy(() -> older.write(0, filled(PAGE, 4)))
                    .satisfies(e -> assertThat(e.failure().errorCode()).isEqualTo("SequenceNumberConditionNotMet"));
        }
        assertThat(disk.read(0, 1)).containsExactly(3);
    }

    @Test
    @DisplayName("a change of the size or number alone keeps the headers, and other kinds of blobs have no pages")
    void properties() {
        disks.setHeaders("disk", headers -> headers.contentType("image/x"));
        String before = disk.info().blob().etag();
        disk.resize(PAGE);
        disk.setSequenceNumber(1);

        assertThat(disk.info().blob().headers().contentType()).isEqualTo("image/x");
        assertThat(disk.info().blob().metadata()).isEqualTo(Map.of("owner", "me"));
        assertThat(disk.info().blob().etag()).isNotEqualTo(before);
        disks.upload(new byte[PAGE], "block");
        PageBlob block = disks.pageBlob("block");
        for (var call : List.<Runnable>of(
                () -> block.write(0, new byte[PAGE]), () -> ranges(block), () -> block.createIfMissing(PAGE))) {
            assertThatExceptionOfType(ConflictException.class).isThrownBy(call::run);
        }
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> disks.appendBlob("disk").append(new byte[3]));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> disk.create(PAGE));
        assertThat(disks.stream().map(blob -> blob.name() + " " + blob.size()))
                .containsExactly("block 512", "disk 512");
    }

    @Test
    @DisplayName("a write needs the lease of a leased blob")
    void lease() {
        try (BlobLease lease = disks.lease("disk", Duration.ofSeconds(30))) {
            disks.withLease(lease).pageBlob("disk").write(0, filled(PAGE, 1));
            assertThatExceptionOfType(PreconditionFailedException.class).isThrownBy(() -> disk.clear(0, PAGE));
        }
        assertThat(disk.read(0, 1)).containsExactly(1);
    }

    @Test
    @DisplayName("a lost response to a write of pages is settled by reading them back")
    void lostResponse() {
        memory.loseNextResponse("PUT", "/disk");
        assertThat(disk.write(0, filled(PAGE, 1)).outcome()).isEqualTo(WriteOutcome.CONFIRMED);
        memory.loseNextResponse("PUT", "/disk");
        assertThat(disks.withRetry(r -> r.retries(0))
                        .pageBlob("disk")
                        .write(0, filled(PAGE, 2))
                        .outcome())
                .isEqualTo(WriteOutcome.RECOVERED);
    }

    @Test
    @DisplayName("pages behind the end are 416, and a blob of terabytes takes no memory")
    void behindTheEnd() {
        assertThat(catchThrowableOfType(StorageException.class, () -> disk.write(16 * PAGE, new byte[PAGE]))
                        .failure()
                        .errorCode())
                .isEqualTo("InvalidPageRange");
        assertThatExceptionOfType(BadRequestException.class).isThrownBy(() -> disk.clear(0, 17 * PAGE));
        disk.resize(1L << 42);
        disk.write((1L << 42) - PAGE, filled(PAGE, 5));
        assertThat(disk.read((1L << 42) - 1, 9)).containsExactly(5);
        disk.resize(0);
        assertThat(disk.read(0, 5)).isEmpty();
        assertThat(ranges(disk)).isEmpty();
    }

    @Test
    @DisplayName("Copy Blob copies the pages in use, and a failed copy leaves none")
    void copies() {
        disk.write(3 * PAGE, filled(PAGE, 4));
        disks.startCopy(disks, "disk", "copy").join();
        PageBlob copy = disks.pageBlob("copy");

        assertThat(copy.info().size()).isEqualTo(16 * PAGE);
        assertThat(ranges(copy)).containsExactly(new PageRange(3 * PAGE, PAGE));
        assertThat(copy.read(0, 16 * PAGE)).isEqualTo(disk.read(0, 16 * PAGE));
        copy.write(0, filled(PAGE, 5));
        assertThat(disk.read(0, PAGE)).containsOnly(0);
        memory.holdCopies();
        var started = disks.startCopy(disks, "disk", "failed");
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> disks.pageBlob("failed").write(0, filled(PAGE, 1)));
        memory.endCopies("failed");
        assertThat(disks.pageBlob("failed").info().size()).isZero();
        assertThatExceptionOfType(StorageException.class).isThrownBy(started::join);
    }

    @Test
    @DisplayName("a file travels there and back without its zeros")
    void files() throws Exception {
        Path file = folder.resolve("image");
        byte[] bytes = new byte[9 << 20];
        Arrays.fill(bytes, 5 << 20, (5 << 20) + 3, (byte) 1);
        Files.write(file, bytes);

        assertThat(disk.upload(file, o -> o.overwrite()).bytesSent()).isLessThanOrEqualTo(128 << 10);
        disk.downloadTo(folder.resolve("back"));
        assertThat(Files.mismatch(file, folder.resolve("back"))).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({
        "/disks/disk?comp=page, x-ms-page-write=update;x-ms-range=bytes=1-512, 512, 400, InvalidHeaderValue",
        "/disks/disk?comp=page, x-ms-page-write=update;x-ms-range=bytes=0-511, 511, 400, InvalidHeaderValue",
        "/disks/disk?comp=page, x-ms-page-write=update;x-ms-range=bytes=0-, 512, 400, InvalidHeaderValue",
        "/disks/disk?comp=page, x-ms-page-write=change;x-ms-range=bytes=0-511, 0, 400, InvalidHeaderValue",
        "/disks/disk?comp=page, x-ms-page-write=clear;x-ms-range=bytes=0-511, 512, 400, InvalidHeaderValue",
        "/disks/disk?comp=page, x-ms-range=bytes=0-511, 512, 400, MissingRequiredHeader",
        "/disks/disk?comp=page, x-ms-page-write=update;x-ms-range=bytes=0-8388607, 8388608, 413, RequestBodyTooLarge",
        "/disks/other?comp=page, x-ms-page-write=update;x-ms-range=bytes=0-511, 512, 404, BlobNotFound",
        "/disks/new, x-ms-blob-type=PageBlob;x-ms-blob-content-length=100, 0, 400, InvalidHeaderValue",
        "/disks/new, x-ms-blob-type=PageBlob;x-ms-blob-content-length=512, 9, 400, InvalidHeaderValue",
        "/disks/new, x-ms-blob-type=PageBlob, 0, 400, MissingRequiredHeader",
        "/disks/disk?comp=properties, x-ms-sequence-number-action=update, 0, 400, MissingRequiredHeader",
        "/disks/disk?comp=properties, x-ms-blob-content-length=5, 0, 400, InvalidHeaderValue"
    })
    @DisplayName("a request that the service refuses is refused, and changes nothing")
    void refuses(String target, String headers, int length, int status, String code) {
        String before = disk.info().blob().etag();
        HttpRequest request =
                new HttpRequest(HttpMethod.PUT, address(target)).setBody(BinaryData.fromBytes(new byte[length]));
        for (String header : headers.split(";")) {
            int value = header.indexOf('=');
            request.setHeader(
                    com.azure.core.http.HttpHeaderName.fromString(header.substring(0, value)),
                    header.substring(value + 1));
        }
        try (HttpResponse response = memory.httpClient().send(request).block()) {
            assertThat(response.getStatusCode()).isEqualTo(status);
            assertThat(response.getBodyAsString().block()).contains("<Code>" + code + "</Code>");
        }
        assertThat(disk.info().blob().etag()).isEqualTo(before);
        assertThatExceptionOfType(HttpResponseException.class)
                .isThrownBy(() -> sdk().getPageBlobClient().createSnapshot())
                .withMessageContaining("501");
    }
}
