package io.stowline.advisor.internal.rule;

import static io.stowline.advisor.Severity.ADVICE;
import static io.stowline.advisor.Severity.WARNING;

import io.stowline.advisor.Threshold;
import io.stowline.advisor.internal.evidence.ContainerTally;
import io.stowline.advisor.internal.evidence.ContainerTraffic;
import io.stowline.advisor.internal.evidence.Snapshot;
import io.stowline.advisor.internal.evidence.Tally;
import java.util.Comparator;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The rules of practices that concern queues. */
final class QueueRules {

    private static final ContainerTraffic NO_QUEUE = new ContainerTraffic(-1, "queue", "", Map.of(), 0, 0);

    private QueueRules() {}

    private static ContainerTraffic worst(Snapshot traffic, ToDoubleFunction<ContainerTraffic> rank) {
        return traffic.containers("queue").stream()
                .max(Comparator.comparingDouble(rank))
                .orElse(NO_QUEUE);
    }

    /** Judges Q1. */
    static Judgement target(Snapshot traffic, Levels levels) {
        ContainerTraffic queue = worst(traffic, ContainerTraffic::peak);
        double refused = queue.percent(ContainerTally.THROTTLED, ContainerTally.ATTEMPTS) * 10;
        Judgement.Builder judgement = levels.judge(queue.count(ContainerTally.ATTEMPTS))
                .object(Judgement.text("queue %s: %,.0f messages/s", queue.name(), queue.peak()));
        return AccountRules.throttled(judgement, queue.count(ContainerTally.THROTTLED), refused, "one queue")
                .over(
                        Threshold.QUEUE_MESSAGES,
                        "messages of the busiest queue",
                        queue.peak(),
                        ADVICE,
                        "One queue moves more than 60 % of the messages that a queue is made for; add, get and delete"
                                + " count.")
                .build("Each queue is far below its target.");
    }

    /** Judges Q3. */
    static Judgement messages(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.SENDS))
                .over(
                        Threshold.MESSAGE_BYTES,
                        "the largest hundredth of messages has at least",
                        traffic.message(0.99),
                        ADVICE,
                        "Messages come near the limit of 64 KiB; Base64 and XML count.")
                .build("Messages are compact.");
    }

    /** Judges Q4. */
    static Judgement batches(Snapshot traffic, Levels levels) {
        ContainerTraffic queue = worst(traffic, one -> (double) one.count(ContainerTally.SINGLE_RECEIVES));
        return levels.judge(queue.count(ContainerTally.RECEIVES))
                .object("queue " + queue.name())
                .overBoth(
                        Threshold.SINGLE_RECEIVES,
                        "receives that requested one message and got it",
                        queue.percent(ContainerTally.SINGLE_RECEIVES, ContainerTally.RECEIVES),
                        Threshold.POLL_RATE,
                        "receives of this queue",
                        queue.count(ContainerTally.RECEIVES) / traffic.seconds(),
                        ADVICE,
                        "Messages are fetched one by one, although a request can bring 32.")
                .build("Messages come in batches, or are few.");
    }

    /** Judges Q5. */
    static Judgement polls(Snapshot traffic, Levels levels) {
        ContainerTraffic queue = worst(traffic, one -> (double) one.count(ContainerTally.EMPTY_RECEIVES));
        return levels.judge(queue.count(ContainerTally.RECEIVES))
                .object("queue " + queue.name())
                .overBoth(
                        Threshold.EMPTY_RECEIVES,
                        "receives without a message",
                        queue.percent(ContainerTally.EMPTY_RECEIVES, ContainerTally.RECEIVES),
                        Threshold.POLL_RATE,
                        "receives of this queue",
                        queue.count(ContainerTally.RECEIVES) / traffic.seconds(),
                        ADVICE,
                        "An idle queue is polled more than once a second.")
                .build("Polls find messages, or are rare.");
    }

    /** Judges Q6. */
    static Judgement leases(Snapshot traffic, Levels levels) {
        long lost = traffic.count(Tally.LOST_DELIVERIES) + traffic.count(Tally.STALE_RECEIPTS);
        long received = traffic.count(Tally.RECEIVED_MESSAGES);
        return levels.judge(received)
                .figure("deliveries that consumers lost", traffic.count(Tally.LOST_DELIVERIES), "deliveries")
                .figure("updates and deletions with an old receipt", traffic.count(Tally.STALE_RECEIPTS), "requests")
                .over(
                        Threshold.LOST_LEASES,
                        "messages that another receiver got during their handling",
                        received == 0 ? 0 : 100.0 * lost / received,
                        WARNING,
                        "Messages become visible while they are handled, so that they are handled twice.")
                .build("Messages stay hidden while they are handled.");
    }

    /** Judges Q7. */
    static Judgement poison(Snapshot traffic, Levels levels) {
        return levels.judge(traffic.count(Tally.DELIVERIES), 1)
                .over(
                        Threshold.POISON,
                        "messages that no handling settled",
                        traffic.count(Tally.POISONED),
                        WARNING,
                        "Messages fail each time, and went to a poison queue, or could not be copied there.")
                .build("Handlers settle their messages.");
    }
}
