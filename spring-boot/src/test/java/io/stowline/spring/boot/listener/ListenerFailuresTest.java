package io.stowline.spring.boot.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.queue.QueueConsumer;
import io.stowline.queue.QueueConsumer.FailureAction;
import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBuilderCustomizer;
import io.stowline.testkit.memory.MemoryStorage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ListenerFailuresTest {

    private static final MemoryStorage MEMORY = MemoryStorage.create();

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StowlineAutoConfiguration.class, StowlineQueueListenerAutoConfiguration.class))
            .withBean(StowlineBuilderCustomizer.class, () -> builder -> builder.httpClient(MEMORY.httpClient()))
            .withPropertyValues(
                    "stowline.connection-string=" + MEMORY.connectionString(),
                    "stowline.create-missing=true",
                    "stowline.consumers.retry-backoff=none",
                    "stowline.consumers.poll-delay.min=10ms",
                    "stowline.consumers.poll-delay.max=10ms");

    private static void send(ApplicationContext context, String queue) {
        context.getBean(Stowline.class).queue(queue).send("body");
    }

    private static QueueConsumer.Stats stats(ApplicationContext context, String listener) {
        return context.getBean(StowlineQueueListenerRegistry.class)
                .listener(listener)
                .stats();
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            ShortPause.park();
        }
    }

    @Test
    @DisplayName("each failed handling has one line with its class and message")
    void eachFailureIsLogged(CapturedOutput output) {
        runner.withUserConfiguration(Failing.class).run(context -> {
            send(context, "failing");
            await(() -> stats(context, "failing").poisoned() == 1);
        });

        for (int failure = 1; failure <= 4; failure++) {
            assertThat(output)
                    .contains("failed (" + failure
                            + " of 5) and is received again in PT0S: java.lang.IllegalStateException: does not fit");
        }
    }

    @Test
    void anExceptionMayBePoisonAtOnce() {
        runner.withUserConfiguration(Failing.class)
                .withBean(QueueConsumer.FailureHandler.class, () -> failure -> FailureAction.POISON)
                .run(context -> {
                    send(context, "failing");
                    await(() -> stats(context, "failing").poisoned() == 1);

                    assertThat(stats(context, "failing").retried()).isZero();
                });
    }

    @Test
    void anExceptionMayNotCount() {
        AtomicInteger failures = new AtomicInteger();
        runner.withUserConfiguration(Failing.class)
                .withBean(QueueConsumer.FailureHandler.class, () -> failure -> {
                    assertThat(failure.queue()).isEqualTo("failing");
                    assertThat(failure.error()).hasMessage("does not fit");
                    return failures.incrementAndGet() < 10 ? FailureAction.GIVE_BACK : FailureAction.POISON;
                })
                .run(context -> {
                    send(context, "failing");
                    await(() -> stats(context, "failing").poisoned() == 1);

                    assertThat(stats(context, "failing").released()).isEqualTo(9);
                    assertThat(stats(context, "failing").retried()).isZero();
                });
    }

    @Test
    @DisplayName("a listener that returns null as its future has failed, and its message is not deleted")
    void nullAsAFuture() {
        runner.withUserConfiguration(WithoutAFuture.class)
                .withPropertyValues("stowline.consumers.poison-after=1")
                .run(context -> {
                    send(context, "futures");
                    await(() -> stats(context, "futures").poisoned() == 1);

                    assertThat(context.getBean(Stowline.class)
                                    .queue("futures")
                                    .poison()
                                    .peek(1)
                                    .get(0)
                                    .error())
                            .hasValueSatisfying(error ->
                                    assertThat(error).contains("returned null in place of a CompletableFuture"));
                });
    }

    @Test
    @DisplayName("a listener on a generic interface behind a JDK proxy hears its messages")
    void genericInterface() {
        runner.withUserConfiguration(Generic.class).run(context -> {
            assertThat(context).hasNotFailed();
            send(context, "generic");
            await(() -> stats(context, "generic").completed() == 1);

            assertThat(context.getBean("calls", AtomicInteger.class)).hasValue(1);
        });
    }

    @Test
    @DisplayName("properties of an id that no listener has are named, those of listeners and of all are not")
    void unknownIds(CapturedOutput output) {
        runner.withUserConfiguration(Failing.class)
                .withPropertyValues(
                        "stowline.consumers.failng.lease=20s",
                        "stowline.consumers.failing.lease=20s",
                        "stowline.consumers.leese=20s",
                        "stowline.consumers.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());

        assertThat(output)
                .contains("'stowline.consumers.failng' sets nothing", "only [failing]", "'stowline.consumers.leese'")
                .doesNotContain(
                        "'stowline.consumers.failing'", "'stowline.consumers.poll", "'stowline.consumers.retry");
    }

    @Test
    void aSettingThatDoesNotFitIsNamedAsTheProperty() {
        runner.withUserConfiguration(Failing.class)
                .withPropertyValues("stowline.consumers.failing.max-hold=1s")
                .run(context -> assertThat(context).getFailure().rootCause().satisfies(root -> assertThat(
                                context.getStartupFailure())
                        .hasStackTraceContaining("a setting does not fit: 'max-hold' is PT10S to PT168H")));
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {

        @StowlineQueueListener("failing")
        void fail(String body) {
            throw new IllegalStateException("does not fit");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithoutAFuture {

        @StowlineQueueListener("futures")
        @Nullable
        CompletableFuture<String> handle(String body) {
            return null;
        }
    }

    interface Handling<B> {
        void handle(B body);
    }

    static class Text implements Handling<String> {

        @Override
        @StowlineQueueListener("generic")
        public void handle(String body) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Generic {

        @Bean
        static AtomicInteger calls() {
            return new AtomicInteger();
        }

        @Bean
        static org.springframework.beans.factory.config.BeanPostProcessor proxies() {
            return new org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator() {
                {
                    setBeanNames("text");
                    setInterceptorNames("counting");
                }
            };
        }

        @Bean
        static MethodInterceptor counting(AtomicInteger calls) {
            return invocation -> {
                calls.incrementAndGet();
                return invocation.proceed();
            };
        }

        @Bean
        Text text() {
            return new Text();
        }
    }
}
