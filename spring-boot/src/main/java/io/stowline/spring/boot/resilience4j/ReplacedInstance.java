package io.stowline.spring.boot.resilience4j;

import io.github.resilience4j.core.EventProcessor;
import io.github.resilience4j.core.EventPublisher;

/** The events of an instance that takes the place of another one in its registry, for the consumers that the other one has. */
final class ReplacedInstance {

    private ReplacedInstance() {}

    /** Passes the events of the new instance on to the consumers of the old one, such as those that a {@code RegistryEventConsumer} has added. */
    @SuppressWarnings("unchecked") // both publish events of one type
    static <T> void forward(EventPublisher<T> from, EventPublisher<T> to) {
        if (to instanceof EventProcessor<?> consumers) {
            from.onEvent(((EventProcessor<T>) consumers)::processEvent);
        }
    }
}
