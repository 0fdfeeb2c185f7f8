package io.stowline.queue.internal.body;

import io.stowline.queue.SendResult;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageView.LeaseReceipt;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.body.EnvelopeFormat.PackedBody;
import io.stowline.transport.internal.observe.OperationObserver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A body on its way into a queue. Each subscription sends another message. A body that goes to a blob is written there first; the blob is
 * removed again if the message certainly is not in the queue. Immutable.
 */
public final class OutgoingMessage {

    private final @Nullable String plain;
    private final @Nullable EnvelopeFormat format;
    private final @Nullable PackedBody body;

    private OutgoingMessage(@Nullable String plain, @Nullable EnvelopeFormat format, @Nullable PackedBody body) {
        this.plain = plain;
        this.format = format;
        this.body = body;
    }

    static OutgoingMessage plain(String text) {
        return new OutgoingMessage(text, null, null);
    }

    static OutgoingMessage enveloped(EnvelopeFormat format, PackedBody body) {
        return new OutgoingMessage(null, format, body);
    }

    /** Returns whether it has an envelope, with the trace context of the operation that sends it. */
    public boolean isEnveloped() {
        return format != null;
    }

    /**
     * Sends it.
     *
     * @param folder where the blobs of the queue are
     * @param timeToLive how long it is kept, or {@code null} for the service's default
     * @param send puts a text into the queue
     */
    public Mono<SendResult> send(
            String folder, @Nullable Duration timeToLive, Function<String, Mono<SendResult>> send) {
        String text = plain;
        return text != null
                ? send.apply(text)
                : carried(folder, ClaimCheckStore.ofSent(timeToLive), null, send, SendResult::mayHaveRepeated);
    }

    /**
     * Hands on the text of a message that is sent later. A blob with its body is kept for a message that waits, and removed if the use of the
     * text has certainly failed.
     *
     * @param folder where the blobs of the queue are
     * @param timeToLive how long the message is kept, or {@code null} for the service's default
     * @param use stores the text
     */
    public <R> Mono<R> written(String folder, @Nullable Duration timeToLive, Function<String, Mono<R>> use) {
        String text = plain;
        return text != null
                ? use.apply(text)
                : carried(folder, ClaimCheckStore.ofWaiting(timeToLive), null, use, stored -> false);
    }

    /** Returns the most bytes of its text. */
    public int maxBytes(String folder) {
        String text = plain;
        return text != null
                ? text.getBytes(StandardCharsets.UTF_8).length
                : Objects.requireNonNull(format).maxBytes(Objects.requireNonNull(body), folder);
    }

    /**
     * Replaces the text of a message that is held.
     *
     * @param folder where the blobs of the queue are
     * @param before the envelope that it has, or {@code null} if it has none of the library's
     */
    public Mono<Replacement> replace(
            String folder,
            MessageHeader message,
            @Nullable MessageEnvelope before,
            Function<String, Mono<LeaseReceipt>> update) {
        Function<String, Mono<Replacement>> replacing =
                text -> update.apply(text).map(receipt -> new Replacement(text, receipt));
        String text = plain;
        return text != null
                ? replacing.apply(text)
                : carried(folder, ClaimCheckStore.ofSent(message.timeToLive()), before, replacing, replaced -> false);
    }

    /**
     * The changed message after an update.
     *
     * @param text its new text
     * @param receipt its new receipt
     */
    public record Replacement(String text, LeaseReceipt receipt) {}

    private <R> Mono<R> carried(
            String folder,
            Map<String, String> metadata,
            @Nullable MessageEnvelope before,
            Function<String, Mono<R>> send,
            Predicate<R> repeated) {
        EnvelopeFormat enveloped = Objects.requireNonNull(format);
        PackedBody packed = Objects.requireNonNull(body);
        return Mono.deferContextual(context -> {
            MessageEnvelope fresh = packed.envelope(folder, enveloped.type());
            MessageEnvelope envelope = before == null
                    ? fresh.withTraceContext(OperationObserver.headers(context))
                    : fresh.carryingOn(before);
            if (!packed.inBlob()) {
                return send.apply(enveloped.text(envelope));
            }
            ClaimCheckStore bodies = Objects.requireNonNull(enveloped.bodies());
            return bodies.carry(
                    envelope.id(),
                    packed.bytes(),
                    metadata,
                    claim -> send.apply(enveloped.text(envelope.withClaim(claim))),
                    repeated);
        });
    }
}
