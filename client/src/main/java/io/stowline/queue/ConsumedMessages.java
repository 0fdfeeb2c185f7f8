package io.stowline.queue;

import io.stowline.batching.internal.callback.Callbacks;
import io.stowline.queue.internal.BodyFormat;
import io.stowline.queue.internal.EnvelopeFormat;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.consumer.BlockingHandling;
import io.stowline.queue.internal.consumer.ConsumerRegistry;
import io.stowline.queue.internal.consumer.LeaseKeeper;
import io.stowline.queue.internal.consumer.MessageHandling;
import io.stowline.queue.internal.consumer.ReactiveHandling;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Hands messages with decoded bodies to handlers; what cannot be decoded is rejected and not handed out. Thread-safe.
 *
 * @param reading how long bodies may be read from blobs
 * @param withoutBlobs the queues whose messages had bodies in blobs that this consumer does not read
 */
record ConsumedMessages<T>(
        String folder,
        BodyFormat<T> format,
        Duration reading,
        Callbacks callbacks,
        ConsumerRegistry consumers,
        Set<String> withoutBlobs) {

    private static final Logger LOG = LoggerFactory.getLogger(ConsumedMessages.class);

    /** How long a message is hidden whose body cannot be read from its blob. */
    private static final Duration UNREADABLE = Duration.ofSeconds(10);

    MessageHandling blocking(Executor executor, QueueConsumer.Handler<T> handler) {
        return new BlockingHandling(executor, consumers::handling, keepers -> {
            for (MessageLease<T> message : decoded(keepers, blocking(keepers))) {
                handler.handle(message);
            }
        });
    }

    MessageHandling batches(Executor executor, QueueConsumer.BatchHandler<T> handler) {
        return new BlockingHandling(executor, consumers::handling, keepers -> {
            List<MessageLease<T>> messages = decoded(keepers, blocking(keepers));
            if (!messages.isEmpty()) {
                handler.handle(new QueueConsumer.Batch<>(messages));
            }
        });
    }

    MessageHandling reactive(Executor executor, Function<? super MessageLease<T>, ? extends Publisher<?>> handler) {
        return new ReactiveHandling(
                executor,
                consumers::handling,
                keepers -> format.envelope() == null
                        ? handled(handler, keepers, looks(keepers))
                        : callbacks
                                .deliver(opened(keepers))
                                .flatMapMany(looks -> UserCode.publisher(() -> handled(handler, keepers, looks))));
    }

    private Publisher<?> handled(
            Function<? super MessageLease<T>, ? extends Publisher<?>> handler,
            List<LeaseKeeper> keepers,
            List<MessageView> looks) {
        List<MessageLease<T>> messages = decoded(keepers, looks);
        return messages.isEmpty() ? Mono.empty() : handler.apply(messages.get(0));
    }

    private static List<MessageView> looks(List<LeaseKeeper> keepers) {
        return keepers.stream().map(keeper -> keeper.message().look()).toList();
    }

    private Mono<List<MessageView>> opened(List<LeaseKeeper> keepers) {
        return format.opened(looks(keepers), folder, consumers.timer(), reading);
    }

    private List<MessageView> blocking(List<LeaseKeeper> keepers) {
        return format.envelope() == null ? looks(keepers) : Objects.requireNonNull(BlockingAwait.on(opened(keepers)));
    }

    /** A body whose blob cannot be read now is no failure of its message, which comes again later. */
    private List<MessageLease<T>> decoded(List<LeaseKeeper> keepers, List<MessageView> looks) {
        List<MessageLease<T>> decoded = new ArrayList<>();
        for (int i = 0; i < looks.size(); i++) {
            LeaseKeeper keeper = keepers.get(i);
            MessageView look = looks.get(i);
            if (look.isUnreadable()) {
                report(look);
                keeper.release(UNREADABLE).subscribe(nothing -> {}, e -> LOG.debug("a message was not given back", e));
            } else {
                MessageBody<T> body = MessageBody.read(look, format);
                body.failure()
                        .ifPresentOrElse(
                                keeper::reject, () -> decoded.add(new MessageLease<>(keeper, body, callbacks)));
            }
        }
        return decoded;
    }

    /** Without a claim check all messages with blobs come here, so that one says it for all. */
    private void report(MessageView look) {
        EnvelopeFormat envelopes = format.envelope();
        String queue = look.envelope().queue();
        if (envelopes != null && envelopes.bodies() == null) {
            if (withoutBlobs.add(queue)) {
                LOG.warn(
                        "{} has messages whose bodies are in blobs, and this consumer has no claimCheck to read them: they are"
                                + " given back for other consumers, each time for {}",
                        queue,
                        UNREADABLE);
            }
        } else {
            LOG.warn(
                    "the body of {} cannot be read from its blob now",
                    look.envelope().resource(),
                    look.failure());
        }
    }
}
