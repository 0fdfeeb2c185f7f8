package io.stowline.queue.internal.consumer.channel;

import static io.stowline.retry.internal.timeout.RenewalTimes.longer;
import static io.stowline.retry.internal.timeout.RenewalTimes.shorter;

import io.stowline.error.NotFoundException;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageView.DeliveredMessage;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.poison.PoisonEnvelope;
import io.stowline.queue.internal.poison.PoisonNote;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.StorageLimits;
import io.stowline.transport.internal.outcome.StagedStep;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** A queue of the service, and the poison queue beside it. Thread-safe. */
public final class QueueChannel implements MessageChannel {

    private static final Logger LOG = LoggerFactory.getLogger(QueueChannel.class);

    /** The end of the name of a poison queue, as in Azure Functions. */
    private static final String POISON_SUFFIX = "-poison";

    /** A hyphen and a checksum of 32 bits. */
    private static final int CHECKSUM_CHARS = 9;

    private static final Duration MAX_POLL = Duration.ofSeconds(10);
    private static final Duration MIN_ATTEMPT = Duration.ofMillis(100);
    private static final int RETRIES = 6;

    /** A longer deadline is cut to whole seconds, so that many endings share their settings. */
    private static final Duration AMPLE = Duration.ofSeconds(5);

    private final QueueOperations queue;
    private final QueueOperations poison;
    private final QueueOperations polling;
    private final Scheduler clock;
    private final boolean creates;
    private volatile @Nullable Ending lastEnding;

    /** The queue as messages are ended that have this time. */
    private record Ending(Duration deadline, QueueOperations queue) {}

    /**
     * A queue.
     *
     * @param poison where its poison goes
     * @param clock the time of day
     */
    public QueueChannel(QueueOperations queue, QueueOperations poison, Scheduler clock) {
        this(queue, poison, clock, false);
    }

    private QueueChannel(QueueOperations queue, QueueOperations poison, Scheduler clock, boolean creates) {
        this.queue = queue;
        this.poison = poison;
        this.polling = queue.with(polling(queue.retry()));
        this.clock = clock;
        this.creates = creates;
    }

    /** Returns this queue as one that a poll creates if it is missing. */
    public QueueChannel creating() {
        return new QueueChannel(queue, poison, clock, true);
    }

    /**
     * Returns the name of the poison queue of a queue. A name that leaves no room for the suffix is cut, and a checksum of the whole stands for the rest.
     *
     * @param queue the name of the queue, or the one that its shards share
     */
    public static String poisonOf(String queue) {
        int room = StorageLimits.QUEUE_NAME_MAX_CHARS - POISON_SUFFIX.length();
        if (queue.length() <= room) {
            return queue + POISON_SUFFIX;
        }
        CRC32 checksum = new CRC32();
        checksum.update(queue.getBytes(StandardCharsets.US_ASCII));
        String begin = queue.substring(0, room - CHECKSUM_CHARS);
        return (begin.endsWith("-") ? begin.substring(0, begin.length() - 1) : begin) + "-"
                + HexFormat.of().toHexDigits((int) checksum.getValue()) + POISON_SUFFIX;
    }

    private static RetrySettings polling(RetrySettings own) {
        return own.toBuilder()
                .retries(0)
                .attemptTimeout(shorter(own.attemptTimeout(), MAX_POLL))
                .build();
    }

    @Override
    public String queue() {
        return queue.name();
    }

    @Override
    public Mono<List<DeliveredMessage>> receive(int max, Duration lease) {
        Mono<List<DeliveredMessage>> messages = polling.receive(max, lease);
        return creates
                ? messages.onErrorResume(
                        NotFoundException.class, absent -> created().thenReturn(List.of()))
                : messages;
    }

    private Mono<Boolean> created() {
        return polling.createIfMissing()
                .doOnSuccess(made -> LOG.info("the queue {} was missing, and its consumer has created it", queue()));
    }

    @Override
    public Mono<LeaseReceipt> renew(
            MessageHeader message, LeaseReceipt receipt, @Nullable String text, Duration lease, Duration within) {
        return queue.with(RetrySettings.builder()
                        .backoff(Backoff.none())
                        .deadline(within)
                        .attemptTimeout(within)
                        .minAttempt(MIN_ATTEMPT)
                        .reserve(Duration.ZERO)
                        .build())
                .update(message, receipt, text, lease);
    }

    @Override
    public Mono<Void> giveBack(
            MessageHeader message, LeaseReceipt receipt, @Nullable String text, Duration delay, Duration within) {
        return ending(within).update(message, receipt, text, delay).then();
    }

    @Override
    public Mono<Void> delete(MessageHeader message, LeaseReceipt receipt, Duration within) {
        return ending(within).delete(message, receipt).then();
    }

    /** Retries quickly, the last time before the lease ends. */
    private QueueOperations ending(Duration within) {
        Duration deadline =
                within.compareTo(AMPLE) < 0 ? longer(within, MIN_ATTEMPT) : Duration.ofSeconds(within.toSeconds());
        Ending known = lastEnding;
        if (known == null || !known.deadline().equals(deadline)) {
            known = new Ending(deadline, endingBy(deadline));
            lastEnding = known;
        }
        return known.queue();
    }

    private QueueOperations endingBy(Duration deadline) {
        return queue.with(RetrySettings.builder()
                .backoff(Backoff.interactive())
                .retries(RETRIES)
                .deadline(deadline)
                .attemptTimeout(shorter(queue.retry().attemptTimeout(), deadline.dividedBy(2)))
                .minAttempt(MIN_ATTEMPT)
                .reserve(Duration.ZERO)
                .build());
    }

    @Override
    public Mono<SendResult> copyToPoison(PoisonNote note) {
        Instant now = Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS));
        Mono<SendResult> copy =
                Mono.defer(() -> poison.send(PoisonEnvelope.of(note, now).text(), null, QueueTimeLimits.NEVER));
        return copy.onErrorResume(
                NotFoundException.class, absent -> StagedStep.of("the message was not copied", poison.createIfMissing())
                        .then(copy));
    }

    @Override
    public Mono<Void> asOperation(String verb, MessageHeader message, Mono<Void> work) {
        return queue.asOperation(verb, message::resource, work);
    }

    @Override
    public Mono<Long> count() {
        return polling.approximateCount();
    }
}
