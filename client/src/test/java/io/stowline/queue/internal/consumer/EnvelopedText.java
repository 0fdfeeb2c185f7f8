package io.stowline.queue.internal.consumer;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.internal.body.BodyFormat;
import io.stowline.queue.internal.body.EnvelopeFormat;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Mono;

/** The texts of messages in envelopes, as a sender writes them. */
final class EnvelopedText {

    /** Envelopes without compression and blobs. */
    static final EnvelopeFormat FORMAT =
            new EnvelopeFormat(QueueMessageEncoding.NONE, "test", Integer.MAX_VALUE, 1 << 20, null);

    private EnvelopedText() {}

    static String of(EnvelopeFormat format, String body) {
        AtomicReference<String> text = new AtomicReference<>();
        new BodyFormat<>(MessageCodec.text(), format.encoding(), format)
                .outgoing(body)
                .send("orders", null, written -> {
                    text.set(written);
                    return Mono.empty();
                })
                .block();
        return text.get();
    }
}
