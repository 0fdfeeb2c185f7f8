package io.stowline.queue.internal.poison;

import io.stowline.error.StorageException;
import io.stowline.error.UnreachableException;
import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageEnvelope.Claim;
import io.stowline.queue.internal.MessageView.OpenedEnvelope;
import io.stowline.queue.internal.QueueOperations;
import io.stowline.queue.internal.body.ClaimCheckStore;
import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.transport.internal.error.FailureFacts;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The bodies of poison messages that go back. A body in a blob is written again for the message that is sent, and the old blob goes with the
 * poison message. So neither takes the body of the other, also where a redrive breaks off between its send and its deletion. Immutable.
 *
 * @param format how envelopes are written, or {@code null} if messages have none
 */
record RedrivenBodies(@Nullable EnvelopeFormat format) {

    /** Sends a message without the failures that its envelope has noted. A damaged envelope goes back as it is, and so does one whose body is gone for good. */
    Mono<SendResult> sent(@Nullable OpenedEnvelope opened, PoisonEnvelope copy, QueueOperations home) {
        EnvelopeFormat enveloped = format;
        MessageEnvelope envelope = enveloped == null ? null : enveloped.own(copy.body());
        ClaimCheckStore bodies = EnvelopeFormat.bodiesOf(enveloped);
        Claim claim = EnvelopeFormat.claim(copy.body());
        if (claim != null && bodies == null) {
            return Mono.error(new IllegalStateException("the body of the poison message " + copy.id()
                    + " is in the blob " + claim.name()
                    + ", which only a queue with claimCheck in its envelope can keep for the message that goes back"));
        }
        if (enveloped == null || envelope == null) {
            return home.send(copy.body(), null, copy.timeToLive());
        }
        MessageEnvelope fresh = envelope.noting(0, 0);
        if (bodies == null || claim == null || bodies.claim(envelope) == null || opened == null) {
            return home.send(text(enveloped, fresh, copy), null, copy.timeToLive());
        }
        byte[] body = opened.body();
        if (body == null && !opened.isLost()) {
            return Mono.error(() -> unread(claim, opened.missing()));
        }
        Map<String, String> metadata = ClaimCheckStore.ofMoved(copy.timeToLive());
        Function<Claim, Mono<SendResult>> send =
                own -> home.send(enveloped.text(fresh.withClaim(own)), null, copy.timeToLive());
        return body == null
                ? bodies.copy(fresh.id(), claim, metadata, send, SendResult::mayHaveRepeated)
                : bodies.carry(fresh.id(), body, metadata, send, SendResult::mayHaveRepeated);
    }

    private static StorageException unread(Claim claim, @Nullable Throwable why) {
        return why instanceof StorageException known
                ? known
                : new UnreachableException(
                        FailureFacts.of("redrive", claim.name())
                                .because(
                                        "the body was not read from its blob",
                                        why == null ? "without a reason" : String.valueOf(why.getMessage())),
                        why);
    }

    private static String text(EnvelopeFormat enveloped, MessageEnvelope fresh, PoisonEnvelope copy) {
        try {
            return enveloped.text(fresh);
        } catch (IllegalArgumentException e) {
            return copy.body();
        }
    }

    /** Removes the body of a poison message that has been deleted. It does not fail. */
    Mono<Void> removed(PoisonEnvelope copy) {
        return Mono.defer(() -> EnvelopeFormat.discard(format, format == null ? null : format.own(copy.body())));
    }
}
