package io.stowline.spring.boot.listener;

import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Iterator;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.messaging.Message;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The replies of a listener: the bodies of a result go to a queue one after the other, before the message of the listener is completed. Each has an
 * event id that follows from that message, the queue and the position, so that the reply to a second delivery is a copy of the first one.
 *
 * @param source the account and the queue of the listener
 * @param queue the queue of the replies
 */
record ListenerReply(String source, MessageQueue<Object> queue) {

    /** Sends the bodies of a result, on the calling thread. */
    void send(MessageLease<?> lease, @Nullable Object result) {
        try (Stream<?> bodies = bodies(result)) {
            long position = 0;
            for (Iterator<?> each = bodies.iterator(); each.hasNext(); position++) {
                String id = eventId(lease, position);
                queue.send(body(each.next()), settings -> settings.eventId(id));
            }
        }
    }

    /** Sends the bodies of the results of a publisher. */
    Mono<Void> send(MessageLease<?> lease, Publisher<?> results) {
        return Flux.from(results)
                .concatMap(result -> Flux.fromStream(() -> bodies(result)))
                .index()
                .concatMap(indexed -> queue.reactive()
                        .send(body(indexed.getT2()), settings -> settings.eventId(eventId(lease, indexed.getT1()))))
                .then();
    }

    private static Stream<?> bodies(@Nullable Object result) {
        if (result instanceof Collection<?> bodies) {
            return bodies.stream();
        }
        return result instanceof Stream<?> bodies ? bodies : Stream.ofNullable(result);
    }

    private static Object body(Object reply) {
        return reply instanceof Message<?> message ? message.getPayload() : reply;
    }

    private String eventId(MessageLease<?> lease, long position) {
        String name = String.join("\n", source, lease.eventId(), queue.name(), String.valueOf(position));
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
