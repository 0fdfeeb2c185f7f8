package io.stowline.table.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.FakeWire;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SingleWriteTest {

    private final IOException reset = new IOException("reset");
    private static final String EXISTS = Bench.jsonError("EntityAlreadyExists", "text");
    private static final String CHANGED = Bench.jsonError("UpdateConditionNotSatisfied", "text");
    private static final String MISSING = Bench.jsonError("ResourceNotFound", "text");
    private static final String DATE = "Thu, 29 Feb 2024 12:00:00 GMT";
    private static final String LONG_AGO = "2024-02-28T00:00:00Z";
    private static final String JUST_NOW = "2024-02-29T11:59:59Z";

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private TableOperations operations = Operations.client(bench.pipeline());

    private void stored(String text, String timestamp, String etag) {
        wire.responds(200, Entities.json("r0", text, timestamp, null), "ETag", etag, "Date", DATE);
    }

    /** Makes the next read-back find the entity with the marker of the request that was sent at this place. */
    private void storedByRequest(int index) {
        wire.respondsLike(
                request ->
                        Entities.json("r0", "text", JUST_NOW, markOf(wire.sent().get(index))),
                200,
                "ETag",
                "W/\"7\"");
    }

    private void withRetries(int retries) {
        operations =
                operations.with(operations.retry().toBuilder().retries(retries).build());
    }

    private Bench.Outcome<WriteResult> start(EncodedOperation operation) {
        return bench.start(operations.write(operation));
    }

    private WriteResult written(EncodedOperation operation) {
        var outcome = start(operation);
        bench.pass(Duration.ofMinutes(2));
        return outcome.value();
    }

    private StorageException failure(EncodedOperation operation) {
        var outcome = start(operation);
        bench.pass(Duration.ofMinutes(2));
        return outcome.storageError();
    }

    private static EncodedOperation insert() {
        return Operations.insert("r0");
    }

    private static EncodedOperation update() {
        return Operations.operation(EntityVerb.REPLACE, "p", "r0", "text");
    }

    private static EncodedOperation delete(String etag) {
        return Operations.operation(EntityVerb.DELETE, "p", "r0", "", etag);
    }

    @ParameterizedTest
    @EnumSource(EntityVerb.class)
    @DisplayName("OUTCOME-8: without a lost response there is one request and no doubt")
    void confirmed(EntityVerb verb) {
        wire.responds(204, "", "ETag", "W/\"7\"");

        assertThat(written(Operations.operation(verb, "p", "r0", "text")))
                .isEqualTo(WriteResult.confirmed("W/\"7\"", false));
        assertThat(wire.sent()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(EntityVerb.class)
    @DisplayName("OUTCOME-9: a success after a lost response may be the second one, and says so, unless it is for one"
            + " version")
    void repeated(EntityVerb verb) {
        wire.breaks(reset).responds(204, "", "ETag", "W/\"7\"");

        assertThat(written(Operations.operation(verb, "p", "r0", "text")))
                .isEqualTo(WriteResult.confirmed("W/\"7\"", !verb.conditional()));
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName("OUTCOME-9: a write for one version that was found is not repeated, however many responses were lost")
    void onceOnly() {
        wire.breaks(reset).breaks(reset).responds(412, CHANGED);
        storedByRequest(0);

        assertThat(written(update())).isEqualTo(WriteResult.recovered("W/\"7\"", Evidence.MARKER, false));
    }

    private static final String FULL = Bench.jsonError("TooManyProperties", "text");

    private static EncodedOperation merge() {
        return Operations.operation(EntityVerb.MERGE, "p", "r0", "text");
    }

    @Test
    @DisplayName("OUTCOME-8: a merge into an entity that has no room for its mark is sent once more without it")
    void mergeWithoutRoom() {
        wire.responds(400, FULL).responds(204, "", "ETag", "W/\"7\"");

        assertThat(written(merge())).isEqualTo(WriteResult.confirmed("W/\"7\"", false));
        assertThat(markOf(wire.sent().get(0))).isNotEmpty();
        assertThat(markOf(wire.sent().get(1))).isEmpty();
        assertThat(wire.sent()).hasSize(2);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName(
            "OUTCOME-8: after a lost response it is sent without its mark once it is certain that it was not carried"
                    + " out")
    void mergeWithoutRoomAfterALostResponse() {
        wire.breaks(reset).responds(400, FULL);
        stored("theirs", LONG_AGO, "W/\"1\"");
        stored("theirs", LONG_AGO, "W/\"1\"");
        wire.responds(204, "", "ETag", "W/\"7\"");

        assertThat(written(merge())).isEqualTo(WriteResult.confirmed("W/\"7\"", false));
        assertThat(wire.times().get(4)).isEqualTo(Duration.ofSeconds(35));
        assertThat(markOf(wire.last())).isEmpty();
    }

    @Test
    @DisplayName("OUTCOME-8: what is too much without the mark too, or is no merge, fails as that")
    void tooMuchWithoutTheMark() {
        wire.responds(400, FULL).responds(400, FULL);
        assertThat(failure(merge())).isExactlyInstanceOf(BadRequestException.class);
        assertThat(wire.sent()).hasSize(2);

        wire.responds(400, FULL);
        assertThat(failure(update())).isExactlyInstanceOf(BadRequestException.class);
        assertThat(wire.sent()).hasSize(3);
    }

    @Test
    @DisplayName("OUTCOME-1: an insert whose own echo is refused is recovered by one look at the entity")
    void recoveredInsert() {
        wire.breaks(reset).responds(409, EXISTS);
        stored("text", JUST_NOW, "W/\"7\"");

        assertThat(written(insert())).isEqualTo(WriteResult.recovered("W/\"7\"", Evidence.CONTENT, true));
        assertThat(wire.sent()).hasSize(3);
        assertThat(wire.last().method()).isEqualTo("GET");
        assertThat(wire.last().url()).isEqualTo(Bench.ROOT + "/notes(PartitionKey='p',RowKey='r0')?timeout=30");
        assertThat(wire.last().header("Accept")).isEqualTo("application/json;odata=minimalmetadata");
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName(
            "OUTCOME-1: a real conflict is told once it is proved: an older entity is still there when the horizon has"
                    + " passed")
    void realConflict() {
        wire.breaks(reset).responds(409, EXISTS);
        stored("theirs", LONG_AGO, "W/\"7\"");
        stored("theirs", LONG_AGO, "W/\"7\"");

        StorageException failure = failure(insert());
        assertThat(failure).isExactlyInstanceOf(ConflictException.class).hasMessageContaining("not carried out");
        assertThat(failure.failure().unansweredAttempts()).isZero();
        assertThat(wire.times().get(3)).isEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("OUTCOME-0: an older entity that is gone when the horizon has passed makes room for our late write:"
            + " unknown")
    void lateApplication() {
        wire.breaks(reset).responds(409, EXISTS);
        stored("theirs", LONG_AGO, "W/\"7\"");
        wire.responds(404, MISSING);

        assertThat(failure(insert()))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("removed");
    }

    @Test
    @DisplayName(
            "OUTCOME-0: when the deadline leaves no time to see the horizon pass, the response is unknown, at once")
    void deadlineBeforeHorizon() {
        operations = operations.with(operations.retry().toBuilder()
                .deadline(Duration.ofSeconds(10))
                .reserve(Duration.ZERO)
                .retries(1)
                .build());
        wire.breaks(reset).responds(409, EXISTS);
        stored("theirs", LONG_AGO, "W/\"7\"");

        var outcome = start(insert());
        bench.pass(Duration.ofSeconds(3));
        assertThat(outcome.storageError())
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("the deadline leaves no time to see");
    }

    @Test
    @DisplayName("RETRY-5: with the derived reserve a short deadline leaves the time to see the horizon pass")
    void reserveLeavesTimeToLook() {
        operations = operations.with(operations.retry().toBuilder()
                .deadline(Duration.ofSeconds(10))
                .retries(1)
                .build());
        wire.breaks(reset).responds(409, EXISTS);
        stored("theirs", LONG_AGO, "W/\"7\"");
        stored("theirs", LONG_AGO, "W/\"7\"");

        var outcome = start(insert());
        bench.pass(Duration.ofSeconds(10));
        assertThat(outcome.storageError()).isExactlyInstanceOf(ConflictException.class);
        assertThat(wire.times().get(3)).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    @DisplayName("OUTCOME-2: a conditional update is recovered by its mark, whose id is the client request id")
    void recoveredUpdate() {
        wire.breaks(reset).responds(412, CHANGED);
        storedByRequest(0);

        assertThat(written(update())).isEqualTo(WriteResult.recovered("W/\"7\"", Evidence.MARKER, false));
        assertThat(markOf(wire.sent().get(0))).isEqualTo(wire.sent().get(0).header("x-ms-client-request-id"));
        assertThat(markOf(wire.sent().get(1))).isEqualTo(markOf(wire.sent().get(0)));
    }

    private static String markOf(FakeWire.Sent sent) {
        String body = sent.body();
        int at = body.indexOf("\"StowlineWrite\":\"");
        return at < 0 ? "" : body.substring(at + 17, at + 17 + 36);
    }

    @Test
    @DisplayName(
            "OUTCOME-2: equal content is no proof of a conditional update: two that count up from one version write"
                    + " the same")
    void counters() {
        wire.breaks(reset).responds(412, CHANGED);
        stored("text", JUST_NOW, "W/\"7\"");

        assertThat(failure(update())).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("OUTCOME-8: with marks for claims only, equal content counts for an update, as content")
    void updateWithoutMark() {
        operations = operations.with(WriteMarkers.CLAIMS);
        wire.breaks(reset).responds(412, CHANGED);
        stored("text", JUST_NOW, "W/\"7\"");

        assertThat(written(update()).evidence()).isEqualTo(Evidence.CONTENT);
        assertThat(wire.sent().get(0).body()).doesNotContain("StowlineWrite");
    }

    @Test
    @DisplayName(
            "OUTCOME-2: an update that never was carried out fails as what it ended with, once its version is still"
                    + " there at the horizon")
    void updateNotCarriedOut() {
        withRetries(0);
        wire.breaks(reset);
        stored("theirs", LONG_AGO, "W/\"1\"");
        stored("theirs", LONG_AGO, "W/\"1\"");

        StorageException failure = failure(update());
        assertThat(failure).isExactlyInstanceOf(UnreachableException.class);
        assertThat(failure.failure().unansweredAttempts()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-2: a version that went before our first attempt is a real 412, without waiting")
    void realPreconditionFailure() {
        wire.breaks(reset).responds(412, CHANGED);
        stored("theirs", LONG_AGO, "W/\"7\"");

        assertThat(failure(update())).isExactlyInstanceOf(PreconditionFailedException.class);
        assertThat(wire.times().get(2)).isEqualTo(wire.times().get(1));
    }

    @Test
    @DisplayName(
            "OUTCOME-3: an unconditional deletion that finds nothing after a lost response is done; at the first try it"
                    + " is not")
    void deletion() {
        wire.breaks(reset).responds(404, MISSING);
        assertThat(written(delete("*"))).isEqualTo(WriteResult.absent(Evidence.CONTENT, true));
        assertThat(wire.sent()).hasSize(2);

        wire.responds(404, MISSING);
        assertThat(failure(delete("*")).failure().errorCode()).isEqualTo("ResourceNotFound");
    }

    @Test
    @DisplayName("OUTCOME-3: TableNotFound is never swallowed")
    void tableNotFound() {
        String noTable = Bench.jsonError("TableNotFound", "text");
        wire.breaks(reset).responds(404, noTable).responds(404, noTable);

        StorageException failure = failure(delete("*"));
        assertThat(failure).isInstanceOf(OutcomeUnknownException.class);
        assertThat(failure.failure().errorCode()).isEqualTo("TableNotFound");
    }

    @Test
    @DisplayName("OUTCOME-3: a deletion of a certain version that finds nothing after a lost response is unknown")
    void conditionalDeletion() {
        wire.breaks(reset).responds(404, MISSING).responds(404, MISSING);

        assertThat(failure(delete("W/\"1\""))).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("OUTCOME-9: upserts are not read back: what ends without a response is unknown")
    void upsert() {
        withRetries(0);
        wire.breaks(reset);

        assertThat(failure(Operations.operation(EntityVerb.INSERT_OR_REPLACE, "p", "r0", "text")))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("it can be sent once more");
        assertThat(wire.sent()).hasSize(1);
    }

    @Test
    @DisplayName("OUTCOME-8: a claim is known by its mark and by nothing else")
    void claim() {
        wire.breaks(reset).responds(409, EXISTS);
        stored("text", JUST_NOW, "W/\"7\"");
        var equalContent = bench.start(operations.claim(insert()));
        bench.pass(Duration.ofMinutes(2));
        assertThat(equalContent.storageError()).isInstanceOf(OutcomeUnknownException.class);

        wire.breaks(reset).responds(409, EXISTS);
        storedByRequest(3);
        var ours = bench.start(operations.claim(insert()));
        bench.pass(Duration.ofMinutes(2));
        assertThat(ours.value().outcome()).isEqualTo(WriteOutcome.RECOVERED);
        assertThat(ours.value().evidence()).isEqualTo(Evidence.MARKER);
    }

    @Test
    @DisplayName(
            "OUTCOME-8: an entity without room for the mark cannot be claimed, and says so before anything is sent")
    void claimWithoutRoom() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SingleWrite.claim(operations, bench.pipeline(), delete("*")))
                .withMessageContaining("no room for the mark");
        assertThat(wire.sent()).isEmpty();
    }

    @Test
    @DisplayName("OUTCOME-0: a response with another success than the documented one is none")
    void isNoResponse() {
        wire.responds(200, "<html/>", "Content-Type", "text/html").responds(204, "", "ETag", "W/\"7\"");

        assertThat(written(insert())).isEqualTo(WriteResult.confirmed("W/\"7\"", true));
    }

    @Test
    @DisplayName("OUTCOME-0: a look that meets a fault is repeated while the deadline leaves time")
    void looksAgain() {
        withRetries(0);
        wire.breaks(reset).breaks(reset).responds(503, Bench.jsonError("ServerBusy", "text"));
        storedByRequest(0);

        assertThat(written(update())).isEqualTo(WriteResult.recovered("W/\"7\"", Evidence.MARKER, false));
        assertThat(wire.times().get(3)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    @DisplayName(
            "OUTCOME-0: without retries a look that fails is repeated until the horizon, and not until the deadline")
    void looksUntilTheHorizonWithoutRetries() {
        withRetries(0);
        for (int i = 0; i < 200; i++) {
            wire.breaks(reset);
        }
        var outcome = start(update());
        bench.pass(Duration.ofSeconds(34));
        assertThat(outcome.ended()).isFalse();
        bench.pass(Duration.ofSeconds(2));

        assertThat(outcome.error()).isInstanceOfSatisfying(OutcomeUnknownException.class, unknown -> {
            assertThat(unknown.readBackDetail()).contains("reading back failed");
            assertThat(unknown.mayBecomeKnown()).isTrue();
        });
        assertThat(wire.times()).last().isEqualTo(Duration.ofSeconds(35));
    }

    @Test
    @DisplayName("OUTCOME-0: without retries a look that hangs longer than the horizon is the last one")
    void aHangingLookIsTheLastWithoutRetries() {
        withRetries(0);
        wire.breaks(reset).staysSilent();
        var outcome = start(update());
        bench.pass(Duration.ofSeconds(36));

        assertThat(outcome.error()).isInstanceOf(OutcomeUnknownException.class);
        assertThat(wire.sent()).hasSize(2);
    }

    @Test
    @DisplayName("OUTCOME-0: without retries an endpoint that refuses connections ends a write at once, with no doubt")
    void noConnection() {
        withRetries(0);
        wire.breaksBeforeWriting(new ConnectException("Connection refused"));
        var outcome = start(update());

        assertThat(outcome.storageError()).isExactlyInstanceOf(UnreachableException.class);
        assertThat(outcome.storageError().failure().unansweredAttempts()).isZero();
        assertThat(wire.sent()).hasSize(1);
    }

    @Test
    @DisplayName("OUTCOME-0: a 304 to a write is no response of the service, and no refusal of its condition either")
    void notModified() {
        wire.responds(304, "");
        stored("theirs", JUST_NOW, "W/\"1\"");
        stored("theirs", JUST_NOW, "W/\"1\"");

        StorageException failure = failure(update());
        assertThat(failure).isExactlyInstanceOf(ProtocolException.class).hasMessageContaining("not carried out");
        assertThat(failure.failure().status()).isEqualTo(304);
    }

    @Test
    @DisplayName("OUTCOME-0: a refusal that may be an echo waits for a look that meets a fault")
    void echoIsLookedForAgain() {
        withRetries(1);
        wire.responds(503, Bench.jsonError("ServerBusy", "text")).responds(412, CHANGED);
        wire.breaks(reset).breaks(reset);
        storedByRequest(0);

        assertThat(written(update())).isEqualTo(WriteResult.recovered("W/\"7\"", Evidence.MARKER, false));
    }

    @Test
    @DisplayName("OUTCOME-0: a look that is answered with another entity proves nothing, and is repeated")
    void anotherEntity() {
        withRetries(0);
        wire.breaks(reset).responds(200, Entities.json("r1", "text", JUST_NOW, null), "ETag", "W/\"7\"");
        storedByRequest(0);

        assertThat(written(update())).isEqualTo(WriteResult.recovered("W/\"7\"", Evidence.MARKER, false));
    }

    @Test
    @DisplayName("OUTCOME-0: the mark is looked for when a retry is refused although no response was lost")
    void echoOfAnRespondedAttempt() {
        wire.responds(503, Bench.jsonError("ServerBusy", "text")).responds(412, CHANGED);
        storedByRequest(0);
        assertThat(written(update())).isEqualTo(WriteResult.recovered("W/\"7\"", Evidence.MARKER, false));

        wire.responds(503, Bench.jsonError("ServerBusy", "text")).responds(412, CHANGED);
        stored("theirs", JUST_NOW, "W/\"7\"");
        assertThat(failure(update())).isExactlyInstanceOf(PreconditionFailedException.class);
        assertThat(wire.sent()).hasSize(6);
    }

    @Test
    @DisplayName("OUTCOME-2: a version is the same however its ETag is spelled")
    void spelling() {
        operations = operations.with(operations.retry().toBuilder()
                .deadline(Duration.ofSeconds(10))
                .reserve(Duration.ZERO)
                .retries(0)
                .build());
        wire.breaks(reset);
        stored("theirs", LONG_AGO, "W/\"datetime'2024-02-28T00%3A00%3A00.1Z'\"");

        EncodedOperation spelled =
                Operations.operation(EntityVerb.REPLACE, "p", "r0", "text", "\"datetime'2024-02-28T00:00:00.1Z'\"");
        assertThat(failure(spelled))
                .isInstanceOf(OutcomeUnknownException.class)
                .hasMessageContaining("the deadline leaves no time to see");
    }

    @Test
    @DisplayName("OUTCOME-0: when reading back fails too, nothing is guessed")
    void blind() {
        wire.breaks(reset).responds(409, EXISTS).responds(403, Bench.jsonError("AuthorizationFailure", "text"));

        OutcomeUnknownException unknown = (OutcomeUnknownException) failure(insert());
        assertThat(unknown.readBackDetail()).contains("reading back failed").contains("AuthorizationFailure");
        assertThat(unknown).hasCauseInstanceOf(ConflictException.class);
        assertThat(bench.gate().inUse()).isZero();
    }
}
