package io.stowline.blob.internal.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import com.azure.storage.blob.models.AccessTier;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.blob.internal.base.StubBlobs.StubRequest;
import io.stowline.blob.internal.request.BlobBatchRequest.BatchedBlob;
import io.stowline.error.ClosedException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Batches of blobs on the wire. */
@Timeout(60)
class BatchOperationsTest {

    private static final Pattern PART =
            Pattern.compile("Content-ID: (\\d+)\r\n\r\n(\\w+) (/\\S+) HTTP/1.1\r\n(.*?)\r\n\r\n", Pattern.DOTALL);

    /** Stands for the 404 of a container. */
    private static final int NO_CONTAINER = 1404;

    private final StubBlobs blobs = new StubBlobs(requested -> batch(requested, name -> 202));
    private final BlobContainer photos = blobs.container();

    @AfterEach
    void close() {
        blobs.close();
    }

    private static List<MatchResult> parts(StubRequest requested) {
        return PART.matcher(new String(requested.body(), StandardCharsets.UTF_8))
                .results()
                .toList();
    }

    private static boolean isBatch(StubRequest requested) {
        return requested.query().contains("comp=batch");
    }

    private static String name(MatchResult part) {
        return part.group(3).replaceAll(".*/photos/|\\?.*", "");
    }

