package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.StoredBlob;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.PreconditionFailedException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Directories that the service copies, from one account to another one. */
@Timeout(120)
class ServedCopyTest {

    private static final int MANY = 1_000;

    private final StoredBlob stored = new StoredBlob(new byte[100]);
    private final StubBlobs sources = new StubBlobs(requested -> BlobStubResponse.refusal(400, "Unexpected"));
    private final StubBlobs targets = new StubBlobs(requested -> BlobStubResponse.refusal(400, "Unexpected"));
    private final BlobContainer photos = sources.container();
    private final BlobContainer archive = targets.container();
    private final List<Item> items = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        sources.close();
        targets.close();
    }

    /** Lists so many blobs below {@code s/} in the source; the target is empty and takes all. */
    private void directory(int number) {
        byte[] names = listing(IntStream.range(0, number)
                .mapToObj(i -> "<Blob><Name>s/%05d</Name><Properties>".formatted(i)
                        + "<Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>v1</Etag>"
                        + "<Content-Length>100</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>")
                .collect(Collectors.joining()));
        sources.respond(requested -> requested.is("GET", "list") ? listed(names) : stored.apply(requested));
        targets.respond(ServedCopyTest::takes);
    }

    private static byte[] listing(String items) {
        return ("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>" + items
                        + "</Blobs><NextMarker/></EnumerationResults>")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static BlobStubResponse listed(byte[] names) {
        return BlobStubResponse.of(200).with("Content-Type", "application/xml").body(names);
    }

    private static BlobStubResponse takes(StubRequest requested) {
        if (requested.is("GET", "list")) {
            return listed(listing(""));
        }
        return requested.method().equals("PUT")
                ? BlobStubResponse.of(201)
                : BlobStubResponse.refusal(404, "BlobNotFound");
    }

    private TransferReport copied(UnaryOperator<DirectorySettings.Builder> settings) {
        return photos.copyDirectory("s", archive, "t", with -> settings.apply(with.eachItem(items::add)))
                .join();
    }

    private static boolean isFromUrl(StubRequest requested) {
        return requested.header("x-ms-copy-source") != null;
    }

    private List<StubRequest> puts() {
        return targets.requested().stream()
                .filter(requested -> requested.method().equals("PUT"))
                .toList();
    }

    @Test
    @DisplayName("B4: the service copies a directory across accounts, and no content travels through the client")
    void byTheService() {
        directory(MANY);

        TransferReport report = copied(with -> with);

        assertThat(report.transferred()).isEqualTo(MANY);
        assertThat(report.copied()).isEqualTo(MANY);
        assertThat(report.bytes()).isEqualTo(100L * MANY);
        assertThat(items).hasSize(MANY).allSatisfy(item -> assertThat(item.action())
                .isEqualTo(Action.COPIED));
        assertThat(puts()).hasSize(MANY).allSatisfy(put -> {
            assertThat(put.body()).isEmpty();
            assertThat(put.header("x-ms-source-if-match")).isEqualTo("\"v1\"");
        });
        assertThat(puts().stream().map(StubRequest::path).distinct()).hasSize(MANY);
        assertThat(sources.requested("GET", "")).isEmpty();
        assertThat(targets.memory().now()).isZero();
    }

    private static long bytes(StubBlobs side) {
        return side.requested().stream()
                .mapToLong(requested -> requested.body().length)
                .sum();
    }

    @Test
    @Tag("soak")
    @DisplayName("B4: 10,000 blobs of 16 KiB across two accounts are 20,002 requests, and none carries content")
    void tenThousand() {
        directory(10_000);
        stored.changeTo(new byte[16 << 10], "\"v1\"");

        long start = System.nanoTime();
        TransferReport report = copied(with -> with);
        Duration took = Duration.ofNanos(System.nanoTime() - start);

        assertThat(report.copied()).isEqualTo(10_000);
        assertThat(report.bytes()).isEqualTo(10_000L * (16 << 10));
        assertThat(sources.requested()).hasSize(10_001).allSatisfy(requested -> assertThat(
                        requested.method().equals("HEAD") || requested.is("GET", "list"))
                .isTrue());
        assertThat(targets.requested()).hasSize(10_001);
        assertThat(bytes(sources) + bytes(targets)).isZero();
        System.out.println("10,000 blobs of 16 KiB by the service: " + took);
    }

    @Test
    @DisplayName("B4: streamed() keeps the way through the client, and the report says so")
    void streamed() {
        directory(3);

        TransferReport report = copied(DirectorySettings.Builder::streamed);

        assertThat(report.transferred()).isEqualTo(3);
        assertThat(report.copied()).isZero();
        assertThat(items).allSatisfy(item -> assertThat(item.action()).isEqualTo(Action.TRANSFERRED));
        assertThat(puts()).hasSize(3).noneMatch(ServedCopyTest::isFromUrl);
    }

    @ParameterizedTest
    @CsvSource({"501, APINotImplemented", "403, CannotVerifyCopySource", "404, CannotVerifyCopySource"})
    @DisplayName("B4: where the service refuses the way, this blob and all later ones take that through the client")
    void refusedWay(int status, String code) {
        directory(50);
        targets.respond(requested -> isFromUrl(requested) ? BlobStubResponse.refusal(status, code) : takes(requested));

        TransferReport report = copied(with -> with.parallelism(4));

        assertThat(report.transferred()).isEqualTo(50);
        assertThat(report.copied()).isZero();
        assertThat(puts().stream().filter(ServedCopyTest::isFromUrl)).hasSizeBetween(1, 8);
        assertThat(puts().stream().filter(put -> !isFromUrl(put))).hasSize(50);
    }

    @Test
    @DisplayName("B4: a view whose headers the service would not send to the source takes the way through the client")
    void headersOfAView() {
        directory(2);
        TransferReport report = photos.withHeader("x-ms-encryption-algorithm", "AES256")
                .copyDirectory("s", archive, "t", with -> with)
                .join();
        assertThat(report.copied()).isZero();
        assertThat(report.transferred()).isEqualTo(2);
    }

    @Test
    @DisplayName("COPY-1: a source that changes fails its blob, which is not copied in another way, and the others are"
            + " copied")
    void changedSource() {
        directory(20);
        AtomicInteger refused = new AtomicInteger();
        targets.respond(requested -> isFromUrl(requested) && refused.getAndIncrement() == 0
                ? BlobStubResponse.refusal(412, "SourceConditionNotMet")
                : takes(requested));

        TransferReport report = copied(DirectorySettings.Builder::collectFailures);

        assertThat(report.copied()).isEqualTo(19);
        assertThat(report.failed()).isOne();
        assertThat(report.failures().get(0).error()).isInstanceOf(PreconditionFailedException.class);
        assertThat(puts()).hasSize(20);

        refused.set(0);
        assertThatExceptionOfType(TransferFailedException.class).isThrownBy(() -> copied(with -> with));
        assertThat(copied(with -> with).copied()).isEqualTo(20);
    }

    @Test
    @DisplayName("B4: a dry run names the way and copies nothing, and settings of the upload go with each copy")
    void settings() {
        directory(2);
        assertThat(copied(DirectorySettings.Builder::dryRun).copied()).isEqualTo(2);
        assertThat(puts()).isEmpty();
        copied(with -> with.overwrite(Overwrite.ALWAYS).upload((name, each) -> each.contentType("image/png")));
        assertThat(puts()).hasSize(2).allSatisfy(put -> {
            assertThat(put.header("x-ms-blob-content-type")).isEqualTo("image/png");
            assertThat(put.header("If-None-Match")).isNull();
        });
    }
}
