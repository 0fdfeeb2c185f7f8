package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.error.AuthenticationException;
import io.stowline.error.BadRequestException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.ProtocolException;
import io.stowline.error.StorageException;
import io.stowline.error.ThrottledException;
import io.stowline.error.TransactionFailedException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteResult;
import io.stowline.retry.RetrySettings;
import io.stowline.table.TableWriter;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.write.Entities;
import io.stowline.table.internal.writer.BatchDelivery.GateAdmission;
import io.stowline.table.internal.writer.QueuedWrite.DeliveryTerms;
import io.stowline.table.internal.writer.QueuedWrite.LaneKey;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Bench.Outcome;
import io.stowline.transport.internal.http.FakeWire;
import io.stowline.transport.internal.request.ExtraHeaders;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class TransactionSenderTest {

    /** The rest of the items' delivery time when they are sent. */
    private static final Duration LEFT = Duration.ofMinutes(1);

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();
    private final TransactionSender sender = new TransactionSender(bench.pipeline());
    private final WriteCounters counters = new WriteCounters();

    private record Cut(List<QueuedWrite> items, boolean atomic, AtomicReference<Disposable> permit, Duration timeLeft)
            implements DeliveryBatch<LaneKey, QueuedWrite> {

        Cut(List<QueuedWrite> items, boolean atomic, Disposable permit, Duration timeLeft) {
            this(items, atomic, new AtomicReference<>(permit), timeLeft);
        }

        @Override
        public <P extends Disposable> P takePermit(Class<P> type) {
            return type.cast(permit.getAndSet(null));
        }

        @Override
        public LaneKey key() {
            return LaneKey.of("notes", "p");
        }

        @Override
        public Duration deliveryTimeout() {
            return timeLeft;
        }
    }

    private QueuedWrite item(String rowKey) {
        return item(rowKey, counters);
    }

    private QueuedWrite item(String rowKey, WriteCounters writer) {
        return new QueuedWrite(Operations.client(bench.pipeline()), Operations.insert(rowKey), writer);
    }

    private List<QueuedWrite> items(int count) {
        List<QueuedWrite> items = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            items.add(item("r" + i));
        }
        return items;
    }

    private Outcome<BatchReply<WriteResult>> start(List<QueuedWrite> items, boolean atomic) {
        return start(items, atomic, LEFT);
    }

    private Outcome<BatchReply<WriteResult>> start(List<QueuedWrite> items, boolean atomic, Duration left) {
        Disposable[] permit = new Disposable[1];
        new GateAdmission(bench.gate()).request(granted -> permit[0] = granted);
        return bench.start(sender.send(new Cut(items, atomic, permit[0], left)).map(TransactionSenderTest::inParts));
    }

    private Outcome<BatchReply<WriteResult>> startBehind(Mono<Void> disk) {
        Disposable[] permit = new Disposable[1];
        new GateAdmission(bench.gate()).request(granted -> permit[0] = granted);
        Cut cut = new Cut(items(1), false, permit[0], LEFT);
        BatchDelivery delivery = BatchDelivery.of(cut, bench.timer());
        return bench.start(new JournalingSender(bench.pipeline())
                .afterDisk(cut, delivery, disk, () -> sender.send(cut, delivery))
                .map(TransactionSenderTest::inParts));
    }

    @Test
    @DisplayName("PERMIT-4: no permit is held while a batch waits for the disk")
    void holdsNoPermitForTheDisk() {
        Sinks.Empty<Void> disk = Sinks.empty();
        Outcome<BatchReply<WriteResult>> outcome = startBehind(disk.asMono());
        assertThat(bench.gate().inUse()).isZero();
        wire.respondsAfter(Duration.ofSeconds(1), 204, "", "ETag", "W/\"1\"");
        disk.tryEmitEmpty();
        assertThat(bench.gate().inUse()).isEqualTo(1);
        bench.pass(Duration.ofSeconds(1));
        assertThat(outcome.value()).isInstanceOf(BatchReply.PerItem.class);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("PERMIT-4: the wait for the disk ends with the time of the batch, and nothing is sent")
    void waitsForTheDiskInItsTime() {
        Outcome<BatchReply<WriteResult>> outcome = startBehind(Mono.never());
        bench.pass(LEFT);
        assertThat(outcome.value()).isInstanceOf(BatchReply.Late.class);
        assertThat(wire.sent()).isEmpty();
    }

    /** Returns the reply with a part for each item, also where all succeeded. */
    private static BatchReply<WriteResult> inParts(BatchReply<WriteResult> reply) {
        if (reply instanceof BatchReply.ReservedBatch<WriteResult> held) {
            return new BatchReply.ReservedBatch<>(inParts(held.reply()), held.time());
        }
        if (reply instanceof BatchReply.Strained<WriteResult> hard) {
            return new BatchReply.Strained<>(inParts(hard.reply()));
        }
        return reply instanceof BatchReply.AllDone<WriteResult> done ? done.perItem() : reply;
    }

    private BatchReply<WriteResult> send(int count, boolean atomic) {
        Outcome<BatchReply<WriteResult>> outcome = start(items(count), atomic);
        bench.pass(Duration.ofMinutes(2));
        assertThat(bench.gate().inUse()).isZero();
        return reply(outcome.value());
    }

    private static BatchReply<WriteResult> reply(BatchReply<WriteResult> reply) {
        BatchReply<WriteResult> held =
                reply instanceof BatchReply.ReservedBatch<WriteResult> wrapped ? wrapped.reply() : reply;
        return held instanceof BatchReply.Strained<WriteResult> strained ? strained.reply() : held;
    }

    /** An unknown outcome; it ended with this. */
    private static OutcomeUnknownException unknown(BatchReply<WriteResult> reply) {
        assertThat(reply).isInstanceOf(BatchReply.BatchUnknown.class);
        return (OutcomeUnknownException) ((BatchReply.BatchUnknown<WriteResult>) reply).error();
    }

    private static StorageException failed(BatchReply<WriteResult> reply) {
        assertThat(reply).isInstanceOf(BatchReply.BatchFailed.class);
        return (StorageException) ((BatchReply.BatchFailed<WriteResult>) reply).error();
    }

    @Test
    @DisplayName("BATCH-2: a batch of one travels as a plain request")
    void batchOfOne() {
        wire.responds(204, "", "ETag", "W/\"1\"");

        assertThat(send(1, false))
                .isEqualTo(new BatchReply.PerItem<>(
                        List.of(new ItemReply.ItemDone<>(WriteResult.confirmed("W/\"1\"", false)))));
        assertThat(wire.last().method()).isEqualTo("POST");
        assertThat(wire.last().url()).isEqualTo(Bench.ROOT + "/notes?timeout=30");
        assertThat(wire.last().header("Prefer")).isEqualTo("return-no-content");
        assertThat(wire.last().body()).isEqualTo("{\"PartitionKey\":\"p\",\"RowKey\":\"r0\",\"Text\":\"text\"}");
    }

    @Test
    @DisplayName("BATCH-2: more travel as one entity group transaction, and each gets its ETag")
    void batchOfMany() {
        wire.responds(202, MultipartText.success(3));

        assertThat(send(3, false))
                .isEqualTo(new BatchReply.PerItem<>(List.of(
                        new ItemReply.ItemDone<>(WriteResult.confirmed("W/\"1\"", false)),
                        new ItemReply.ItemDone<>(WriteResult.confirmed("W/\"2\"", false)),
                        new ItemReply.ItemDone<>(WriteResult.confirmed("W/\"3\"", false)))));
        assertThat(wire.last().url()).isEqualTo(Bench.ROOT + "/$batch?timeout=30");
        assertThat(wire.last().header("Content-Type")).startsWith("multipart/mixed; boundary=batch_");
        assertThat(wire.last().header("Content-Length"))
                .isEqualTo("" + wire.last().body().length());
        assertThat(wire.last().body()).containsSubsequence("\"r0\"", "\"r1\"", "\"r2\"");
    }

    @Test
    @DisplayName("PERMIT-1: the batch goes with the permit that it was cut for")
    void usesThePermit() {
        wire.respondsAfter(Duration.ofSeconds(1), 202, MultipartText.success(2));
        start(items(2), false);

        assertThat(bench.gate().inUse()).isEqualTo(1);
        assertThat(wire.sent()).hasSize(1);
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.gate().inUse()).isZero();
    }

    @ParameterizedTest
    @DisplayName("BATCH-5: a culprit fails alone under its own name; its neighbours are to be sent again")
    @CsvSource({
        "409, EntityAlreadyExists, io.stowline.error.ConflictException",
        "404, ResourceNotFound, io.stowline.error.NotFoundException",
        "412, UpdateConditionNotSatisfied, io.stowline.error.PreconditionFailedException",
        "400, PropertyValueTooLarge, io.stowline.error.BadRequestException"
    })
    void culpritFailsAlone(int status, String code, Class<? extends StorageException> type) {
        wire.responds(202, MultipartText.failure(status, code, "1:text"));

        List<ItemReply<WriteResult>> replies = ((BatchReply.PerItem<WriteResult>) send(3, false)).replies();

        assertThat(replies.get(0)).isEqualTo(new ItemReply.Unsent<>());
        assertThat(replies.get(2)).isEqualTo(new ItemReply.Unsent<>());
        StorageException error = (StorageException) ((ItemReply.ItemFailed<WriteResult>) replies.get(1)).error();
        assertThat(error).isExactlyInstanceOf(type);
        assertThat(error.failure().operation()).isEqualTo("insert");
        assertThat(error.failure().resource()).isEqualTo("notes(p, r1)");
        assertThat(error.failure().errorCode()).isEqualTo(code);
    }

    @Test
    @DisplayName("BATCH-5: a culprit that travelled alone just fails")
    void culpritAlone() {
        wire.responds(409, Bench.jsonError("EntityAlreadyExists", "text"));

        assertThat(send(1, false)).isInstanceOfSatisfying(BatchReply.PerItem.class, reply -> assertThat(
                        ((ItemReply.ItemFailed<?>) reply.replies().get(0)).error())
                .isInstanceOf(ConflictException.class));
    }

    @Test
    @DisplayName("BATCH-5: after an attempt without response nothing is taken out of the batch before it is settled")
    void frozenAfterAnUnansweredAttempt() {
        wire.breaks(new IOException("reset"))
                .responds(202, MultipartText.failure(409, "EntityAlreadyExists", "0:text"))
                .responds(404, Bench.jsonError("ResourceNotFound", "text"));

        assertThat(unknown(send(3, false)).failure().unansweredAttempts()).isEqualTo(1);
        assertThat(wire.sent()).hasSize(3);
    }

    @Test
    @DisplayName("BATCH-5: after an attempt without response nothing is halved before it is settled")
    void notHalvedAfterAnUnansweredAttempt() {
        wire.breaks(new IOException("reset"))
                .responds(413, Bench.jsonError("RequestBodyTooLarge", "text"))
                .responds(404, Bench.jsonError("ResourceNotFound", "text"));

        assertThat(unknown(send(3, false)).failure().status()).isEqualTo(413);
    }

    @Test
    @DisplayName("OUTCOME-4: a transaction whose echo is refused is recovered whole by one look at its witness")
    void recoveredByItsWitness() {
        wire.breaks(new IOException("reset"))
                .responds(202, MultipartText.failure(409, "EntityAlreadyExists", "0:text"))
                .respondsLike(
                        request -> Entities.json(
                                "r0",
                                "text",
                                "2024-02-29T11:59:59Z",
                                wire.sent().get(0).header("x-ms-client-request-id")),
                        200,
                        "ETag",
                        "W/\"7\"");

        assertThat(send(3, false))
                .isEqualTo(new BatchReply.PerItem<>(List.of(
                        new ItemReply.ItemDone<>(WriteResult.recovered("W/\"7\"", Evidence.MARKER, false)),
                        new ItemReply.ItemDone<>(WriteResult.recovered("", Evidence.MARKER, false)),
                        new ItemReply.ItemDone<>(WriteResult.recovered("", Evidence.MARKER, false)))));
        assertThat(wire.sent()).hasSize(3);
        assertThat(wire.last().url()).contains("RowKey='r0'");
    }

    @Test
    @DisplayName(
            "OUTCOME-4: the operation that the service names shows that the transaction was never carried out; then it"
                    + " fails alone")
    void refusedByItsCulprit() {
        String date = "Thu, 29 Feb 2024 12:00:00 GMT";
        String old = Entities.json("r2", "theirs", "2024-02-28T00:00:00Z", null);
        wire.breaks(new IOException("reset"))
                .responds(202, MultipartText.failure(409, "EntityAlreadyExists", "2:text"))
                .responds(404, Bench.jsonError("ResourceNotFound", "text"))
                .responds(200, old, "ETag", "W/\"3\"", "Date", date)
                .responds(200, old, "ETag", "W/\"3\"", "Date", date);

        BatchReply.PerItem<WriteResult> reply = (BatchReply.PerItem<WriteResult>) send(3, false);
        assertThat(reply.replies().get(0)).isInstanceOf(ItemReply.Unsent.class);
        assertThat(((ItemReply.ItemFailed<WriteResult>) reply.replies().get(2)).error())
                .isInstanceOf(ConflictException.class);
        assertThat(wire.times().get(4)).isEqualTo(Duration.ofSeconds(35));
        assertThat(wire.last().url()).contains("RowKey='r2'");
    }

    @Test
    @DisplayName("OUTCOME-8: one entity of a transaction carries the mark, and none when it holds nothing but upserts")
    void oneWitness() {
        wire.responds(202, MultipartText.success(3));
        send(3, false);
        assertThat(wire.last().body().split("StowlineWrite", -1)).hasSize(2);

        wire.responds(202, MultipartText.success(2));
        start(List.of(upsert("a"), upsert("b")), false);
        bench.pass(Duration.ofMinutes(1));
        assertThat(wire.last().body()).doesNotContain("StowlineWrite");
    }

    @Test
    @DisplayName("OUTCOME-8: a transaction whose mark a merged entity has no room for is sent once more without it")
    void witnessWithoutRoom() {
        wire.responds(202, MultipartText.failure(400, "TooManyProperties", "1:text"))
                .responds(202, MultipartText.success(2));
        Bench.Outcome<BatchReply<WriteResult>> outcome = start(List.of(deletion("a"), merge("b")), false);

        assertThat(outcome.value()).isInstanceOf(BatchReply.PerItem.class);
        assertThat(wire.sent().get(0).body()).contains("StowlineWrite");
        assertThat(wire.last().body()).doesNotContain("StowlineWrite");
        assertThat(wire.sent()).hasSize(2);
        assertThat(counters.stats().requests()).isEqualTo(2);
        assertThat(bench.gate().inUse()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-8: an entity that is replaced bears witness rather than one that is merged")
    void witnessWithRoom() {
        wire.responds(202, MultipartText.success(2));
        start(List.of(merge("a"), item("b")), false);

        assertThat(wire.last().body().indexOf("StowlineWrite"))
                .isGreaterThan(wire.last().body().indexOf("\"RowKey\":\"b\""));
    }

    @Test
    @DisplayName("OUTCOME-9: what is for one version is never repeated, nor is a transaction that holds it")
    void notRepeated() {
        wire.breaks(new IOException("reset")).responds(202, MultipartText.success(2));
        Bench.Outcome<BatchReply<WriteResult>> outcome = start(List.of(merge("a"), item("b")), false);
        bench.pass(Duration.ofSeconds(3));

        assertThat(((BatchReply.PerItem<WriteResult>) outcome.value()).replies())
                .allSatisfy(reply -> assertThat(((ItemReply.ItemDone<WriteResult>) reply)
                                .value()
                                .mayHaveRepeated())
                        .isFalse());
    }

    @Test
    @DisplayName("BATCH-4: what is for one version holds its entity back only while it is unknown what became of it")
    void holdsNothingBack() {
        wire.breaks(new IOException("reset")).responds(204, "", "ETag", "W/\"2\"");
        Bench.Outcome<BatchReply<WriteResult>> known = start(List.of(merge("a")), false);
        bench.pass(Duration.ofSeconds(3));
        assertThat(known.value()).isInstanceOf(BatchReply.PerItem.class);

        wire.breaks(new IOException("reset"))
                .responds(412, Bench.jsonError("UpdateConditionNotSatisfied", "text"))
                .responds(403, Bench.jsonError("AuthorizationFailure", "text"));
        Bench.Outcome<BatchReply<WriteResult>> unknown = start(List.of(merge("a")), false);
        bench.pass(Duration.ofSeconds(3));
        assertThat(unknown.value()).isInstanceOf(BatchReply.ReservedBatch.class);
    }

    private QueuedWrite merge(String rowKey) {
        return new QueuedWrite(
                Operations.client(bench.pipeline()),
                Operations.operation(EntityVerb.MERGE, "p", rowKey, "text"),
                counters);
    }

    @Test
    @DisplayName("OUTCOME-3: deletions leave no witness, but when all is gone after a lost response, all is done")
    void deletionsTogether() {
        String missing = Bench.jsonError("ResourceNotFound", "text");
        wire.breaks(new IOException("reset"))
                .responds(202, MultipartText.failure(404, "ResourceNotFound", "0:text"))
                .responds(404, missing)
                .responds(404, missing);

        WriteResult gone = WriteResult.absent(Evidence.CONTENT, true);
        assertThat(deleted())
                .isEqualTo(new BatchReply.PerItem<>(
                        List.of(new ItemReply.ItemDone<>(gone), new ItemReply.ItemDone<>(gone))));
    }

    @Test
    @DisplayName("OUTCOME-3: deletions of which something is still there after a lost response are unknown")
    void deletionsOfWhichSomethingIsLeft() {
        wire.breaks(new IOException("reset"))
                .responds(202, MultipartText.failure(404, "ResourceNotFound", "0:text"))
                .responds(404, Bench.jsonError("ResourceNotFound", "text"))
                .responds(200, Entities.json("b", "text", "2024-02-29T11:59:59Z", null), "ETag", "W/\"3\"");

        assertThat(deleted()).isInstanceOf(BatchReply.BatchUnknown.class);
    }

    @Test
    @DisplayName("OUTCOME-9: upserts together are not read back either: what ends without a response is unknown")
    void upsertsTogether() {
        for (int i = 0; i < 5; i++) {
            wire.breaks(new IOException("reset"));
        }
        Bench.Outcome<BatchReply<WriteResult>> outcome = start(List.of(upsert("a"), upsert("b")), false);
        bench.pass(Duration.ofMinutes(2));

        assertThat(unknown(reply(outcome.value())).readBackDetail()).contains("sent once more");
        assertThat(wire.sent()).hasSize(5);
    }

    private BatchReply<WriteResult> deleted() {
        Bench.Outcome<BatchReply<WriteResult>> outcome = start(List.of(deletion("a"), deletion("b")), false);
        bench.pass(Duration.ofMinutes(2));
        return reply(outcome.value());
    }

    private QueuedWrite deletion(String rowKey) {
        return new QueuedWrite(
                Operations.client(bench.pipeline()),
                Operations.operation(EntityVerb.DELETE, "p", rowKey, "", "*"),
                counters);
    }

    private QueuedWrite upsert(String rowKey) {
        return new QueuedWrite(
                Operations.client(bench.pipeline()),
                Operations.operation(EntityVerb.INSERT_OR_REPLACE, "p", rowKey, "text"),
                counters);
    }

    @Test
    @DisplayName("BATCH-5: a throttled attempt was not carried out, so the culprit behind it fails alone")
    void throttlingDoesNotFreeze() {
        wire.responds(202, MultipartText.failure(503, "ServerBusy", "text"))
                .responds(202, MultipartText.failure(409, "EntityAlreadyExists", "0:text"));

        assertThat(send(3, false)).isInstanceOf(BatchReply.PerItem.class);
    }

    @ParameterizedTest
    @DisplayName("BATCH-5: any other refusal fails the batch whole")
    @CsvSource({"400, InvalidDuplicateRow", "400, CommandsInBatchActOnDifferentPartitions", "400, SomethingNew"})
    void otherRefusal(int status, String code) {
        wire.responds(202, MultipartText.failure(status, code, "1:text"));

        assertThat(failed(send(3, false)))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("with 3 operations");
    }

    @Test
    @DisplayName("BATCH-3: 413 asks for a smaller batch")
    void tooLarge() {
        wire.responds(413, Bench.jsonError("RequestBodyTooLarge", "text"));

        assertThat(send(3, false)).isInstanceOf(BatchReply.TooLarge.class);
    }

    @ParameterizedTest
    @DisplayName("BATCH-3: a write that was throttled or timed out in the service on its way asks for smaller batches")
    @CsvSource({
        "1, 503, ServerBusy, text, true",
        "3, 503, ServerBusy, text, true",
        "3, 429, , text, true",
        "1, 500, OperationTimedOut, text, true",
        "3, 500, OperationTimedOut, text, true",
        "3, 500, InternalError, text, false",
        "3, 503, ServerBusy, Operations per second is over the account limit., false"
    })
    void strained(int count, int status, String code, String message, boolean strained) {
        wire.responds(status, Bench.jsonError(String.valueOf(code), message));
        if (count == 1) {
            wire.responds(204, "", "ETag", "W/\"1\"");
        } else {
            wire.responds(202, MultipartText.success(count));
        }
        Outcome<BatchReply<WriteResult>> outcome = start(items(count), false);
        bench.pass(Duration.ofMinutes(2));

        BatchReply<WriteResult> reported =
                outcome.value() instanceof BatchReply.ReservedBatch<WriteResult> reservedBatch
                        ? reservedBatch.reply()
                        : outcome.value();
        assertThat(reported instanceof BatchReply.Strained).isEqualTo(strained);
        assertThat(reply(outcome.value())).isInstanceOf(BatchReply.PerItem.class);
    }

    @Test
    @DisplayName(
            "BATCH-3: a batch that timed out until the retries were used up is halved when it is proved not to have"
                    + " been carried out")
    void timedOutAndSettled() {
        for (int i = 0; i < 5; i++) {
            wire.responds(500, Bench.jsonError("OperationTimedOut", "text"));
        }
        String old = Entities.json("r0", "theirs", "2024-02-28T00:00:00Z", null);
        String date = "Thu, 29 Feb 2024 12:00:00 GMT";
        wire.responds(200, old, "ETag", "W/\"3\"", "Date", date).responds(200, old, "ETag", "W/\"3\"", "Date", date);

        Outcome<BatchReply<WriteResult>> outcome = start(items(3), false, Duration.ofMinutes(2));
        bench.pass(Duration.ofMinutes(2));
        BatchReply<WriteResult> reply = reply(outcome.value());
        assertThat(reply).isInstanceOf(BatchReply.TooLarge.class);
        assertThat(((BatchReply.TooLarge<WriteResult>) reply).cause()).isInstanceOf(ThrottledException.class);
    }

    @Test
    @DisplayName("BATCH-3: a batch that timed out and may have been carried out is unknown, and not halved")
    void timedOutAndUnknown() {
        for (int i = 0; i < 5; i++) {
            wire.responds(500, Bench.jsonError("OperationTimedOut", "text"));
        }
        wire.responds(404, Bench.jsonError("ResourceNotFound", "text"));

        assertThat(unknown(send(3, false)).failure().errorCode()).isEqualTo("OperationTimedOut");
    }

    @ParameterizedTest
    @DisplayName("BATCH-5: without the table or the right to it the writer is doomed, alone or in a batch")
    @CsvSource({"1", "3"})
    void doomed(int count) {
        wire.responds(404, Bench.jsonError("TableNotFound", "text"))
                .responds(403, Bench.jsonError("AuthorizationFailure", "text"))
                .responds(202, MultipartText.failure(404, "TableNotFound", "0:text"));

        assertThat(((BatchReply.Doomed<WriteResult>) send(count, false)).error())
                .isInstanceOf(NotFoundException.class);
        assertThat(((BatchReply.Doomed<WriteResult>) send(count, false)).error())
                .isInstanceOf(AuthenticationException.class);
        if (count > 1) {
            assertThat(((BatchReply.Doomed<WriteResult>) send(count, false)).error())
                    .isInstanceOf(NotFoundException.class);
        }
    }

    @Test
    @DisplayName("RETRY-3: throttling inside a 202 is retried, and told when it goes on")
    void throttledInside() {
        for (int i = 0; i < 5; i++) {
            wire.responds(202, MultipartText.failure(503, "ServerBusy", "text"));
        }

        BatchReply<WriteResult> reply = send(3, false);

        assertThat(reply).isInstanceOf(BatchReply.Late.class);
        StorageException error = (StorageException) ((BatchReply.Late<WriteResult>) reply).cause();
        assertThat(error).isInstanceOf(ThrottledException.class).hasMessageContaining("PT1M");
        assertThat(((BatchReply.Late<WriteResult>) reply).pause()).isEqualTo(Duration.ofSeconds(27));
        assertThat(error.failure().unansweredAttempts()).isZero();
        assertThat(wire.sent()).hasSize(5);
    }

    @Test
    @DisplayName("OUTCOME-4: a 202 with missing parts is retried and counts as unanswered")
    void missingParts() {
        wire.responds(202, MultipartText.success(2)).responds(202, MultipartText.success(3));
        assertThat(send(3, false)).isInstanceOf(BatchReply.PerItem.class);

        for (int i = 0; i < 5; i++) {
            wire.responds(202, MultipartText.success(2));
        }
        wire.responds(404, Bench.jsonError("ResourceNotFound", "text"));
        StorageException error = unknown(send(3, false));
        assertThat(error).hasCauseInstanceOf(ProtocolException.class).hasMessageContaining("2 parts for 3 operations");
        assertThat(error.failure().unansweredAttempts()).isEqualTo(5);
    }

    @Test
    @DisplayName("BATCH-5: an explicit transaction fails whole and names the operation")
    void transaction() {
        wire.responds(202, MultipartText.failure(412, "UpdateConditionNotSatisfied", "2:text"));

        StorageException error = failed(send(3, true));

        assertThat(error).isInstanceOf(TransactionFailedException.class);
        assertThat(((TransactionFailedException) error).index()).isEqualTo(2);
        assertThat(error).hasCauseInstanceOf(PreconditionFailedException.class).hasMessageContaining("operation 2");
    }

    @Test
    @DisplayName("BATCH-5: a transaction of one is the operation's own request, and names it")
    void transactionOfOne() {
        wire.responds(409, Bench.jsonError("EntityAlreadyExists", "text"));

        StorageException error = failed(send(1, true));

        assertThat(((TransactionFailedException) error).index()).isZero();
        assertThat(error).hasCauseInstanceOf(ConflictException.class);
    }

    @ParameterizedTest
    @DisplayName(
            "BATCH-5: a transaction that is throttled, unauthorised or without its table has no operation to blame")
    @CsvSource({
        "1, 503, ServerBusy, io.stowline.error.ThrottledException",
        "3, 503, ServerBusy, io.stowline.error.ThrottledException",
        "1, 403, AuthorizationFailure, io.stowline.error.AuthenticationException",
        "3, 404, TableNotFound, io.stowline.error.NotFoundException"
    })
    void transactionWithoutCulprit(int count, int status, String code, Class<? extends StorageException> type) {
        for (int i = 0; i < 5; i++) {
            if (count == 1) {
                wire.responds(status, Bench.jsonError(code, "text"));
            } else {
                wire.responds(202, MultipartText.failure(status, code, "0:text"));
            }
        }
        wire.responds(404, Bench.jsonError("ResourceNotFound", "text"));

        assertThat(failed(send(count, true))).isExactlyInstanceOf(type);
    }

    @ParameterizedTest
    @DisplayName(
            "OUTCOME-4: a transaction that may have been carried out before it was refused has no operation to blame,"
                    + " and is unknown")
    @ValueSource(strings = {"OperationTimedOut", "InternalError"})
    void transactionInUnresolved(String code) {
        for (int i = 0; i < 5; i++) {
            wire.responds(202, MultipartText.failure(500, code, "0:text"));
        }
        wire.responds(404, Bench.jsonError("ResourceNotFound", "text"));

        assertThat(unknown(send(3, true)).failure().errorCode()).isEqualTo(code);
    }

    @Test
    @DisplayName(
            "BATCH-4: the entities stay reserved until the horizon of the attempt that lost its response, even after a"
                    + " success")
    void reservedUntilTheHorizon() {
        wire.breaks(new IOException("reset")).responds(202, MultipartText.success(3));
        Bench.Outcome<BatchReply<WriteResult>> outcome = start(items(3), false);
        bench.pass(Duration.ofSeconds(3));

        assertThat(outcome.value()).isInstanceOfSatisfying(BatchReply.ReservedBatch.class, reservedBatch -> assertThat(
                        reservedBatch.time())
                .isEqualTo(Duration.ofSeconds(33)));
        wire.responds(202, MultipartText.success(3));
        assertThat(start(items(3), false).value()).isInstanceOf(BatchReply.PerItem.class);
    }

    @Test
    @DisplayName("OUTCOME-4: without any response, and nothing of it to be seen, it is unknown")
    void unreachable() {
        for (int i = 0; i < 5; i++) {
            wire.breaks(new IOException("reset"));
        }
        wire.responds(404, Bench.jsonError("ResourceNotFound", "text"));

        assertThat(unknown(send(3, false)).failure().unansweredAttempts()).isEqualTo(5);
    }

    @Test
    void countsForItsWriters() {
        WriteCounters other = new WriteCounters();
        wire.responds(202, MultipartText.failure(503, "ServerBusy", "text")).responds(202, MultipartText.success(4));
        start(List.of(item("a"), item("b", other), item("c"), item("d", other)), false);
        bench.pass(Duration.ofMinutes(1));

        assertThat(counters.stats()).isEqualTo(new TableWriter.Stats(2, 2, 1, 1));
        assertThat(other.stats()).isEqualTo(new TableWriter.Stats(2, 2, 1, 1));
    }

    private QueuedWrite group(String... rowKeys) {
        List<EncodedOperation> all = Stream.of(rowKeys).map(Operations::insert).toList();
        return new QueuedWrite(
                Operations.client(bench.pipeline()),
                all.get(0),
                all.subList(1, all.size()),
                counters,
                new DeliveryTerms(
                        RetrySettings.defaults(), WriteMarkers.DECISIVE, ExtraHeaders.NONE, null, false, false));
    }

    private List<ItemReply<WriteResult>> parts(QueuedWrite... items) {
        Outcome<BatchReply<WriteResult>> outcome = start(List.of(items), false);
        bench.pass(Duration.ofMinutes(2));
        assertThat(reply(outcome.value())).isInstanceOf(BatchReply.PerItem.class);
        return ((BatchReply.PerItem<WriteResult>) reply(outcome.value())).replies();
    }

    private static ItemReply<WriteResult> done(int part) {
        return new ItemReply.ItemDone<>(WriteResult.confirmed("W/\"" + part + "\"", false));
    }

    private static TransactionFailedException failure(ItemReply<WriteResult> part) {
        assertThat(part).isInstanceOf(ItemReply.ItemFailed.class);
        return (TransactionFailedException) ((ItemReply.ItemFailed<WriteResult>) part).error();
    }

    @Test
    @DisplayName("BATCH-4: an operation with copies is one item, has the result of its own, and counts with them")
    void groups() {
        wire.responds(202, MultipartText.success(5));

        assertThat(parts(group("a", "a1", "a2"), group("b", "b1"))).containsExactly(done(1), done(4));
        assertThat(wire.last().body()).containsSubsequence("\"a\"", "\"a1\"", "\"a2\"", "\"b\"", "\"b1\"");
        assertThat(counters.stats().operations()).isEqualTo(5);
        assertThat(counters.stats().requests()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-5: a copy that is refused fails its item alone, which says which of its operations it was")
    void culpritInAGroup() {
        wire.responds(202, MultipartText.failure(409, "EntityAlreadyExists", "4:text"));

        List<ItemReply<WriteResult>> parts = parts(group("a", "a1"), group("b", "b1", "b2"), group("c"));
        assertThat(parts.get(0)).isInstanceOf(ItemReply.Unsent.class);
        assertThat(parts.get(2)).isInstanceOf(ItemReply.Unsent.class);
        assertThat(failure(parts.get(1)).index()).isEqualTo(2);
        assertThat(failure(parts.get(1)))
                .cause()
                .isInstanceOf(ConflictException.class)
                .hasMessageContaining("b2");
    }

    @Test
    @DisplayName("BATCH-5: the refusal of a group that travels without others names its operation, too")
    void culpritInAGroupAlone() {
        wire.responds(202, MultipartText.failure(409, "EntityAlreadyExists", "1:text"));

        assertThat(failure(parts(group("a", "a1", "a2")).get(0)).index()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-4: no row stands in a batch twice: what meets a row of an earlier item waits for the next one")
    void groupsThatMeet() {
        wire.responds(202, MultipartText.success(4));

        List<ItemReply<WriteResult>> parts = parts(group("a", "x"), group("b", "x"), group("c", "c1"));
        assertThat(parts.get(0)).isEqualTo(done(1));
        assertThat(parts.get(1)).isInstanceOf(ItemReply.Unsent.class);
        assertThat(parts.get(2)).isEqualTo(done(3));
        assertThat(wire.last().body()).doesNotContain("\"b\"");
    }

    @Test
    @DisplayName("OUTCOME-3: what is unknown of a batch is not unknown of an item that it did not carry")
    void unknownWithoutTheOneThatWaits() {
        wire.breaks(new IOException("reset"))
                .responds(202, MultipartText.failure(409, "EntityAlreadyExists", "0:text"))
                .responds(403, Bench.jsonError("AuthorizationFailure", "text"));

        List<ItemReply<WriteResult>> parts = parts(group("a", "x"), group("b", "x"));
        assertThat(parts.get(0)).isInstanceOf(ItemReply.ItemUnknown.class);
        assertThat(parts.get(1)).isInstanceOf(ItemReply.Unsent.class);
    }
}
