package io.stowline.system.ledger.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.system.ledger.consumer.ConsumerVerdict.Rule;
import io.stowline.system.ledger.consumer.DeliveryReport.Certainty;
import io.stowline.system.ledger.consumer.DeliveryReport.Claim;
import io.stowline.system.ledger.subject.Client;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsumerVerdictTest {

    private static final String MESSAGE = "m";
    private static final String BROKEN = "r9";

    private final QueueLog log = new QueueLog();
    private final ReportBook book = new ReportBook();

    private ConsumerPage page() {
        int there = log.deliveries(MESSAGE).stream().anyMatch(QueueLog.Delivery::isDeleted) ? 0 : 1;
        return page(there);
    }

    private ConsumerPage page(int there) {
        return new ConsumerVerdict(log, book)
                .page(1, Map.of("process killed", 1), Set.of(MESSAGE), new ConsumerVerdict.Remains(there, 0));
    }

    /** Adds a delivery to a consumer, begun so many seconds ago. */
    private void delivered(int consumer, long count, long secondsAgo) {
        log.received(consumer, MESSAGE, count, "r" + count, ago(secondsAgo), true);
        book.begins(consumer, MESSAGE, count);
    }

    private static long ago(long seconds) {
        return System.nanoTime() - TimeUnit.SECONDS.toNanos(seconds);
    }

    private void reported(Claim claim, Certainty certainty) {
        book.ends(DeliveryReport.now(0, MESSAGE, 0, claim, certainty, ""));
    }

    @Test
    void aHandledAndDeletedMessageIsRight() {
        delivered(0, 1, 3);
        book.handles(MESSAGE);
        log.deleted(MESSAGE, "r1", false);
        reported(Claim.DELETED, Certainty.CONFIRMED);

        assertThat(page().figures()).isEqualTo(new ConsumerPage.Figures(1, 1, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @ParameterizedTest
    @CsvSource({
        "DELETED,CONFIRMED,false,DELETED_BUT_THERE",
        "DELETED,REFUSED,true,NOT_DELETED_BUT_GONE",
        "DELETED,REFUSED,false,",
        "DELETED,UNKNOWN,true,",
        "DELETED,UNKNOWN,false,",
        "SHOWN_AGAIN,CONFIRMED,false,SHOWN_AGAIN_BUT_NOT_UPDATED",
        "SHOWN_AGAIN,REFUSED,true,NOT_SHOWN_AGAIN_BUT_UPDATED",
        "SHOWN_AGAIN,CONFIRMED,true,",
        "SHOWN_AGAIN,REFUSED,false,"
    })
    void aReportIsHeldAgainstWhatWasDone(Claim claim, Certainty certainty, boolean done, Rule broken) {
        delivered(0, 1, 3);
        book.handles(MESSAGE);
        if (done && claim == Claim.DELETED) {
            log.deleted(MESSAGE, "r1", true);
        } else if (done) {
            log.updated(MESSAGE, "r1", "r1b", false, ago(2), true);
        }
        reported(claim, certainty);

        assertThat(rules()).isEqualTo(broken == null ? List.of() : List.of(broken.name()));
        assertThat(page().figures().unknown()).isEqualTo(certainty == Certainty.UNKNOWN ? 1 : 0);
    }

    private List<String> rules() {
        return page().violations().stream()
                .map(story -> story.lines().findFirst().orElse(""))
                .toList();
    }

    @Test
    void aReceiptOfARenewalBelongsToItsDelivery() {
        delivered(0, 1, 8);
        book.handles(MESSAGE);
        log.updated(MESSAGE, "r1", BROKEN, true, ago(4), true);
        log.deleted(MESSAGE, BROKEN, true);
        reported(Claim.DELETED, Certainty.CONFIRMED);

        assertThat(rules()).isEmpty();
    }

    @Test
    void aDeletionByAnotherConsumerIsNoneOfThisOne() {
        delivered(0, 1, 12);
        delivered(1, 2, 1);
        book.handles(MESSAGE);
        log.deleted(MESSAGE, "r2", true);
        reported(Claim.DELETED, Certainty.REFUSED);

        assertThat(rules()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"5,LOST_BUT_HELD", "9,"})
    void aLossBeforeTheEndOfTheLeaseIsWrong(long secondsAgo, Rule broken) {
        delivered(0, 1, secondsAgo);
        log.updated(MESSAGE, "r1", BROKEN, true, ago(1), false);
        reported(Claim.LOST, Certainty.CONFIRMED);

        assertThat(rules()).isEqualTo(broken == null ? List.of() : List.of(broken.name()));
    }

    @Test
    void aLeaseCountsFromTheBeginningOfTheOperationThatTookIt() {
        delivered(0, 1, 5);
        log.countsFrom(MESSAGE, "r1", ago(9));
        reported(Claim.LOST, Certainty.CONFIRMED);

        assertThat(rules()).isEmpty();
    }

    @Test
    void aLossIsNotHeldAgainstALaterDelivery() {
        delivered(0, 1, 12);
        reported(Claim.LOST, Certainty.CONFIRMED);
        log.received(0, MESSAGE, 2, "r2", ago(-1), true);

        assertThat(rules()).isEmpty();
    }

    @Test
    void aLossThatIsReportedLateIsOfTheFormerDelivery() {
        delivered(0, 1, 12);
        delivered(0, 2, 1);
        reported(Claim.LOST, Certainty.CONFIRMED);
        book.handles(MESSAGE);
        log.deleted(MESSAGE, "r2", true);
        reported(Claim.DELETED, Certainty.CONFIRMED);

        assertThat(rules()).isEmpty();
    }

    @Test
    void aLossWithoutAHandlerIsOfTheFirstDeliveryThatNoReportNames() {
        log.received(0, MESSAGE, 1, "r1", ago(12), true);
        log.received(0, MESSAGE, 2, "r2", ago(1), true);
        reported(Claim.LOST, Certainty.CONFIRMED);

        assertThat(rules()).isEmpty();
    }

    @Test
    void aLossOfTheNewestDeliveryBeforeTheEndOfItsLeaseIsWrong() {
        delivered(0, 1, 12);
        reported(Claim.LOST, Certainty.CONFIRMED);
        delivered(0, 2, 1);
        reported(Claim.LOST, Certainty.CONFIRMED);

        assertThat(rules()).containsExactly("LOST_BUT_HELD");
    }

    @Test
    void aLossIsRightOnceAnotherHasTheMessage() {
        delivered(0, 1, 5);
        delivered(1, 2, 1);
        reported(Claim.LOST, Certainty.CONFIRMED);

        assertThat(rules()).isEmpty();
    }

    @Test
    void aSecondHandlingHasToBeReported() {
        delivered(0, 1, 12);
        log.deleted(MESSAGE, "r1", true);
        reported(Claim.DELETED, Certainty.CONFIRMED);
        book.handles(MESSAGE);
        book.handles(MESSAGE);

        assertThat(rules()).containsExactly(Rule.HANDLED_AGAIN_UNREPORTED.name());

        reported(Claim.DELETED, Certainty.UNKNOWN);
        assertThat(rules()).isEmpty();
    }

    @Test
    void eachHandlingAfterTheFirstNeedsADeliveryWithAnOpenEnd() {
        delivered(0, 1, 25);
        reported(Claim.DELETED, Certainty.UNKNOWN);
        for (int i = 0; i < 3; i++) {
            book.handles(MESSAGE);
        }

        assertThat(rules()).containsExactly(Rule.HANDLED_AGAIN_UNREPORTED.name());
    }

    @Test
    void aMessageOfAKilledProcessMayBeHandledAgain() {
        delivered(0, 1, 12);
        book.handles(MESSAGE);
        book.killed(0);
        delivered(1, 2, 1);
        book.handles(MESSAGE);

        assertThat(rules()).isEmpty();
        assertThat(page().figures().inHand()).isOne();
        assertThat(page().figures().oftener()).isOne();
    }

    @Test
    void aKillLeavesNothingOpenOfAnEarlierReport() {
        delivered(0, 1, 12);
        book.handles(MESSAGE);
        reported(Claim.DELETED, Certainty.CONFIRMED);
        log.deleted(MESSAGE, "r1", true);
        book.killed(0);
        book.handles(MESSAGE);

        assertThat(rules()).containsExactly(Rule.HANDLED_AGAIN_UNREPORTED.name());
        assertThat(page().figures().inHand()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"CONFIRMED", "UNKNOWN"})
    void aConsumerDoesNotDeleteAMessageThatItLeavesToItsLease(Certainty certainty) {
        delivered(0, 1, 12);
        book.handles(MESSAGE);
        log.deleted(MESSAGE, "r1", true);
        reported(Claim.LOST, certainty);

        assertThat(rules()).containsExactly(Rule.LOST_BUT_DELETED.name());
    }

    @Test
    void whatWasNotDeletedIsStillThere() {
        delivered(0, 1, 12);
        book.handles(MESSAGE);
        reported(Claim.LOST, Certainty.CONFIRMED);

        assertThat(page(1).violations()).isEmpty();
        assertThat(page(0).violations()).singleElement().asString().startsWith(Rule.STATE_UNEXPLAINED.name());
    }

    @Test
    void aMessageThatIsDeletedUnhandledIsLost() {
        delivered(0, 1, 3);
        log.deleted(MESSAGE, "r1", true);
        reported(Claim.DELETED, Certainty.CONFIRMED);

        assertThat(page().figures().lost()).isOne();
        assertThat(rules()).containsExactly(Rule.DELETED_UNHANDLED.name());
    }

    @Test
    void theTableHasTheSumsAndTheRules() {
        delivered(0, 1, 3);
        reported(Claim.DELETED, Certainty.CONFIRMED);
        log.lost();
        log.replaced();
        ConsumerPage page = page();

        assertThat(ConsumerTable.of(Map.of(Client.STOWLINE, List.of(page, page), Client.SDK, List.of(page)))
                        .lines())
                .contains(
                        "| | STOWLINE | SDK |",
                        "| messages | 2 | 1 |",
                        "| process killed | 2 | 1 |",
                        "| messages in hand at these ends | 0 | 0 |",
                        "| lost responses | 2 | 1 |",
                        "| responses of gateways | 2 | 1 |",
                        "| still in the queue | 2 | 1 |",
                        "| wrong | 2 | 1 |",
                        "| wrong: DELETED_BUT_THERE | 2 | 1 |");
    }
}
