package io.stowline.transport.internal.observe;

import io.stowline.observe.ClientInfo;
import io.stowline.observe.ServiceState;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.transport.internal.limits.ServiceLimits;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The state of a pipeline, for listeners.
 *
 * @param info describes the client
 * @param skew gives the difference between the service's clock and this machine's
 */
public record PipelineState(
        String account,
        String service,
        ServiceLimits limits,
        WriterBacklog backlog,
        ConsumerGauges consumers,
        ConsumerGauges relays,
        Supplier<ClientInfo> info,
        Supplier<Duration> skew)
        implements ServiceState {

    @Override
    public int permitLimit() {
        return limits.gates().account().limit();
    }

    @Override
    public int permitsInUse() {
        Gate gate = limits.gates().account();
        return gate.inUse() + gate.silent();
    }

    @Override
    public int permitsWaiting() {
        return limits.gates().account().waiting();
    }

    @Override
    public int limitedPartitions() {
        return limits.gates().limitedPartitions();
    }

    @Override
    public double quotaAvailable() {
        return limits.quota().available();
    }

    @Override
    public double quotaCapacity() {
        return limits.quota().capacity();
    }

    @Override
    public long bufferedItems() {
        return backlog.items();
    }

    @Override
    public long bufferedBytes() {
        return backlog.bytes();
    }

    @Override
    public long pausedWriters() {
        return backlog.paused();
    }

    @Override
    public long handlersRunning() {
        return consumers.source.handlersRunning();
    }

    @Override
    public long messagesInHand() {
        return consumers.source.messagesInHand();
    }

    @Override
    public long queueBacklog() {
        return consumers.source.backlog();
    }

    @Override
    public Duration pollAge() {
        return consumers.source.pollAge();
    }

    @Override
    public Duration oldestMessageAge() {
        return consumers.source.oldestMessageAge();
    }

    @Override
    public long relaysRunning() {
        return relays.source.running();
    }

    @Override
    public long outboxHints() {
        return relays.source.backlog();
    }

    @Override
    public Duration oldestHintAge() {
        return relays.source.oldestMessageAge();
    }

    @Override
    public long hintsPoisoned() {
        return relays.source.poisoned();
    }

    @Override
    public String breaker() {
        return limits.breaker().state();
    }

    @Override
    public ClientInfo client() {
        return info.get();
    }

    @Override
    public Duration clockSkew() {
        return skew.get();
    }

    /** The buffers of the open writers to a service; empty where there are no writers. Thread-safe. */
    public static final class WriterBacklog {

        private volatile LongSupplier items = () -> 0;
        private volatile LongSupplier bytes = () -> 0;
        private volatile LongSupplier paused = () -> 0;

        /** Makes the backlog of a service without writers. */
        public WriterBacklog() {}

        /**
         * Makes it readable.
         *
         * @param bufferedItems how many operations the writers hold
         * @param bufferedBytes how many bytes these take
         * @param writersPaused how many of the writers send nothing at present
         */
        public void readFrom(LongSupplier bufferedItems, LongSupplier bufferedBytes, LongSupplier writersPaused) {
            paused = writersPaused;
            items = bufferedItems;
            bytes = bufferedBytes;
        }

        long items() {
            return items.getAsLong();
        }

        long bytes() {
            return bytes.getAsLong();
        }

        public long paused() {
            return paused.getAsLong();
        }
    }

    /** The figures of the consumers of a service; zero where there are no consumers. Thread-safe. */
    public static final class ConsumerGauges {

        private volatile GaugeSource source = new GaugeSource() {};

        /** Makes the gauges of a service without consumers. */
        public ConsumerGauges() {}

        /**
         * Makes it readable.
         *
         * @param consumers gives it
         */
        public void readFrom(GaugeSource consumers) {
            source = consumers;
        }

        /** Consumers, as gauges show them. */
        public interface GaugeSource {

            /** Returns the number of consumers that run. */
            default long running() {
                return 0;
            }

            /** Returns the number of their deliveries that ended in a poison queue. */
            default long poisoned() {
                return 0;
            }

            /** Returns the number of running handlers. */
            default long handlersRunning() {
                return 0;
            }

            /** Returns the number of their messages in hand. */
            default long messagesInHand() {
                return 0;
            }

            /** Returns the approximate number of messages in their queues. */
            default long backlog() {
                return 0;
            }

            /** Returns the time for which the service has responded to no poll. */
            default Duration pollAge() {
                return Duration.ZERO;
            }

            /** Returns the age of the oldest message of the last polls. */
            default Duration oldestMessageAge() {
                return Duration.ZERO;
            }
        }
    }
}
