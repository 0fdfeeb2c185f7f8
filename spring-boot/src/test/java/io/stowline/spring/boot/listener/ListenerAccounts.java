package io.stowline.spring.boot.listener;

import io.stowline.Stowline;
import io.stowline.spring.boot.AccountsInMemory;
import io.stowline.spring.boot.ShortPause;
import io.stowline.testkit.memory.MemoryStorage;
import java.time.Clock;
import java.util.function.BooleanSupplier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Accounts of applications with listeners. Their queues are created, and failed messages come at once. */
final class ListenerAccounts extends AccountsInMemory {

    ListenerAccounts() {}

    ListenerAccounts(Clock clock) {
        super("archive", MemoryStorage.create(clock));
    }

    ApplicationContextRunner runner() {
        return runner(StowlineQueueListenerAutoConfiguration.class)
                .withPropertyValues(
                        "stowline.create-missing=true",
                        "stowline.consumers.retry-backoff=none",
                        "stowline.consumers.poll-delay.min=10ms",
                        "stowline.consumers.poll-delay.max=10ms");
    }

    static QueueListenerContainer listener(ApplicationContext context, String id) {
        return context.getBean(StowlineQueueListenerRegistry.class).listener(id);
    }

    /** Waits for a condition, within the time limit of the test. */
    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            ShortPause.park();
        }
    }

    static Stowline client(ApplicationContext context) {
        return context.getBean(Stowline.class);
    }
}
