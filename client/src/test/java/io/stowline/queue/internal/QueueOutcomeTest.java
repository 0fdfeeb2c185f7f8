package io.stowline.queue.internal;

import static io.stowline.queue.internal.QueueBench.RECEIPT;
import static io.stowline.queue.internal.QueueBench.error;
import static io.stowline.queue.internal.QueueBench.message;
import static io.stowline.queue.internal.QueueBench.messages;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.error.AuthenticationException;
import io.stowline.error.ConflictException;
import io.stowline.error.NotFoundException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.PreconditionFailedException;
import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.LeaseReceipt.LeaseTimer;
import io.stowline.queue.internal.QueueBench.Running;
import io.stowline.transport.internal.http.FakeWire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

/** The outcome of writes to queues whose response was lost. */
@Timeout(60)
class QueueOutcomeTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String MARK = "x-ms-meta-stowlinewrite";
    private static final String THERE = "QueueAlreadyExists";

    private QueueBench bench = new QueueBench();

    private FakeWire wire() {
        return bench.wire();
    }

    /** The first attempt has no response; the retry comes with {@link #retried}. */
    private <A> Running<A> afterALostResponse(Mono<A> call) {
        bench.losesTheResponse();
        return bench.start(call);
    }

    private <A> Running<A> retried(Running<A> running) {
        bench.pass(Duration.ofSeconds(10));
        return running;
    }

    /** Gives the queue's read-back by the last call this response. */
    private void shows(String... metadata) {
        bench.responds(200, "", metadata);
    }

    private static void isUnknown(StorageException failure, Class<? extends StorageException> cause, String seen) {
        assertThat(failure).isInstanceOf(OutcomeUnknownException.class).hasMessageContaining(seen);
        assertThat(failure.getCause()).isInstanceOf(cause);
    }

    @Test
    @DisplayName("OUTCOME-5: making a queue leaves a mark, which nobody sees, and costs no request more")
    void leavesAMark() throws Exception {
        bench.responds(201, "");
        bench.start(bench.client().create()).value();
        String marker = wire().last().header(MARK);
        assertThat(marker).isNotNull();
        assertThat(wire().sent()).hasSize(1);

        bench.responds(
                200,
                "",
                "x-ms-approximate-messages-count",
                "0",
                "X-Ms-Meta-StowlineWrite",
                marker,
                "x-ms-meta-Team",
                "a");
        assertThat(bench.start(bench.client().info()).value().metadata()).isEqualTo(Map.of("Team", "a"));
    }

    @Test
    @DisplayName("OUTCOME-5: \"the same is there already\" can only be our own queue")
    void isTheSame() throws Exception {
        Running<Void> making = afterALostResponse(bench.client().create());
        bench.responds(204, "");

        retried(making).value();
        assertThat(wire().sent().get(1).header(MARK))
                .isEqualTo(wire().sent().get(0).header(MARK));
    }

    @Test
    @DisplayName("OUTCOME-5: making a queue unless it is there leaves no mark, and says whether it was")
    void leavesNoMark() throws Exception {
        bench.responds(201, "").responds(204, "").responds(409, error(THERE));

        assertThat(bench.start(bench.client().createIfMissing()).value()).isTrue();
        assertThat(wire().last().header(MARK)).isNull();
        assertThat(bench.start(bench.client().createIfMissing()).value()).isFalse();
        assertThat(bench.start(bench.client().createIfMissing()).value()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: a response with another success than the documented one is none: the message may be there")
    void isNoResponse() throws Exception {
        bench.responds(200, "<html/>").responds(201, QueueBench.sent("id-0"));
        var sending = bench.start(bench.client().send("text", null, null));

        assertThat(retried(sending).value().mayHaveRepeated()).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-5: a queue with our mark is ours")
    void isOurs() throws Exception {
        Running<Void> making = afterALostResponse(bench.client().create());
        bench.responds(409, error(THERE));
        shows("x-ms-approximate-messages-count", "0", MARK, wire().last().header(MARK));
        retried(making).value();
        assertThat(wire().last().url()).contains("comp=metadata");
        assertThat(wire().sent()).hasSize(3);
    }

    @Test
    @DisplayName("OUTCOME-5, OUTCOME-0: a queue without the mark, one that cannot be read, and none prove nothing")
    void isNotKnownToBeOurs() throws Exception {
        Running<Void> making = afterALostResponse(bench.client().create());
        bench.responds(409, error(THERE));
        shows("x-ms-approximate-messages-count", "0", MARK, "of another");
        isUnknown(retried(making).failure(), ConflictException.class, "lacks the marker of this call");

        bench = new QueueBench();
        making = afterALostResponse(bench.client().create());
        bench.responds(409, error(THERE)).responds(404, error("QueueNotFound"));
        isUnknown(retried(making).failure(), ConflictException.class, "the queue does not exist now");

        bench = new QueueBench();
        making = afterALostResponse(bench.client().create());
        bench.responds(409, error(THERE)).responds(403, error("AuthorizationFailure"));
        isUnknown(retried(making).failure(), ConflictException.class, "reading back failed");
    }

    @Test
    @DisplayName("OUTCOME-5: \"unless it is there\" says false of a queue that is there")
    void isThere() throws Exception {
        Running<Boolean> making = afterALostResponse(bench.client().createIfMissing());
        bench.responds(409, error(THERE));
        assertThat(retried(making).value()).isFalse();
        assertThat(wire().sent()).hasSize(2);

        bench = new QueueBench();
        making = afterALostResponse(bench.client().createIfMissing());
        bench.responds(403, error("AuthorizationFailure"));
        shows("x-ms-approximate-messages-count", "0");
        assertThat(retried(making).value()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-0: \"unless it is there\" is unknown where no response and no look tells of a queue")
    void isPerhapsNotThere() {
        Running<Boolean> making = afterALostResponse(bench.client().createIfMissing());
        bench.responds(403, error("AuthorizationFailure")).responds(404, error("QueueNotFound"));

        assertThat(retried(making).failure()).isInstanceOf(OutcomeUnknownException.class);
    }

    @ParameterizedTest
    @CsvSource({"404, QueueNotFound", "409, QueueBeingDeleted"})
    @DisplayName("OUTCOME-3: a queue that is gone after a lost response is removed")
    void isRemoved(int status, String code) throws Exception {
        Running<Boolean> removing = afterALostResponse(bench.client().deleteIfExists());
        bench.responds(status, error(code));

        assertThat(retried(removing).value()).isTrue();
        assertThat(wire().sent()).hasSize(2);
    }

    @Test
    @DisplayName("OUTCOME-0: writes that are sent again and end in a refusal are unknown")
    void isRefusedAfterALostResponse() {
        for (Mono<?> write : List.of(
                bench.client().setMetadata(Map.of("a", "b")),
                bench.client().clear(),
                bench.client().send("text", null, null),
                bench.client().delete())) {
            Running<?> running = afterALostResponse(write);
            bench.responds(403, error("AuthorizationFailure"));
            assertThat(retried(running).failure()).isInstanceOf(OutcomeUnknownException.class);
        }
    }

    private Running<WriteResult> delete(LeaseReceipt receipt) {
        return afterALostResponse(bench.client().delete(message("id-0"), receipt));
    }

    @ParameterizedTest
    @CsvSource({"404, MessageNotFound", "400, PopReceiptMismatch"})
    @DisplayName("OUTCOME-7: a message that is gone while our lease runs was removed by this call")
    void isDeleted(int status, String code) throws Exception {
        Running<WriteResult> deleting = delete(bench.lease(RECEIPT, MINUTE));
        bench.responds(status, error(code));

        assertThat(retried(deleting).value()).isEqualTo(WriteResult.recovered("", Evidence.CONTENT, false));
        assertThat(wire().sent()).hasSize(2);
        assertThat(bench.completed().size()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"404, MessageNotFound", "400, PopReceiptMismatch"})
    @DisplayName("OUTCOME-7: a message that is gone after our lease may have been received by another")
    void mayBeDeleted(int status, String code) {
        Running<WriteResult> deleting = delete(bench.lease(RECEIPT, Duration.ofSeconds(2)));
        bench.responds(status, error(code));

        isUnknown(retried(deleting).failure(), PreconditionFailedException.class, "the receipt is no longer valid");
        assertThat(bench.completed().holds(message("id-0"))).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-7: a message that is gone after an update of ours may have another receipt only")
    void mayHaveAnotherReceipt() {
        LeaseReceipt receipt = bench.lease(RECEIPT, MINUTE);
        bench.responds(503, error("ServerBusy"));
        Running<LeaseReceipt> updating = bench.start(bench.client().update(message("id-0"), receipt, null, MINUTE));
        Running<WriteResult> deleting = delete(receipt);
        wire().staysSilent();
        bench.responds(404, error("MessageNotFound"));

        isUnknown(retried(deleting).failure(), PreconditionFailedException.class, "the receipt is no longer valid");
        assertThat(updating.future()).isNotDone();
    }

    @Test
    @DisplayName("OUTCOME-7: a deletion without any response is unknown, and a refusal without a doubt is not")
    void isNotResponded() {
        Running<WriteResult> deleting = delete(bench.lease(RECEIPT, MINUTE));
        for (int i = 0; i < 4; i++) {
            bench.losesTheResponse();
        }
        bench.pass(Duration.ofMinutes(2));
        isUnknown(deleting.failure(), UnreachableException.class, "a hidden message cannot be read back");
        assertThat(bench.completed().holds(message("id-0"))).isTrue();

        bench.responds(404, error("QueueNotFound"));
        assertThat(bench.start(bench.client().delete(message("id-1"), bench.lease(RECEIPT, MINUTE)))
                        .failure())
                .isInstanceOf(NotFoundException.class);
        assertThat(bench.completed().holds(message("id-1"))).isTrue();
    }

    @Test
    @DisplayName("OUTCOME-7, QUEUE-2: a deletion that is refused after an update without response is remembered")
    void isRefusedForAReceiptNobodyKnows() throws Exception {
        LeaseReceipt receipt = bench.lease(RECEIPT, MINUTE);
        Running<LeaseReceipt> updating =
                afterALostResponse(bench.client().update(message("id-0"), receipt, null, MINUTE));
        bench.responds(404, error("MessageNotFound"));
        assertThat(retried(updating).failure()).isInstanceOf(OutcomeUnknownException.class);

        bench.responds(400, error("PopReceiptMismatch"));
        assertThat(bench.start(bench.client().delete(message("id-0"), receipt)).failure())
                .isInstanceOf(PreconditionFailedException.class)
                .hasMessageContaining("if it is received here again, it is removed and not handed out");

        bench.responds(200, messages("one")).responds(204, "");
        assertThat(bench.start(bench.client().receive(32, MINUTE)).value()).isEmpty();
        awaitRemoved(1);
        assertThat(bench.completed().size()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-7, QUEUE-2: a deletion that is given up is remembered, until the message is written anew")
    void isGivenUp() throws Exception {
        wire().staysSilent();
        bench.client()
                .delete(message("id-0"), bench.lease(RECEIPT, MINUTE))
                .subscribe()
                .dispose();
        assertThat(bench.completed().holds(message("id-0"))).isTrue();

        bench.responds(204, "", "x-ms-popreceipt", "next", "x-ms-time-next-visible", "Thu, 29 Feb 2024 12:01:00 GMT");
        bench.start(bench.client().update(message("id-0"), bench.lease(RECEIPT, MINUTE), "more to do", MINUTE))
                .value();
        assertThat(bench.completed().size()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-7: an update that was refused for another reason leaves the lease as it was")
    void isUpheld() throws Exception {
        LeaseReceipt receipt = bench.lease(RECEIPT, MINUTE);
        bench.responds(403, error("AuthorizationFailure"));
        assertThat(bench.start(bench.client().update(message("id-0"), receipt, null, MINUTE))
                        .failure())
                .isInstanceOf(AuthenticationException.class);
        assertThat(receipt.leaseTimer().runs()).isTrue();

        bench.responds(400, error("PopReceiptMismatch"));
        assertThat(bench.start(bench.client().update(message("id-0"), receipt, null, MINUTE))
                        .failure())
                .isInstanceOf(PreconditionFailedException.class);
        assertThat(receipt.leaseTimer().runs()).isFalse();
    }

    @Test
    @DisplayName("OUTCOME-7: a deletion that succeeds when it is tried again is remembered no longer")
    void isDeletedAtLast() throws Exception {
        bench.completed().remember(message("id-0"));
        bench.responds(204, "");
        bench.start(bench.client().delete(message("id-0"), bench.lease(RECEIPT, MINUTE)))
                .value();

        assertThat(bench.completed().size()).isZero();
    }

    @Test
    @DisplayName(
            "OUTCOME-7: a message whose deletion is unknown is removed when it is received again, and not handed out")
    void isRemovedLater() throws Exception {
        bench.completed().remember(message("id-0"));
        bench.responds(200, messages("one", "two")).responds(204, "");
        List<DeliveredMessage> received =
                bench.start(bench.client().receive(32, MINUTE)).value();

        assertThat(received).extracting(delivery -> delivery.view().raw()).containsExactly("two");
        assertThat(wire().last().method()).isEqualTo("DELETE");
        assertThat(wire().last().url()).contains("/orders/messages/id-0?");
        awaitRemoved(1);
        assertThat(bench.completed().size()).isZero();
    }

    /** Waits for the removal, which no caller waits for. */
    private void awaitRemoved(int messages) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (bench.completed().removed() < messages && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(100_000);
        }
        assertThat(bench.completed().removed()).isEqualTo(messages);
    }

    @Test
    @DisplayName("OUTCOME-7: a message that cannot be removed then is left for the next time")
    void isLeftForTheNextTime() throws Exception {
        bench.completed().remember(message("id-0"));
        bench.responds(200, messages("one")).responds(403, error("AuthorizationFailure"));
        assertThat(bench.start(bench.client().receive(32, MINUTE)).value()).isEmpty();
        assertThat(bench.completed().holds(message("id-0"))).isTrue();

        bench.responds(200, messages("one")).responds(204, "");
        assertThat(bench.start(bench.client().receive(32, MINUTE)).value()).isEmpty();
        awaitRemoved(1);
        assertThat(bench.completed().size()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-7: the lease of a received message is counted from before the attempt that received it")
    void countsFromItsAttempt() throws Exception {
        Running<List<DeliveredMessage>> receiving =
                afterALostResponse(bench.client().receive(1, Duration.ofSeconds(5)));
        wire().respondsAfter(Duration.ofSeconds(2), 200, messages("one"), "Content-Type", "application/xml");
        bench.pass(Duration.ofSeconds(5));
        LeaseTimer leaseTimer = receiving.value().get(0).lease().leaseTimer();
        Duration sent = wire().last().at();

        bench.pass(sent.plus(Duration.ofSeconds(4)).minusMillis(1).minus(Duration.ofSeconds(5)));
        assertThat(leaseTimer.runs()).isTrue();
        bench.pass(Duration.ofMillis(1));
        assertThat(leaseTimer.runs()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"404, MessageNotFound", "400, PopReceiptMismatch"})
    @DisplayName(
            "OUTCOME-7: an update whose response was lost may have taken the receipt with it, and says for how long")
    void mayHaveLostItsReceipt(int status, String code) {
        Running<LeaseReceipt> updating =
                afterALostResponse(bench.client().update(message("id-0"), bench.lease(RECEIPT, MINUTE), null, MINUTE));
        bench.responds(status, error(code));

        isUnknown(
                retried(updating).failure(),
                PreconditionFailedException.class,
                "the message stays hidden for 60000 ms from now at the most");
        assertThat(bench.completed().size()).isZero();
    }

    @Test
    @DisplayName("OUTCOME-7, OUTCOME-0: an update without any response may come until its horizon")
    void mayComeLate() {
        Running<LeaseReceipt> updating =
                afterALostResponse(bench.client().update(message("id-0"), bench.lease(RECEIPT, MINUTE), null, MINUTE));
        bench.responds(403, error("AuthorizationFailure"));

        String message = retried(updating).failure().getMessage();
        assertThat(message).containsPattern("the message stays hidden for (8|9)\\d{4} ms from now");
    }

    @Test
    @DisplayName("OUTCOME-7: the receipt of an update that was answered has a lease of its own")
    void hasANewLease() throws Exception {
        LeaseReceipt receipt = bench.lease(RECEIPT, MINUTE);
        bench.responds(204, "", "x-ms-popreceipt", "next", "x-ms-time-next-visible", "Thu, 29 Feb 2024 12:01:00 GMT");
        LeaseReceipt renewed = bench.start(bench.client().update(message("id-0"), receipt, null, MINUTE))
                .value();

        assertThat(receipt.leaseTimer().runs()).isFalse();
        assertThat(renewed.leaseTimer().runs()).isTrue();
    }
}
