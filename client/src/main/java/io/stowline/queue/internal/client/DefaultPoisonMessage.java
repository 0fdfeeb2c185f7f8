package io.stowline.queue.internal.client;

import io.stowline.queue.PoisonQueue;
import io.stowline.queue.internal.poison.PoisonEnvelope;
import java.time.Instant;
import java.util.Optional;

/** {@link PoisonQueue.Message} that a copy in the poison queue holds. */
final class DefaultPoisonMessage<T> implements PoisonQueue.Message<T> {

    private final PoisonEnvelope envelope;
    private final MessageBody<T> body;

    DefaultPoisonMessage(PoisonEnvelope envelope, MessageBody<T> body) {
        this.envelope = envelope;
        this.body = body;
    }

    @Override
    public T body() {
        return body.value();
    }

    @Override
    public boolean isDecodable() {
        return body.failure().isEmpty();
    }

    @Override
    public String raw() {
        return body.raw();
    }

    @Override
    public Optional<String> id() {
        return Optional.ofNullable(envelope.id());
    }

    @Override
    public Optional<String> queue() {
        return Optional.ofNullable(envelope.queue());
    }

    @Override
    public Optional<String> reason() {
        return Optional.ofNullable(envelope.reason());
    }

    @Override
    public Optional<String> error() {
        return Optional.ofNullable(envelope.error());
    }

    @Override
    public long deliveries() {
        return envelope.deliveries();
    }

    @Override
    public int failures() {
        return envelope.failures();
    }

    @Override
    public Optional<Instant> insertedAt() {
        return Optional.ofNullable(envelope.insertedAt());
    }

    @Override
    public Optional<Instant> poisonedAt() {
        return Optional.ofNullable(envelope.poisonedAt());
    }

    @Override
    public String toString() {
        return envelope.toString();
    }
}
