package io.stowline.blob.internal.directory;

import static io.stowline.blob.internal.base.StubBlobs.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stowline.blob.BlobContainer;
import io.stowline.blob.DirectorySettings.Overwrite;
import io.stowline.blob.Transfer;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.error.ClosedException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The deletions of mirrors on the wire. */
@Timeout(60)
class MirrorDeletionsTest {

    private static final Pattern PART = Pattern.compile(
            "Content-ID: (\\d+)\r\n\r\nDELETE /acct/photos/(\\S+) HTTP/1.1\r\n(.*?)\r\n\r\n", Pattern.DOTALL);

    private final StubBlobs blobs = new StubBlobs(requested -> BlobStubResponse.refusal(400, "Unexpected"));
    private final BlobContainer photos = blobs.container().withRetry(with -> with.retries(0));

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        blobs.close();
    }

    private static List<MatchResult> parts(StubRequest requested) {
        return PART.matcher(new String(requested.body(), StandardCharsets.UTF_8))
                .results()
                .toList();
    }

    private static BlobStubResponse listing(String prefix, int number) {
        return listing(prefix, number, "");
    }

    private static BlobStubResponse listing(String prefix, int number, String next) {
        String items = IntStream.range(0, number)
                .mapToObj(i -> "<Blob><Name>" + prefix + name(i) + "</Name><Properties>"
                        + "<Last-Modified>Thu, 29 Feb 2024 12:00:00 GMT</Last-Modified><Etag>v" + i + "</Etag>"
                        + "<Content-Length>1</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>")
                .collect(Collectors.joining());
        return BlobStubResponse.of(200)
                .with("Content-Type", "application/xml")
                .body(("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>" + items
                                + "</Blobs><NextMarker>" + next + "</NextMarker></EnumerationResults>")
                        .getBytes(StandardCharsets.UTF_8));
    }

    private static String name(int number) {
        return "%04d".formatted(number);
    }

    private static BlobStubResponse batch(StubRequest requested, ToIntFunction<String> status) {
        String responses = parts(requested).stream()
                .map(part -> {
                    int code = status.applyAsInt(part.group(2));
                    String error = code == 404 ? "BlobNotFound" : "ConditionNotMet";
                    return "--answer\r\nContent-Type: application/http\r\nContent-ID: " + part.group(1)
                            + "\r\n\r\nHTTP/1.1 " + code + " x\r\n"
                            + (code < 400 ? "" : "x-ms-error-code: " + error + "\r\n") + "Content-Length: 0\r\n\r\n";
                })
                .collect(Collectors.joining());
        return BlobStubResponse.of(202)
                .with("Content-Type", "multipart/mixed; boundary=answer")
                .body((responses + "--answer--\r\n").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @DisplayName("TRANSFER-4: a listing of other blobs than those below the directory deletes nothing")
    void foreignNames() {
        blobs.respond(requested -> requested.is("GET", "list") ? listing("other/", 3) : batch(requested, name -> 202));

        assertThatExceptionOfType(TransferFailedException.class)
                .isThrownBy(() -> photos.uploadDirectory(folder, "d", with -> with.mirror())
                        .join())
                .withCauseInstanceOf(ProtocolException.class);
        assertThatExceptionOfType(TransferFailedException.class)
                .isThrownBy(() -> photos.deleteDirectory("d", with -> with).join())
                .withCauseInstanceOf(ProtocolException.class);
        assertThat(blobs.requested()).allMatch(requested -> requested.is("GET", "list"));
    }

    @Test
    @DisplayName("B6: a mirror deletes 600 blobs by three requests, each blob in the version that was listed")
    void groups() {
        blobs.respond(requested -> requested.is("GET", "list") ? listing("d/", 600) : batch(requested, name -> 202));
        List<TransferProgress> shown = new CopyOnWriteArrayList<>();

        TransferReport report = photos.uploadDirectory(
                        folder, "d", with -> with.mirror().progress(shown::add))
                .join();

        assertThat(report.deleted()).isEqualTo(600);
        assertThat(report.cancelled()).isZero();
        assertThat(shown.get(shown.size() - 1).blobsDone()).isEqualTo(600);
        assertThat(blobs.requested("GET", "list")).hasSize(1);
        List<StubRequest> batches = blobs.requested("POST", "batch");
        assertThat(batches.stream().map(requested -> parts(requested).size())).containsExactlyInAnyOrder(256, 256, 88);
        assertThat(blobs.requested()).hasSize(4);
        assertThat(batches).flatExtracting(MirrorDeletionsTest::parts).allSatisfy(part -> {
            int number = Integer.parseInt(part.group(2).replaceAll("d(/|%2F)", ""));
            assertThat(part.group(3)).contains("If-Match: \"v" + number + "\"").contains("Authorization: SharedKey");
        });
    }

    @Test
    @DisplayName("TRANSFER-4: a group in flight when the client is closed counts, and the listing goes no further")
    void closedInFlight() {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger pages = new AtomicInteger();
        blobs.respond(requested -> {
            if (requested.is("GET", "list")) {
                int page = pages.incrementAndGet();
                return listing("d/%06d/".formatted(page), 256, "page" + page);
            }
            sent.countDown();
            await(goOn);
            return batch(requested, name -> 202);
        });
        Transfer transfer = photos.deleteDirectory("d", with -> with);
        await(sent);

        CompletableFuture<Void> closing = blobs.closing();
        goOn.countDown();
        closing.join();

        TransferFailedException end = catchThrowableOfType(TransferFailedException.class, transfer::join);
        assertThat(end).hasCauseInstanceOf(ClosedException.class);
        int groups = blobs.requested("POST", "batch").size();
        assertThat(end.report().deleted()).isEqualTo(groups * 256L);
        assertThat(end.report().cancelled()).isZero();
    }

    @Test
    @DisplayName("TRANSFER-4: a group that the close of the client cuts short is cancelled, not failed")
    void cutInFlight() {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        blobs.respond(requested -> {
            if (requested.is("GET", "list")) {
                return listing("d/", 300);
            }
            sent.countDown();
            await(goOn);
            return batch(requested, name -> 202);
        });
        Transfer transfer = photos.deleteDirectory("d", with -> with.collectFailures());
        await(sent);

        blobs.abandon();

        TransferFailedException end = catchThrowableOfType(TransferFailedException.class, transfer::join);
        goOn.countDown();
        assertThat(end.report().failed()).isZero();
        assertThat(end.report().deleted()).isZero();
        assertThat(end.report().cancelled()).isPositive();
    }

    @Test
    @DisplayName("B6: a blob that changed since it was listed fails alone, and one that is gone is no end")
    void changedBlobs() {
        blobs.respond(requested -> requested.is("GET", "list")
                ? listing("d/", 10)
                : batch(requested, name -> name.endsWith("0003") ? 412 : name.endsWith("0004") ? 404 : 202));

        TransferReport report = photos.uploadDirectory(
                        folder, "d", with -> with.mirror().collectFailures())
                .join();

        assertThat(report.deleted()).isEqualTo(8);
        assertThat(report.failures()).singleElement().satisfies(item -> {
            assertThat(item.name()).isEqualTo("0003");
            assertThat(item.error()).isInstanceOf(PreconditionFailedException.class);
        });
        assertThat(report.cancelled()).isZero();
    }

    @Test
    @DisplayName("B6: where the service takes no batches, each blob is deleted by a request with the same condition")
    void fallsBack() {
        blobs.respond(requested -> requested.is("GET", "list")
                ? listing("d/", 300)
                : requested.method().equals("POST")
                        ? BlobStubResponse.refusal(501, "NotImplemented")
                        : BlobStubResponse.of(202));

        TransferReport report =
                photos.uploadDirectory(folder, "d", with -> with.mirror()).join();

        assertThat(report.deleted()).isEqualTo(300);
        assertThat(blobs.requested("POST", "batch")).hasSizeBetween(1, 2);
        assertThat(blobs.requested("DELETE", "")).hasSize(300).allSatisfy(requested -> assertThat(
                        requested.header("If-Match"))
                .isEqualTo("\"v" + Integer.parseInt(requested.path().replaceAll(".*(/|%2F)", "")) + "\""));
    }

    @Test
    @DisplayName("TRANSFER-4: a copy that mirrors looks at each source once more, and deletes what has none")
    void copies() {
        blobs.respond(requested -> {
            if (requested.is("GET", "list")) {
                return requested.query().contains("prefix=t") ? listing("t/", 300) : listing("s/", 0);
            }
            if (requested.method().equals("HEAD")) {
                return requested.path().endsWith("0007")
                        ? BlobStubResponse.of(200).with("x-ms-blob-type", "BlockBlob")
                        : BlobStubResponse.refusal(404, "BlobNotFound");
            }
            return batch(requested, name -> 202);
        });
        List<Item> items = new CopyOnWriteArrayList<>();

        TransferReport report = photos.copyDirectory(
                        "s", photos, "t", with -> with.mirror().eachItem(items::add))
                .join();

        assertThat(report.deleted()).isEqualTo(299);
        assertThat(report.skipped()).isOne();
        assertThat(items)
                .filteredOn(item -> item.action() == Action.SKIPPED)
                .singleElement()
                .satisfies(item -> {
                    assertThat(item.name()).isEqualTo("0007");
                    assertThat(item.error()).hasMessage("photos/s/0007 is there again");
                });
        assertThat(items).hasSize(300);
        assertThat(blobs.requested("HEAD", "")).hasSize(300);
        assertThat(blobs.requested("POST", "batch").stream()
                        .map(requested -> parts(requested).size()))
                .containsExactlyInAnyOrder(255, 44);
    }

    @Test
    @DisplayName("TRANSFER-4: a dry run of a mirror deletes nothing and names what it would delete")
    void dryRuns() {
        blobs.respond(requested -> listing("d/", 300));
        List<Item> items = new CopyOnWriteArrayList<>();

        TransferReport report = photos.uploadDirectory(
                        folder, "d", with -> with.mirror().dryRun().eachItem(items::add))
                .join();

        assertThat(report.deleted()).isEqualTo(300);
        assertThat(items).extracting(Item::name).contains("0000", "0299").hasSize(300);
        assertThat(blobs.requested()).hasSize(1);
    }

    @Test
    @DisplayName("TRANSFER-4: a missing container is the failure of each blob of a group")
    void missingContainers() {
        blobs.respond(requested ->
                requested.is("GET", "list") ? listing("d/", 3) : BlobStubResponse.refusal(404, "ContainerNotFound"));

        TransferReport report = photos.uploadDirectory(
                        folder, "d", with -> with.mirror().collectFailures())
                .join();

        assertThat(report.failed()).isEqualTo(3);
        assertThat(report.failures()).extracting(Item::name).containsExactly("0000", "0001", "0002");
    }

    @ParameterizedTest(name = "{0} attempts lose their answer")
    @ValueSource(ints = {1, 2, 3})
    @DisplayName(
            "OUTCOME-3: after a lost response a condition that fails on a blob that is gone means that it was deleted")
    void lostResponses(int lost) {
        AtomicInteger attempts = new AtomicInteger();
        blobs.respond(requested -> {
            boolean there = requested.path().endsWith("0003");
            if (requested.is("GET", "list")) {
                return listing("d/", 4);
            }
            if (requested.method().equals("HEAD")) {
                return there
                        ? BlobStubResponse.of(200).with("x-ms-blob-type", "BlockBlob")
                        : BlobStubResponse.refusal(404, "BlobNotFound");
            }
            if (attempts.getAndIncrement() < lost) {
                return BlobStubResponse.refusal(500, "InternalError");
            }
            return requested.method().equals("POST")
                    ? batch(requested, name -> 412)
                    : BlobStubResponse.refusal(412, "ConditionNotMet");
        });

        TransferReport report = blobs.container()
                .withRetry(with -> with.retries(1))
                .uploadDirectory(
                        folder, "d", with -> with.mirror().parallelism(1).collectFailures())
                .join();

        assertThat(report.deleted()).isEqualTo(3);
        assertThat(report.failures()).singleElement().satisfies(item -> assertThat(item.name())
                .isEqualTo("0003"));
    }

    @Test
    @DisplayName("TRANSFER-4: a failure that ends a transfer leaves no blob without its end, those in flight included")
    void hearsOfAll() throws Exception {
        List<Item> items = new CopyOnWriteArrayList<>();
        CountDownLatch begun = new CountDownLatch(5);
        CountDownLatch failed = new CountDownLatch(1);
        for (int i = 0; i < 6; i++) {
            Files.write(folder.resolve(name(i)), new byte[1]);
        }
        blobs.respond(requested -> {
            begun.countDown();
            boolean first = requested.path().endsWith("0000");
            await(first ? begun : failed);
            return BlobStubResponse.refusal(403, "AuthorizationFailure");
        });

        Transfer transfer = photos.uploadDirectory(folder, "d", with -> with.overwrite(Overwrite.ALWAYS)
                .parallelism(5)
                .eachItem(items::add));
        TransferFailedException end = catchThrowableOfType(TransferFailedException.class, transfer::join);
        List<Item> heard = List.copyOf(items);
        failed.countDown();

        assertThat(end.report().failed()).isOne();
        assertThat(heard).hasSize((int) (end.report().failed() + end.report().cancelled()));
        assertThat(heard)
                .filteredOn(item -> item.action() == Action.CANCELLED)
                .hasSizeGreaterThanOrEqualTo(4)
                .allSatisfy(item -> assertThat(item.error()).isInstanceOf(StorageException.class));
        assertThat(heard).extracting(Item::name).doesNotHaveDuplicates();
    }
}
