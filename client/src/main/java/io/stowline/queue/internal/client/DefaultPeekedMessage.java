package io.stowline.queue.internal.client;

import io.stowline.error.internal.PrintableText;
import io.stowline.queue.PeekedMessage;
import io.stowline.queue.internal.MessageView;
import io.stowline.transport.ReadOrigin;

/** {@link PeekedMessage} with its decoded body. */
final class DefaultPeekedMessage<T> extends MessageContent<T> implements PeekedMessage<T> {

    private final ReadOrigin origin;

    DefaultPeekedMessage(MessageView view, MessageBody<T> body) {
        super(view.header(), body);
        this.origin = view.origin();
    }

    @Override
    public ReadOrigin origin() {
        return origin;
    }

    @Override
    public String toString() {
        return PrintableText.of("Peeked[" + header().resource() + ", dequeueCount=" + dequeueCount() + "]");
    }
}
