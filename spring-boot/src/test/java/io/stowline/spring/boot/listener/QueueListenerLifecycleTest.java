package io.stowline.spring.boot.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.error.StorageInterruptedException;
import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Listeners that are started and stopped by hand: while they stop, beside their registry, and at the end of their context. */
@AzuriteTest
class QueueListenerLifecycleTest {

    private static final String QUEUE = "by-hand";

    private static ApplicationContextRunner runner(TestStorage storage, String... properties) {
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            client.queue(QUEUE).createIfMissing();
            client.queue(QUEUE).clear();
        }
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        StowlineAutoConfiguration.class, StowlineQueueListenerAutoConfiguration.class))
                .withUserConfiguration(Held.class)
                .withPropertyValues(
                        "stowline.connection-string=" + storage.connectionString(),
                        "stowline.consumers.poll-delay.max=200ms",
                        "stowline.consumers.stop-timeout=60s")
                .withPropertyValues(properties);
    }

    private static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("a minute is over").isLessThan(deadline);
            ShortPause.park();
        }
    }

    /** A start does nothing while the listener runs, and is refused once a stop has begun. */
    static boolean refusesToStart(QueueListenerContainer listener) {
        try {
            listener.start();
            return false;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining(" of the bean '").hasMessageEndingWith("its stop has not ended.");
            return true;
        }
    }

    private static Set<Thread> keepAlive() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("stowline-listeners"))
                .collect(Collectors.toSet());
    }

    private static Thread startedSince(Set<Thread> earlier) {
        Set<Thread> added = keepAlive();
        added.removeAll(earlier);
        assertThat(added).hasSize(1).allMatch(thread -> !thread.isDaemon());
        return added.iterator().next();
    }

    @Test
    void aStartDuringAStopIsRefusedAndWorksOnceTheStopHasEnded(TestStorage storage) {
        runner(storage).run(context -> {
            QueueListenerContainer listener =
                    context.getBean(StowlineQueueListenerRegistry.class).listener(QUEUE);
            Held reservedBatch = context.getBean(Held.class);
            listener.start();
            context.getBean(Stowline.class).queue(QUEUE).send("first");
            assertThat(reservedBatch.seen.poll(60, TimeUnit.SECONDS)).isEqualTo("first");

            FutureTask<Long> stop = new FutureTask<>(() -> listener.stop().completed());
            new Thread(stop).start();
            until(() -> refusesToStart(listener));
            assertThat(listener.isRunning()).as("until the stop has ended").isTrue();
            assertThat(listener.unansweredFor()).as("no poll is due").isZero();
            reservedBatch.proceed.countDown();
            assertThat(stop.get()).isEqualTo(1);
            assertThat(listener.isRunning()).isFalse();

            listener.start();
            context.getBean(Stowline.class).queue(QUEUE).send("second");
            assertThat(reservedBatch.seen.poll(60, TimeUnit.SECONDS)).isEqualTo("second");
        });
    }

    @Test
    void aStopWhoseWaitIsInterruptedGoesOnAndTheListenerCanStartAgain(TestStorage storage) {
        runner(storage).run(context -> {
            QueueListenerContainer listener =
                    context.getBean(StowlineQueueListenerRegistry.class).listener(QUEUE);
            listener.start();

            Thread.currentThread().interrupt();
            assertThatExceptionOfType(StorageInterruptedException.class).isThrownBy(listener::stop);
            assertThat(Thread.interrupted()).isTrue();
            until(() -> !listener.isRunning());

            listener.start();
            assertThat(listener.isRunning()).isTrue();
        });
    }

    @Test
    void aListenerStartedByHandKeepsTheJvmAliveUntilItStops(TestStorage storage) {
        runner(storage)
                .run(context -> keepsTheJvmAliveUntilItStops(
                        context.getBean(StowlineQueueListenerRegistry.class).listener(QUEUE)));
        runner(storage, "stowline.consumers.enabled=false")
                .run(context -> keepsTheJvmAliveUntilItStops(
                        context.getBean(StowlineQueueListenerRegistry.class).listener(QUEUE)));
    }

    private static void keepsTheJvmAliveUntilItStops(QueueListenerContainer listener) throws InterruptedException {
        Set<Thread> earlier = keepAlive();
        listener.start();
        Thread alive = startedSince(earlier);
        listener.stop();
        alive.join();
    }

    @Test
    void theJvmIsKeptAliveUntilTheLastListenerStops() throws InterruptedException {
        ListenerKeepAlive keepAlive = new ListenerKeepAlive();
        Set<Thread> earlier = keepAlive();
        keepAlive.hold();
        keepAlive.hold();
        Thread first = startedSince(earlier);
        keepAlive.release();
        assertThat(startedSince(earlier)).isSameAs(first);
        assertThat(first.isAlive()).isTrue();
        keepAlive.release();
        first.join();

        keepAlive.hold();
        Thread second = startedSince(earlier);
        keepAlive.release();
        second.join();
    }

    @Test
    void theContextStopsAListenerThatWasStartedAfterItsRegistryWasStopped(TestStorage storage) {
        runner(storage).run(context -> {
            StowlineQueueListenerRegistry registry = context.getBean(StowlineQueueListenerRegistry.class);
            QueueListenerContainer listener = registry.listener(QUEUE);
            registry.stop();
            assertThat(registry.isRunning()).isFalse();
            Set<Thread> earlier = keepAlive();
            listener.start();
            assertThat(registry.isRunning()).isTrue();
            Thread alive = startedSince(earlier);

            context.close();
            alive.join();
            assertThat(registry.isRunning()).isFalse();
            assertThat(listener.isRunning()).isFalse();
            assertThatIllegalStateException().isThrownBy(listener::pause);
            assertThatIllegalStateException()
                    .isThrownBy(listener::start)
                    .withMessageContaining("Held.handle(")
                    .withMessageEndingWith("cannot start: the application context is closed.");
        });
    }

    /** Handles a message when the test lets it. */
    static class Held {

        private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        private final CountDownLatch proceed = new CountDownLatch(1);

        @StowlineQueueListener(queue = QUEUE, autoStartup = "false")
        void handle(String text) throws InterruptedException {
            seen.add(text);
            proceed.await();
        }
    }
}
