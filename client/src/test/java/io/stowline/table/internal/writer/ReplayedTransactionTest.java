package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.error.ConflictException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.table.internal.request.EncodedOperation;
import io.stowline.table.internal.request.EntityVerb;
import io.stowline.table.internal.request.Operations;
import io.stowline.table.internal.write.Entities;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.http.FakeWire;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReplayedTransactionTest {

    private static final String MARK = "0d7c1f9a-0000-4000-8000-00000000000";
    private static final String EXISTS = Bench.jsonError("EntityAlreadyExists", "text");
    private static final String DATE = "Thu, 29 Feb 2024 12:00:00 GMT";
    private static final String LONG_AGO = "2024-02-28T00:00:00Z";
    private static final String JUST_NOW = "2024-02-29T11:59:59Z";
    private static final Duration ALLOWED = Duration.ofSeconds(35);

    private final Bench bench = new Bench();
    private final FakeWire wire = bench.wire();

    private QueuedWrite replayed(EncodedOperation operation) {
        Instant now = Instant.ofEpochMilli(bench.pipeline().timer().now(TimeUnit.MILLISECONDS));
        JournalRecord record = JournalRecord.of(operation, now.minusSeconds(60), ALLOWED);
        ReplayedWrite replay = new ReplayedWrite(
                record,
                bench.pipeline().timer().now(TimeUnit.NANOSECONDS),
                bench.pipeline().timer());
        return new QueuedWrite(
                Operations.client(bench.pipeline()),
                operation,
                List.of(),
                new WriteCounters(),
                null,
                JournalTicket.of(null, 1, replay));
    }

    private QueuedWrite insert(int number) {
        return replayed(Operations.insert("r" + number).marked(MARK + number));
    }

    private BatchReply.ReservedBatch<WriteResult> sent(List<QueuedWrite> items) {
        var outcome = bench.start(new ReplayedTransaction(items, bench.pipeline(), null).send());
        bench.pass(Duration.ofMinutes(5));
        assertThat(bench.gate().inUse()).isZero();
        return (BatchReply.ReservedBatch<WriteResult>) outcome.value();
    }

    private List<ItemReply<WriteResult>> replies(QueuedWrite... items) {
        return ((BatchReply.PerItem<WriteResult>) sent(List.of(items)).reply()).replies();
    }

    @Test
    @DisplayName("BATCH-15: what was not carried out before is carried out in one transaction, and its entities stay"
            + " reserved")
    void together() {
        wire.responds(202, MultipartText.success(3));

        BatchReply.ReservedBatch<WriteResult> reply = sent(List.of(insert(0), insert(1), insert(2)));

        assertThat(((BatchReply.PerItem<WriteResult>) reply.reply()).replies())
                .containsExactly(
                        new ItemReply.ItemDone<>(WriteResult.confirmed("W/\"1\"", true)),
                        new ItemReply.ItemDone<>(WriteResult.confirmed("W/\"2\"", true)),
                        new ItemReply.ItemDone<>(WriteResult.confirmed("W/\"3\"", true)));
        assertThat(reply.time()).isEqualTo(ALLOWED);
        assertThat(wire.sent()).hasSize(1);
        assertThat(wire.last().body()).contains("\"StowlineWrite\":\"" + MARK + "1\"");
    }

    @Test
    @DisplayName(
            "BATCH-15: an insert that is there already is known by its mark, and what was not carried out goes with no"
                    + " harm")
    void eachIsJudgedAlone() {
        wire.responds(202, MultipartText.failure(409, "EntityAlreadyExists", "0:text"));
        wire.responds(409, EXISTS);
        wire.responds(200, Entities.json("r0", "text", JUST_NOW, MARK + "0"), "ETag", "W/\"7\"", "Date", DATE);
        wire.responds(204, "", "ETag", "W/\"9\"");

        List<ItemReply<WriteResult>> replies = replies(insert(0), insert(1));

        assertThat(replies.get(0))
                .isEqualTo(new ItemReply.ItemDone<>(WriteResult.recovered("W/\"7\"", Evidence.MARKER, false)));
        assertThat(replies.get(1)).isEqualTo(new ItemReply.ItemDone<>(WriteResult.confirmed("W/\"9\"", true)));
        assertThat(wire.sent()).hasSize(4);
    }

    @Test
    @DisplayName(
            "BATCH-15: an entity of somebody else that was there all the time is a conflict, once no attempt is left")
    void aTrueConflict() {
        wire.responds(409, EXISTS)
                .responds(200, Entities.json("r0", "other", LONG_AGO, null), "ETag", "W/\"7\"", "Date", DATE)
                .responds(200, Entities.json("r0", "other", LONG_AGO, null), "ETag", "W/\"7\"", "Date", DATE);

        ItemReply<WriteResult> reply = replies(insert(0)).get(0);

        assertThat(((ItemReply.ItemFailed<WriteResult>) reply).error()).isInstanceOf(ConflictException.class);
        assertThat(wire.times().get(2)).isGreaterThanOrEqualTo(ALLOWED);
    }

    @Test
    @DisplayName("BATCH-15: an insert that finds another entity, younger than it, is neither a conflict nor a success")
    void anUnknownOne() {
        wire.responds(409, EXISTS)
                .responds(200, Entities.json("r0", "other", JUST_NOW, null), "ETag", "W/\"7\"", "Date", DATE);

        ItemReply<WriteResult> reply = replies(insert(0)).get(0);

        assertThat(((ItemReply.ItemUnknown<WriteResult>) reply).error()).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    @DisplayName("BATCH-15: a bound update that was carried out before is known by its mark")
    void aBoundUpdate() {
        wire.responds(412, Bench.jsonError("UpdateConditionNotSatisfied", "text"))
                .responds(200, Entities.json("r0", "text", JUST_NOW, MARK + "0"), "ETag", "W/\"7\"", "Date", DATE);

        assertThat(replies(replayed(Operations.operation(EntityVerb.REPLACE, "p", "r0", "text")
                        .marked(MARK + "0"))))
                .containsExactly(new ItemReply.ItemDone<>(WriteResult.recovered("W/\"7\"", Evidence.MARKER, false)));
    }

    @Test
    @DisplayName("BATCH-15: a deletion that finds nothing has been carried out")
    void aDeletion() {
        wire.responds(404, Bench.jsonError("ResourceNotFound", "text"));

        ItemReply<WriteResult> reply =
                replies(replayed(Operations.encoder().delete("p", "r0", "*"))).get(0);

        assertThat(((ItemReply.ItemDone<WriteResult>) reply).value().outcome()).isEqualTo(WriteOutcome.ABSENT);
    }

    private BatchReply<WriteResult> whole(QueuedWrite... items) {
        var outcome = bench.start(new ReplayedTransaction(List.of(items), bench.pipeline(), null).send());
        bench.pass(Duration.ofMinutes(5));
        BatchReply<WriteResult> reply = outcome.value();
        return reply instanceof BatchReply.ReservedBatch<WriteResult> reservedBatch ? reservedBatch.reply() : reply;
    }

    @Test
    @DisplayName("BATCH-15: what came to no end is not tried on and on within one flight")
    void comesToNoEnd() {
        for (int i = 0; i < 30; i++) {
            wire.breaksBeforeWriting(new IOException("no route"));
        }

        BatchReply<WriteResult> reply = whole(insert(0));

        assertThat(EndRules.isFinal(((BatchReply.BatchFailed<WriteResult>) reply).error()))
                .isFalse();
        assertThat(wire.sent())
                .filteredOn(request -> request.method().equals("POST"))
                .hasSizeBetween(1, 10);
    }

    @Test
    @DisplayName("BATCH-3: too much at a time is halved in a replay, too, and 413 at once")
    void halves() {
        wire.responds(413, Bench.jsonError("RequestBodyTooLarge", "text"));

        BatchReply<WriteResult> reply = whole(insert(0), insert(1));

        assertThat(reply).isInstanceOf(BatchReply.TooLarge.class);
        assertThat(wire.sent()).hasSize(1);
    }

    @Test
    @DisplayName("BATCH-3: a replay that the service could not do in time is halved once its attempts are over")
    void halvesWhatTookTooLong() {
        for (int i = 0; i < 30; i++) {
            wire.responds(500, Bench.jsonError("OperationTimedOut", "text"));
        }

        BatchReply.ReservedBatch<WriteResult> reply = sent(List.of(insert(0), insert(1)));

        BatchReply<WriteResult> bare =
                reply.reply() instanceof BatchReply.Strained<WriteResult> strained ? strained.reply() : reply.reply();
        assertThat(bare).isInstanceOf(BatchReply.TooLarge.class);
        assertThat(wire.sent()).hasSizeLessThan(10);
    }

    @Test
    @DisplayName("RETRY-3: what the service cannot do at all is never retried in a replay either")
    void neverRetriesWhatCannotSucceed() {
        for (int i = 0; i < 30; i++) {
            wire.responds(501, Bench.jsonError("NotImplemented", "text"));
        }

        assertThat(EndRules.isFinal(((ItemReply.ItemFailed<WriteResult>) orUnknown(insert(0))).error()))
                .isTrue();
        assertThat(wire.sent()).hasSizeLessThanOrEqualTo(3);
    }

    private ItemReply<WriteResult> orUnknown(QueuedWrite item) {
        ItemReply<WriteResult> reply =
                ((BatchReply.PerItem<WriteResult>) whole(item)).replies().get(0);
        return reply instanceof ItemReply.ItemUnknown<WriteResult> unknown
                ? new ItemReply.ItemFailed<>(unknown.error())
                : reply;
    }
}