    /** The response of the service, with the parts in another order. */
    private static BlobStubResponse batch(StubRequest requested, Function<String, Integer> status) {
        List<String> responses = new ArrayList<>();
        for (MatchResult part : parts(requested)) {
            int meant = status.apply(name(part));
            int code = meant == NO_CONTAINER ? 404 : meant;
            responses.add("--answer\r\nContent-Type: application/http\r\nContent-ID: " + part.group(1)
                    + "\r\n\r\nHTTP/1.1 " + code + " x\r\nx-ms-request-id: p" + part.group(1) + "\r\n"
                    + (code < 400 ? "" : "x-ms-error-code: " + error(meant) + "\r\n") + "Content-Length: 0\r\n\r\n");
        }
        Collections.reverse(responses);
        return BlobStubResponse.of(202)
                .with("Content-Type", "multipart/mixed; boundary=answer")
                .body((String.join("", responses) + "--answer--\r\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String error(int status) {
        return switch (status) {
            case 404 -> "BlobNotFound";
            case NO_CONTAINER -> "ContainerNotFound";
            case 409 -> "SnapshotsPresent";
            case 503 -> "ServerBusy";
            default -> "Other";
        };
    }

    private static List<String> names(int number) {
        return IntStream.range(0, number).mapToObj(i -> "n" + i).toList();
    }

    private static List<Action> actions(List<Item> items) {
        return items.stream().map(Item::action).toList();
    }

    @Test
    @DisplayName("B6: 600 blobs are deleted by three requests, whose parts are signed each")
    void groups() {
        List<Item> ends = photos.deleteAll(names(600));
        assertThat(ends).hasSize(600).allMatch(end -> end.action() == Action.DELETED);
        assertThat(ends.stream().map(Item::name)).isEqualTo(names(600));
        assertThat(blobs.requested()).hasSize(3).allSatisfy(requested -> {
            assertThat(requested.method()).isEqualTo("POST");
            assertThat(requested.path()).endsWith("/photos");
            assertThat(requested.query()).contains("restype=container").contains("comp=batch");
            assertThat(requested.header("Content-Type")).startsWith("multipart/mixed; boundary=batch_");
            assertThat(requested.header("Authorization")).startsWith("SharedKey acct:");
        });
        assertThat(blobs.requested().stream().map(requested -> parts(requested).size()))
                .containsExactly(256, 256, 88);
        assertThat(parts(blobs.requested().get(0))).allSatisfy(part -> {
            assertThat(part.group(2)).isEqualTo("DELETE");
            assertThat(part.group(3)).startsWith("/acct/photos/n");
            assertThat(part.group(4))
                    .containsPattern("Authorization: SharedKey acct:[A-Za-z0-9+/]{43}=")
                    .contains("x-ms-date: ")
                    .contains("Content-Length: 0")
                    .doesNotContain("x-ms-version");
        });
    }

    @Test
    @DisplayName("B6: each blob has its own end, whatever the order of the response")
    void ends() {
        blobs.respond(requested -> batch(requested, name -> switch (name) {
            case "gone" -> 404;
            case "kept" -> 409;
            default -> 202;
        }));
        List<Item> ends =
                photos.reactive().deleteAll(List.of("a b", "gone", "kept", "z")).block();
        assertThat(actions(ends)).containsExactly(Action.DELETED, Action.SKIPPED, Action.FAILED, Action.DELETED);
        assertThat(ends.get(2).error()).isInstanceOf(ConflictException.class).hasMessageContaining("SnapshotsPresent");
        assertThat(((StorageException) ends.get(2).error()).failure().requestId())
                .isEqualTo("p2");
        assertThat(parts(blobs.requested().get(0)).get(0).group(3)).isEqualTo("/acct/photos/a%20b");
    }

    @Test
    @DisplayName("OUTCOME-3: a blob that is gone after a lost response of its batch was deleted")
    void lostResponses() {
        AtomicInteger sent = new AtomicInteger();
        blobs.respond(requested -> sent.getAndIncrement() == 0
                ? BlobStubResponse.refusal(500, "InternalError")
                : batch(requested, name -> 404));
        assertThat(actions(photos.deleteAll(List.of("a", "b")))).containsExactly(Action.DELETED, Action.DELETED);
    }

    @Test
    @DisplayName("OUTCOME-3: after lost responses only, each blob is settled by itself")
    void onlyLostResponses() {
        blobs.respond(requested -> isBatch(requested)
                ? BlobStubResponse.refusal(500, "InternalError")
                : requested.path().endsWith("/b")
                        ? BlobStubResponse.of(202)
                        : BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThat(actions(photos.withRetry(with -> with.retries(1)).deleteAll(List.of("a", "b"))))
                .containsExactly(Action.DELETED, Action.DELETED);
    }

    @Test
    @DisplayName("OUTCOME-1: a blob whose batch is in doubt stays in doubt when a look at it is refused")
    void unresolvedStays() {
        blobs.respond(requested -> isBatch(requested)
                ? BlobStubResponse.refusal(500, "InternalError")
                : !requested.path().endsWith("/b")
                        ? BlobStubResponse.refusal(403, "AuthorizationFailure")
                        : requested.method().equals("HEAD")
                                ? inTier("Hot")
                                : BlobStubResponse.refusal(409, "SnapshotsPresent"));
        List<Item> ends = photos.withRetry(with -> with.retries(0)).deleteAll(List.of("a", "b"));
        assertThat(actions(ends)).containsExactly(Action.FAILED, Action.FAILED);
        assertThat(ends.get(0).error()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(ends.get(1).error()).isInstanceOf(ConflictException.class);
    }

    /** The first response is lost, the next one refuses each part; a read-back then finds this. */
    private void refusedAfterALostResponse(int refusal, BlobStubResponse there) {
        AtomicInteger sent = new AtomicInteger();
        blobs.respond(requested -> !isBatch(requested)
                ? there
                : sent.getAndIncrement() == 0
                        ? BlobStubResponse.refusal(500, "InternalError")
                        : batch(requested, name -> refusal));
    }

    private static BlobStubResponse inTier(String tier) {
        return BlobStubResponse.of(200)
                .with("Date", "Fri, 01 Mar 2024 12:00:00 GMT")
                .with("x-ms-blob-type", "BlockBlob")
                .with("x-ms-creation-time", "Thu, 29 Feb 2024 12:00:00 GMT")
                .with("x-ms-access-tier", tier);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 409, 412})
    @DisplayName("OUTCOME-1: a tier that is refused after a lost response was set if the blob is in it, and else is in"
            + " doubt")
    void refusedTiersAfterALostResponse(int refusal) {
        refusedAfterALostResponse(refusal, inTier("Cool"));
        assertThat(actions(photos.setTierOfAll(List.of("a", "b"), AccessTier.COOL)))
                .containsExactly(Action.MOVED, Action.MOVED);

        refusedAfterALostResponse(refusal, inTier("Archive"));
        assertThat(photos.setTierOfAll(List.of("a", "b"), AccessTier.COOL))
                .hasSize(2)
                .allSatisfy(end -> assertThat(end.error())
                        .isInstanceOf(OutcomeUnknownException.class)
                        .hasMessageContaining("Archive")
                        .hasMessageContaining("attempts 2"));

        refusedAfterALostResponse(refusal, BlobStubResponse.refusal(403, "AuthorizationFailure"));
        assertThat(photos.setTierOfAll(List.of("a", "b"), AccessTier.COOL))
                .hasSize(2)
                .allMatch(end -> end.error() instanceof OutcomeUnknownException);
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403})
    @DisplayName("OUTCOME-1: a deletion that is refused after a lost response is settled by a look at the blob")
    void refusedDeletionsAfterALostResponse(int refusal) {
        refusedAfterALostResponse(refusal, BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThat(actions(photos.deleteAll(List.of("a", "b")))).containsExactly(Action.DELETED, Action.DELETED);

        refusedAfterALostResponse(refusal, inTier("Hot"));
        assertThat(photos.deleteAll(List.of("a", "b")))
                .hasSize(2)
                .allMatch(end ->
                        end.error() instanceof StorageException && !(end.error() instanceof OutcomeUnknownException));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 403, 409, 412})
    @DisplayName(
            "OUTCOME-1: a deletion that is refused after a lost response is in doubt if another program may have made"
                    + " the blob again")
    void madeAgain(int refusal) {
        BlobStubResponse again = inTier("Hot")
                .with("Date", "Thu, 29 Feb 2024 12:00:00 GMT")
                .with("Last-Modified", "Thu, 29 Feb 2024 12:00:00 GMT")
                .with("ETag", "\"new\"");
        refusedAfterALostResponse(refusal, again);
        assertThat(photos.deleteAll(List.of("a", "b"))).hasSize(2).allSatisfy(end -> assertThat(end.error())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("made again"));

        refusedAfterALostResponse(refusal, again);
        List<BatchedBlob> versions = List.of(new BatchedBlob("a", "\"old\""), new BatchedBlob("b", "\"new\""));
        List<Item> ends = BatchOperations.deletion(blobs.scope(), "deleteAll", false)
                .groupOf(versions)
                .block();
        assertThat(ends.get(0).error()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(ends.get(1).error()).isNotNull().isNotInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("OUTCOME-1: a blob that is gone when its tier is set again may have been in the tier before")
    void goneBeforeTheTier() {
        AtomicInteger sent = new AtomicInteger();
        blobs.respond(requested -> !isBatch(requested)
                ? BlobStubResponse.refusal(404, "BlobNotFound")
                : sent.getAndIncrement() == 0
                        ? BlobStubResponse.refusal(500, "InternalError")
                        : batch(requested, name -> 404));
        assertThat(photos.setTierOfAll(List.of("a", "b"), AccessTier.COOL))
                .hasSize(2)
                .allMatch(end -> end.error() instanceof OutcomeUnknownException);
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 500, 502})
    @DisplayName("OUTCOME-3: a blob that is gone after a response that leaves its part in doubt was deleted")
    void partsInUnresolved(int status) {
        blobs.respond(requested ->
                isBatch(requested) ? batch(requested, name -> status) : BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThat(actions(photos.deleteAll(List.of("a", "b")))).containsExactly(Action.DELETED, Action.DELETED);
    }

    @Test
    @DisplayName("OUTCOME-3: a blob that is gone after a refusal that carries nothing out was not there")
    void busyAndGone() {
        blobs.respond(requested ->
                isBatch(requested) ? batch(requested, name -> 503) : BlobStubResponse.refusal(404, "BlobNotFound"));
        assertThat(actions(photos.deleteAll(List.of("a", "b")))).containsExactly(Action.SKIPPED, Action.SKIPPED);
    }

    @Test
    @DisplayName("OUTCOME-1: a tier that is refused for the load after lost responses was set if the blob is in it")
    void busyAfterLostResponses() {
        blobs.respond(requested -> isBatch(requested)
                ? BlobStubResponse.refusal(500, "InternalError")
                : requested.method().equals("PUT") ? BlobStubResponse.refusal(503, "ServerBusy") : inTier("Cool"));
        assertThat(actions(photos.withRetry(with -> with.retries(0)).setTierOfAll(List.of("a", "b"), AccessTier.COOL)))
                .containsExactly(Action.MOVED, Action.MOVED);
    }

    @Test
    @DisplayName("OUTCOME-1: two parts of a response for one blob say nothing")
    void twoPartsForOne() {
        blobs.respond(
                requested -> isBatch(requested) ? twice(requested) : BlobStubResponse.refusal(409, "SnapshotsPresent"));
        assertThat(actions(photos.withRetry(with -> with.retries(1)).deleteAll(List.of("a", "b"))))
                .containsExactly(Action.FAILED, Action.FAILED);
    }

    /** The response of a service that has each part a second time, as refused. */
    private static BlobStubResponse twice(StubRequest requested) {
        String done = new String(batch(requested, name -> 202).body(), StandardCharsets.UTF_8);
        String refused = new String(batch(requested, name -> 409).body(), StandardCharsets.UTF_8);
        return BlobStubResponse.of(202)
                .with("Content-Type", "multipart/mixed; boundary=answer")
                .body((refused.replace("--answer--\r\n", "") + done).getBytes(StandardCharsets.UTF_8));
    }

    /** The service carries out the batch, and the client is closed before it hears of that. */
    private static BlobStubResponse closing(StubBlobs client, StubRequest requested) {
        client.scope().service().pipeline().drained().subscribe();
        client.scope().service().pipeline().abandon();
        return batch(requested, name -> 202);
    }

    /** Returns the ends of the blobs, or of the call if closing ends it before its request. */
    private static Optional<List<Item>> deletedWhileClosing(StubBlobs client, int number) {
        client.respond(requested -> closing(client, requested));
        try {
            return Optional.of(client.container().deleteAll(names(number)));
        } catch (OutcomeUnknownException e) {
            assertThat(e).hasMessageContaining("this Stowline was closed before the operation had ended");
            return Optional.empty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 256, 600})
    @DisplayName(
            "OUTCOME-1: closing leaves the batch in flight in doubt, and says so of each blob, or of the call that it ends first")
    void closedInBetween(int number) {
        List<Item> ends = null;
        for (int tries = 0; ends == null; tries++) {
            assertThat(tries)
                    .as("closing has ended each call before its request")
                    .isLessThan(20);
            try (StubBlobs client = new StubBlobs(requested -> batch(requested, name -> 202))) {
                ends = deletedWhileClosing(client, number).orElse(null);
                assertThat(client.requested()).hasSize(1);
            }
        }
        assertThat(ends.stream().map(Item::name)).isEqualTo(names(number));
        assertThat(ends).allMatch(end -> end.action() == Action.FAILED);
        assertThat(ends.subList(0, Math.min(256, number)))
                .allMatch(end -> end.error() instanceof OutcomeUnknownException);
        assertThat(ends.subList(Math.min(256, number), number))
                .allMatch(end -> end.error() instanceof UnreachableException);
    }

    @Test
    @DisplayName("OUTCOME-1: what was done before closing keeps its end, and closing waits for a batch that has begun")
    void closedBetweenGroups() {
        blobs.respond(
                requested -> blobs.requested().size() == 1 ? batch(requested, name -> 202) : closing(blobs, requested));
        List<Item> ends =
                photos.reactive().setTierOfAll(names(300), AccessTier.COOL).block();
        assertThat(ends.subList(0, 256)).allMatch(end -> end.action() == Action.MOVED);
        assertThat(ends.subList(256, 300)).allMatch(end -> end.error() instanceof OutcomeUnknownException);
        blobs.respond(requested -> batch(requested, name -> 202));
        assertThatExceptionOfType(ClosedException.class).isThrownBy(() -> photos.deleteAll(names(2)));
    }

    @Test
    void aBatchThatHasBegunGoesOnWhileClosingWaits() {
        blobs.respond(requested -> {
            blobs.scope().service().pipeline().drained().subscribe();
            return batch(requested, name -> 202);
        });
        assertThat(photos.deleteAll(names(600))).allMatch(end -> end.action() == Action.DELETED);
    }

    @Test
    @DisplayName("B6: a part that a retry may mend is sent by itself")
    void busyParts() {
        blobs.respond(requested -> isBatch(requested)
                ? batch(requested, name -> name.equals("busy") ? 503 : 202)
                : BlobStubResponse.of(202));
        assertThat(actions(photos.deleteAll(List.of("a", "busy", "c"))))
                .containsExactly(Action.DELETED, Action.DELETED, Action.DELETED);
        assertThat(blobs.requested("DELETE", "")).hasSize(1);
    }

    @Test
    @DisplayName("B6: where the service has no batches, blobs are deleted one by one, and it is tried once")
    void noBatches() {
        blobs.respond(requested -> isBatch(requested)
                ? BlobStubResponse.refusal(400, "InvalidQueryParameterValue")
                : BlobStubResponse.of(202));
        assertThat(photos.deleteAll(names(300))).allMatch(end -> end.action() == Action.DELETED);
        assertThat(blobs.requested().stream().filter(BatchOperationsTest::isBatch))
                .hasSize(1);
        assertThat(blobs.requested("DELETE", "")).hasSize(300);
    }

    @Test
    void aMissingContainerEndsAll() {
        blobs.respond(requested -> BlobStubResponse.refusal(404, "ContainerNotFound"));
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> photos.deleteAll(List.of("a", "b")));
        assertThat(blobs.requested()).hasSize(1);
        assertThat(photos.deleteAll(List.of())).isEmpty();
    }

    @Test
    @DisplayName("B6: the service refuses the parts, not the batch, when the container is missing")
    void aMissingContainerInTheParts() {
        blobs.respond(requested -> batch(requested, name -> NO_CONTAINER));
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> photos.deleteAll(List.of("a", "b")))
                .withMessageStartingWith("deleteAll photos: 404 ContainerNotFound");
        assertThatExceptionOfType(NotFoundException.class)
                .isThrownBy(() -> photos.setTierOfAll(List.of("a", "b"), AccessTier.COOL))
                .withMessageStartingWith("setTierOfAll photos: 404 ContainerNotFound");
    }

    @Test
    void aNameThatIsNullIsRefusedByItsName() {
        assertThatNullPointerException()
                .isThrownBy(() -> photos.deleteAll(Arrays.asList("a", null)))
                .withMessage("a name in names");
        assertThatNullPointerException()
                .isThrownBy(() -> photos.deleteAll(null))
                .withMessage("names");
        assertThat(blobs.requested()).isEmpty();
    }

    @Test
    @DisplayName("B6: blobs are moved to another tier in groups")
    void tiers() {
        List<Item> ends = photos.setTierOfAll(List.of("a", "b"), AccessTier.COOL);
        assertThat(actions(ends)).containsExactly(Action.MOVED, Action.MOVED);
        assertThat(parts(blobs.requested().get(0))).hasSize(2).allSatisfy(part -> {
            assertThat(part.group(2)).isEqualTo("PUT");
            assertThat(part.group(3)).contains("?comp=tier");
            assertThat(part.group(4)).contains("x-ms-access-tier: Cool");
        });
        blobs.respond(requested -> batch(requested, name -> 404));
        assertThat(actions(photos.setTierOfAll(List.of("a", "b"), AccessTier.COOL)))
                .containsExactly(Action.FAILED, Action.FAILED);
    }

    @Test
    @DisplayName("B6: a directory is deleted in groups, and a blob that fails is its own failure")
    void directories() {
        blobs.respond(requested -> requested.query().contains("comp=list")
                ? BlobStubResponse.of(200)
                        .with("Content-Type", "application/xml")
                        .body(listing().getBytes(StandardCharsets.UTF_8))
                : batch(requested, name -> name.endsWith("n7") ? 403 : 202));
        var report = photos.deleteDirectory("d/", o -> o.collectFailures()).join();
        assertThat(report.deleted()).isEqualTo(299);
        assertThat(report.failed()).isEqualTo(1);
        assertThat(report.failures()).extracting(Item::name).containsExactly("n7");
        assertThat(blobs.requested()).hasSize(3);
    }

    private static String listing() {
        StringBuilder all = new StringBuilder("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults><Blobs>");
        names(300)
                .forEach(name -> all.append("<Blob><Name>d/" + name
                        + "</Name><Properties><Last-Modified>Thu, 29 Feb 2024 12:00:00"
                        + " GMT</Last-Modified><Etag>0x1</Etag>"
                        + "<Content-Length>7</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>"));
        return all + "</Blobs><NextMarker/></EnumerationResults>";
    }
}
