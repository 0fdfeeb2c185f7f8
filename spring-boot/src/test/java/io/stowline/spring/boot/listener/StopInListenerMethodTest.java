package io.stowline.spring.boot.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.stowline.Stowline;
import io.stowline.queue.MessageQueue;
import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Mono;

/** A listener's method that stops its listener, all listeners, or the application context: nothing waits for the method that it runs in. */
@Timeout(60)
class StopInListenerMethodTest {

    private static final String QUEUE = "orders";

    private final MemoryStorage memory = MemoryStorage.create();

    /** The work of the method, and the error that it got; a stop that waits for it would take an hour. */
    private static final class Act {

        private final CompletableFuture<Consumer<ConfigurableApplicationContext>> call = new CompletableFuture<>();
        private final CompletableFuture<ConfigurableApplicationContext> context = new CompletableFuture<>();
        private final CompletableFuture<Throwable> met = new CompletableFuture<>();
        private final CompletableFuture<String> second = new CompletableFuture<>();

        void on(String body) {
            if (body.equals("second")) {
                second.complete(body);
            } else if (!met.isDone()) {
                met.complete(catchThrowable(() -> call.join().accept(context.join())));
            }
        }
    }

    static final class Blocking {

        private final Act act;

        Blocking(Act act) {
            this.act = act;
        }

        @StowlineQueueListener(queue = QUEUE)
        void on(String body) {
            act.on(body);
        }
    }

    static final class Reactive {

        private final Act act;

        Reactive(Act act) {
            this.act = act;
        }

        @StowlineQueueListener(queue = QUEUE)
        Mono<Void> on(String body) {
            return Mono.fromRunnable(() -> act.on(body));
        }
    }

    private ApplicationContextRunner runner(boolean reactive) {
        ApplicationContextRunner runner = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        StowlineAutoConfiguration.class, StowlineQueueListenerAutoConfiguration.class))
                .withBean(Act.class)
                .withBean(StowlineBuilderCustomizer.class, () -> builder -> builder.httpClient(memory.httpClient()))
                .withPropertyValues(
                        "stowline.connection-string=" + memory.connectionString(),
                        "stowline.create-missing=true",
                        "stowline.close-timeout=4h",
                        "spring.lifecycle.timeout-per-shutdown-phase=1h",
                        "stowline.consumers.stop-timeout=1h");
        return reactive ? runner.withBean(Reactive.class) : runner.withBean(Blocking.class);
    }

    private Stowline client() {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .httpClient(memory.httpClient())
                .build();
    }

    /** The error that the method got. */
    private static Throwable act(
            ConfigurableApplicationContext context,
            MessageQueue<String> queue,
            Consumer<ConfigurableApplicationContext> call) {
        Act act = context.getBean(Act.class);
        act.context.complete(context);
        act.call.complete(call);
        queue.send("first");
        return act.met.join();
    }

    private static QueueListenerContainer listener(ConfigurableApplicationContext context) {
        return context.getBean(StowlineQueueListenerRegistry.class).listener(QUEUE);
    }

    private static void awaitEmpty(MessageQueue<String> queue) {
        while (queue.approximateCount() > 0) {
            ShortPause.park();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRefusedStopChangesNothing(boolean reactive) {
        runner(reactive).run(context -> {
            MessageQueue<String> queue = context.getBean(Stowline.class).queue(QUEUE);
            assertThat(act(context.getSourceApplicationContext(), queue, all -> listener(all)
                            .stop()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("stopAsync(..) does not wait");
            QueueListenerContainer listener = listener(context.getSourceApplicationContext());
            queue.send("second");
            assertThat(context.getBean(Act.class).second.join()).isEqualTo("second");
            assertThat(listener.isRunning()).isTrue();
            assertThat(listener.stop().abandoned()).isZero();
            assertThat(listener.isRunning()).isFalse();
            assertThat(queue.approximateCount()).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void stopAsyncInTheMethodStopsTheListenerOnceItHasReturned(boolean reactive) {
        runner(reactive).run(context -> {
            MessageQueue<String> queue = context.getBean(Stowline.class).queue(QUEUE);
            CompletableFuture<Long> completed = new CompletableFuture<>();
            assertThat(act(context.getSourceApplicationContext(), queue, all -> listener(all)
                            .stopAsync()
                            .subscribe(report -> completed.complete(report.completed()))))
                    .isNull();
            assertThat(completed.join()).isEqualTo(1);
            QueueListenerContainer listener = listener(context.getSourceApplicationContext());
            assertThat(listener.isRunning()).isFalse();
            assertThat(listener.stopAsync().block().completed()).isZero();
            listener.start();
            queue.send("second");
            assertThat(context.getBean(Act.class).second.join()).isEqualTo("second");
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theRegistryDoesNotWaitForTheMethodThatStopsIt(boolean reactive) {
        runner(reactive).run(context -> {
            MessageQueue<String> queue = context.getBean(Stowline.class).queue(QUEUE);
            assertThat(act(context.getSourceApplicationContext(), queue, all -> all.getBean(
                                    StowlineQueueListenerRegistry.class)
                            .stop()))
                    .isNull();
            awaitEmpty(queue);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theContextCanBeClosedAndTheMessageIsCompleted(boolean reactive) throws InterruptedException {
        CompletableFuture<Stowline> used = new CompletableFuture<>();
        try (Stowline other = client()) {
            MessageQueue<String> queue = other.queue(QUEUE);
            runner(reactive).run(context -> {
                used.complete(context.getBean(Stowline.class));
                assertThat(act(context.getSourceApplicationContext(), queue, ConfigurableApplicationContext::close))
                        .isNull();
            });
            used.join().close();
            assertThat(queue.approximateCount()).isZero();
        }
    }
}
