package io.stowline.queue;

import io.stowline.error.PreconditionFailedException;
import io.stowline.queue.internal.BodyFormat;
import io.stowline.queue.internal.Delivery;
import io.stowline.queue.internal.Look;
import io.stowline.queue.internal.QueueClient;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.ReadFrom;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** What both faces of a queue stand on. Its codec runs on the thread that calls it. Immutable. */
record QueueScope<T>(QueueClient client, BodyFormat<T> format, Scheduler callbacks) {

    QueueScope<T> retry(UnaryOperator<RetrySettings.Builder> settings) {
        Objects.requireNonNull(settings, "settings");
        RetrySettings narrowed = settings.apply(client.retry().toBuilder()).build();
        return new QueueScope<>(client.with(narrowed), format, callbacks);
    }

    QueueScope<T> readFrom(ReadFrom source) {
        return new QueueScope<>(client.with(source), format, callbacks);
    }

    QueueScope<T> header(String name, String value) {
        return new QueueScope<>(client.header(name, value), format, callbacks);
    }

    <R> QueueScope<R> codec(MessageCodec<R> codec) {
        return new QueueScope<>(
                client, new BodyFormat<>(Objects.requireNonNull(codec, "codec"), format.encoding()), callbacks);
    }

    QueueScope<T> encoding(MessageEncoding encoding) {
        return new QueueScope<>(
                client, new BodyFormat<>(format.codec(), Objects.requireNonNull(encoding, "encoding")), callbacks);
    }

    Mono<Sent> send(T body, UnaryOperator<MessageQueue.SendOptions> options) {
        Objects.requireNonNull(options, "options");
        MessageQueue.SendOptions chosen = options.apply(new MessageQueue.SendOptions());
        return client.send(text(body), chosen.delay(), chosen.timeToLive());
    }

    private String text(T body) {
        return format.write(Objects.requireNonNull(body, "body"));
    }

    List<Received<T>> received(List<Delivery> deliveries) {
        return deliveries.stream()
                .map(delivery -> new Received<>(
                        delivery.look().envelope(), Body.read(delivery.look(), format), delivery.lease()))
                .toList();
    }

    List<Peeked<T>> peeked(List<Look> looks) {
        return looks.stream()
                .map(look -> new Peeked<>(look.envelope(), Body.read(look, format), look.origin()))
                .toList();
    }

    Mono<Received<T>> update(Received<T> message, Duration lease) {
        return client.update(own(message).envelope(), message.lease(), null, lease)
                .map(message::with);
    }

    Mono<Received<T>> update(Received<T> message, T newBody, Duration lease) {
        Objects.requireNonNull(message, "message");
        String text = text(newBody);
        return client.update(own(message).envelope(), message.lease(), text, lease)
                .map(renewed -> message.with(Body.written(text, newBody), renewed));
    }

    Mono<Void> delete(Received<?> message) {
        return client.delete(own(message).envelope(), message.lease());
    }

    Mono<Boolean> deleteIfOurs(Received<?> message) {
        return ours(delete(message));
    }

    Mono<Void> delete(Sent message) {
        return client.delete(Objects.requireNonNull(message, "message"));
    }

    Mono<Boolean> deleteIfOurs(Sent message) {
        return ours(delete(message));
    }

    private static Mono<Boolean> ours(Mono<Void> deletion) {
        return deletion.thenReturn(true).onErrorResume(PreconditionFailedException.class, e -> Mono.just(false));
    }

    private Received<?> own(Received<?> message) {
        String from = Objects.requireNonNull(message, "message").envelope().queue();
        if (!from.equals(client.name())) {
            throw new IllegalArgumentException(
                    "message " + message.id() + " was received from queue " + from + ", not from " + client.name());
        }
        return message;
    }
}
