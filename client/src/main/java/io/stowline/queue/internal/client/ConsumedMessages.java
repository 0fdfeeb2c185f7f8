package io.stowline.queue.internal.client;

import io.stowline.queue.MessageLease;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.body.BodyFormat;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.consumer.handler.BlockingHandling;
import io.stowline.queue.internal.consumer.handler.MessageHandling;
import io.stowline.queue.internal.consumer.handler.ReactiveHandling;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** A filter that hands messages with decoded bodies to handlers, and rejects the others. Thread-safe. */
record ConsumedMessages<T>(BodyFormat<T> format, Callbacks callbacks, ConsumerRegistry consumers) {

    MessageHandling blocking(Executor executor, QueueConsumer.Handler<MessageLease<T>> handler) {
        return new BlockingHandling(executor, consumers::handling, keepers -> {
            for (MessageLease<T> message : decoded(keepers)) {
                handler.handle(message);
            }
        });
    }

    MessageHandling batches(Executor executor, QueueConsumer.Handler<QueueConsumer.Batch<T>> handler) {
        return new BlockingHandling(executor, consumers::handling, keepers -> {
            List<MessageLease<T>> messages = decoded(keepers);
            if (!messages.isEmpty()) {
                handler.handle(new DefaultBatch<>(messages));
            }
        });
    }

    MessageHandling reactive(Executor executor, Function<? super MessageLease<T>, ? extends Publisher<?>> handler) {
        return new ReactiveHandling(executor, consumers::handling, keepers -> {
            List<MessageLease<T>> messages = decoded(keepers);
            return messages.isEmpty() ? Mono.empty() : handler.apply(messages.get(0));
        });
    }

    /** Reads bodies in blobs before a handler starts. */
    private List<MessageLease<T>> decoded(List<LeaseKeeper> keepers) {
        List<MessageLease<T>> decoded = new ArrayList<>();
        for (LeaseKeeper keeper : keepers) {
            MessageView view = keeper.view();
            MessageBody<T> body = MessageBody.read(view.opened() == null ? format.opened(view) : view, format);
            body.failure()
                    .ifPresentOrElse(
                            keeper.failure()::reject,
                            () -> decoded.add(new DefaultMessageLease<>(keeper, body, callbacks)));
        }
        return decoded;
    }
}
