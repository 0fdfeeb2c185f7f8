package io.stowline.queue.internal.consumer.lease;

import io.stowline.error.OutcomeUnknownException;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageEnvelope.Claim;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.body.ClaimCheckStore;
import io.stowline.queue.internal.body.EnvelopeFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * The history that a message carries: checkpoints and counts in an envelope of the library; any other text has none. A
 * checkpoint is stored by the next renewal. Only in the serial executor, but for {@link #envelope} and {@link #traceContext}.
 */
final class MessageNotes {

    private static final Logger LOG = LoggerFactory.getLogger(MessageNotes.class);

    private final @Nullable EnvelopeFormat format;
    private final MessageView message;
    private final Map<String, String> traceContext;
    private final List<Sinks.One<Void>> waiting = new ArrayList<>();
    private volatile @Nullable MessageEnvelope envelope;
    /** The first waiting checkpoints, which the renewal in flight carries. */
    private int carried;

    /** The first waiting checkpoints, which a renewal without a response may have stored. */
    private int doubtful;

    private @Nullable Throwable unresolved;

    MessageNotes(@Nullable EnvelopeFormat format, MessageView message) {
        this.format = format;
        this.message = message;
        MessageEnvelope read = format == null ? null : format.read(message.raw());
        this.traceContext = read == null ? Map.of() : read.traceContext();
        this.envelope = read != null && read.isOwn() ? read : null;
    }

    /** Returns the trace context of the sender, which may be another program; empty if it has none. */
    Map<String, String> traceContext() {
        return traceContext;
    }

    /** Returns the envelope in its newest state, or {@code null} if the message has none that may be rewritten. */
    @Nullable
    MessageEnvelope envelope() {
        return envelope;
    }

    /** Returns whether a checkpoint waits to be stored. */
    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** Takes a checkpoint, which the next renewal stores. */
    void checkpoint(String text, Sinks.One<Void> sink) {
        MessageEnvelope known = envelope;
        EnvelopeFormat writer = format;
        if (known == null || writer == null) {
            sink.tryEmitError(new IllegalStateException(message.header().resource()
                    + " has no envelope of Stowline, and its text is not changed; withEnvelope(..) of"
                    + " its queue makes one"));
            return;
        }
        try {
            MessageEnvelope noted = known.withCheckpoint(text);
            writer.text(noted);
            envelope = noted;
            waiting.add(sink);
        } catch (IllegalArgumentException e) {
            sink.tryEmitError(e);
        }
    }

    /** Returns the text for a renewal, or {@code null} if it changes none. */
    @Nullable
    String renewal() {
        carried = waiting.size();
        return carried == 0 ? null : text(envelope);
    }

    /** Confirms the checkpoints that the renewal has stored. */
    void renewed() {
        List<Sinks.One<Void>> stored = List.copyOf(waiting.subList(0, carried));
        waiting.subList(0, carried).clear();
        carried = 0;
        doubtful = 0;
        stored.forEach(Sinks.One::tryEmitEmpty);
    }

    /** Leaves the checkpoints of a failed renewal to the next one. */
    void notRenewed(Throwable error) {
        if (carried > 0 && error instanceof OutcomeUnknownException) {
            doubtful = carried;
            unresolved = error;
        }
        carried = 0;
    }

    /** Returns the text of a message that is given back with these counts, or {@code null} to leave it. */
    @Nullable
    String givenBack(int failures, long releases) {
        MessageEnvelope known = envelope;
        try {
            return known == null ? null : text(known.noting(failures, releases));
        } catch (IllegalArgumentException e) {
            LOG.debug("{} cannot take notes", message.header().resource(), e);
            return null;
        }
    }

    private @Nullable String text(@Nullable MessageEnvelope known) {
        try {
            return known == null || format == null ? null : format.text(known);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /**
     * Copies the message to the poison queue, with a separate body. Without a claim check no body can be copied.
     *
     * @param send puts a copy there
     */
    Mono<SendResult> poison(Function<MessageView, Mono<SendResult>> send) {
        MessageEnvelope known = envelope;
        Claim claim = known == null ? EnvelopeFormat.claim(message.raw()) : known.claim();
        ClaimCheckStore bodies = EnvelopeFormat.bodiesOf(format);
        if (claim == null || (bodies != null && bodies.claim(known) == null)) {
            return send.apply(current(known));
        }
        if (known == null || bodies == null) {
            return Mono.error(new IllegalStateException("the body of "
                    + message.header().resource() + " is in the blob " + claim.name()
                    + ", which only a queue with claimCheck in its envelope can keep for the poison queue"));
        }
        return bodies.copy(
                known.id(),
                claim,
                ClaimCheckStore.ofMoved(message.header().timeToLive()),
                own -> send.apply(current(known.withClaim(own))),
                SendResult::mayHaveRepeated);
    }

    private MessageView current(@Nullable MessageEnvelope known) {
        String text = text(known);
        return text == null ? message : new MessageView(message.header(), text);
    }

    /** Removes the body of the message once that has been deleted. It does not fail. */
    Mono<Void> removal() {
        return Mono.defer(() -> EnvelopeFormat.discard(format, envelope));
    }

    /** Ends the checkpoints of a message that was given back with all notes, or not. */
    void givenBack(@Nullable Throwable error) {
        carried = waiting.size();
        if (error == null) {
            renewed();
        } else {
            notRenewed(error);
        }
    }

    /**
     * Fails the waiting checkpoints, as no renewal follows: with the error of a renewal that may have stored one, else
     * for a reason. Those in flight wait for their renewal to return.
     */
    void end(Supplier<RuntimeException> why) {
        List<Sinks.One<Void>> rest = waiting.subList(carried, waiting.size());
        List<Sinks.One<Void>> left = List.copyOf(rest);
        rest.clear();
        for (int i = 0; i < left.size(); i++) {
            Throwable unknown = carried + i < doubtful ? unresolved : null;
            left.get(i).tryEmitError(unknown == null ? why.get() : unknown);
        }
    }
}
