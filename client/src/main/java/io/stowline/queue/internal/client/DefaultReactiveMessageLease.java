package io.stowline.queue.internal.client;

import io.stowline.error.StorageException;
import io.stowline.queue.MessageLease.LeaseLostException;
import io.stowline.queue.ReactiveMessageLease;
import io.stowline.queue.internal.body.EnvelopeFormat;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper;
import io.stowline.queue.internal.consumer.lease.LeaseKeeper.LostLease;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** {@link ReactiveMessageLease} over a {@link LeaseKeeper}. */
final class DefaultReactiveMessageLease implements ReactiveMessageLease {

    private static final Logger LOG = LoggerFactory.getLogger(ReactiveMessageLease.class);
    private final LeaseKeeper keeper;
    private final UnaryOperator<Mono<Void>> delivery;

    DefaultReactiveMessageLease(LeaseKeeper keeper, UnaryOperator<Mono<Void>> delivery) {
        this.keeper = keeper;
        this.delivery = delivery;
    }

    @Override
    public Mono<Void> checkpoint(String text) {
        return meaning(keeper.checkpoint(EnvelopeFormat.checkpoint(text)));
    }

    @Override
    public Mono<Void> complete() {
        return meaning(keeper.complete());
    }

    @Override
    public Mono<Void> retryIn(Duration delay) {
        return meaning(keeper.retryIn(QueueTimeLimits.delay(delay)));
    }

    @Override
    public Mono<Void> poison(String why) {
        return meaning(keeper.poison(Objects.requireNonNull(why, "why"), null));
    }

    @Override
    public Mono<Void> close() {
        return delivery.apply(keeper.giveBack()
                .onErrorResume(IllegalStateException.class, ended -> Mono.empty())
                .onErrorResume(StorageException.class, e -> {
                    LOG.warn("a message was not given back, and stays hidden until its lease ends", e);
                    return Mono.empty();
                }));
    }

    private Mono<Void> meaning(Mono<Void> ending) {
        return delivery.apply(
                ending.onErrorMap(LostLease.class, lost -> new LeaseLostException(String.valueOf(lost.getMessage()))));
    }
}
