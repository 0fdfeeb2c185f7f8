package io.stowline.spring.boot.listener;

import io.stowline.Stowline;
import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** The accounts of applications with listeners, in memory: the default one and {@code archive}. Their queues are created, and failed messages come at once. */
record ListenerAccounts(MemoryStorage main, MemoryStorage archive) {

    static ListenerAccounts create() {
        return new ListenerAccounts(MemoryStorage.create(), MemoryStorage.create());
    }

    ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        StowlineAutoConfiguration.class, StowlineQueueListenerAutoConfiguration.class))
                .withBean(StowlineBuilderCustomizer.class, this::customizer)
                .withPropertyValues(
                        "stowline.connection-string=" + main.connectionString(),
                        "stowline.accounts.archive.connection-string=" + archive.connectionString(),
                        "stowline.create-missing=true",
                        "stowline.consumers.retry-backoff=none",
                        "stowline.consumers.poll-delay.min=10ms",
                        "stowline.consumers.poll-delay.max=10ms");
    }

    private StowlineBuilderCustomizer customizer() {
        Map<String, MemoryStorage> byHost = Map.of(host(main), main, host(archive), archive);
        return builder -> builder.httpClient(
                request -> byHost.get(request.getUrl().getHost().split("\\.", -1)[0])
                        .httpClient()
                        .send(request));
    }

    private static String host(MemoryStorage storage) {
        return storage.connectionString().replaceFirst("AccountName=(\\w+);.*", "$1");
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
