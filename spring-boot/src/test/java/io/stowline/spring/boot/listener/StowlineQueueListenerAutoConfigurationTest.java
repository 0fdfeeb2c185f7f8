package io.stowline.spring.boot.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.Stowline;
import io.stowline.queue.ShardedQueue;
import io.stowline.spring.boot.FailureAnalyses;
import io.stowline.spring.boot.autoconfigure.BackoffPreset;
import io.stowline.spring.boot.autoconfigure.StowlineAutoConfiguration;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.testkit.Azurite;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.FaultProxy;
import io.stowline.testkit.RequestMatch;
import io.stowline.testkit.TestStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.validation.annotation.Validated;

/** The sources of listeners and of their settings, and the failure analysis of those that cannot start. */
@AzuriteTest
@ExtendWith(OutputCaptureExtension.class)
class StowlineQueueListenerAutoConfigurationTest {

    private static final String EMULATOR = "stowline.connection-string=UseDevelopmentStorage=true";
    private static final String OFF = "stowline.consumers.enabled=false";

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    StowlineAutoConfiguration.class, StowlineQueueListenerAutoConfiguration.class));

    private void fails(Class<?> bean, String... parts) {
        fails(runner.withPropertyValues(EMULATOR, OFF).withUserConfiguration(bean), parts);
    }

    private static void fails(ApplicationContextRunner runner, String... parts) {
        runner.run(context -> assertThat(context).getFailure().satisfies(failure -> {
            FailureAnalysis analysis = FailureAnalyses.first(failure);
            assertThat(analysis.getDescription() + analysis.getAction()).contains(parts);
        }));
    }

    @Test
    void anApplicationWithoutListenersHasARegistryWithoutContainersAlsoWithoutAnAccount() {
        runner.run(context -> assertThat(
                        context.getBean(StowlineQueueListenerRegistry.class).listeners())
                .isEmpty());
    }

    @Test
    void withoutSpringMessagingTheRestWorksAndAListenerIsRefusedByName() {
        ApplicationContextRunner without = runner.withPropertyValues(EMULATOR)
                .withClassLoader(new FilteredClassLoader(DefaultMessageHandlerMethodFactory.class));
        without.run(context -> assertThat(context).hasSingleBean(Stowline.class));
        fails(
                without.withUserConfiguration(Plain.class),
                "Plain.handle(java.lang.String)' of the bean",
                "spring-messaging is not on the class path",
                "Add the dependency org.springframework:spring-messaging");
    }

    @Test
    void withoutTheClientThereIsNoRegistry() {
        runner.withClassLoader(new FilteredClassLoader(Stowline.class))
                .run(context -> assertThat(context).doesNotHaveBean("stowlineQueueListenerRegistry"));
    }

    @Test
    void nothingStartsIfListenersAreSwitchedOff() {
        runner.withPropertyValues(EMULATOR, OFF)
                .withUserConfiguration(Plain.class)
                .run(context -> assertThat(context.getBean(StowlineQueueListenerRegistry.class)
                                .listener("plain"))
                        .satisfies(listener -> {
                            assertThat(listener.isRunning()).isFalse();
                            assertThat(listener.account()).isEqualTo("stowline");
                            assertThat(listener.stop().completed()).isZero();
                            assertThat(listener.stats().pollAge()).isZero();
                        }));
    }

    @Test
    void anUnknownIdIsRefusedWithTheKnownOnes() {
        runner.withPropertyValues(EMULATOR, OFF)
                .withUserConfiguration(Plain.class)
                .run(context -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> context.getBean(StowlineQueueListenerRegistry.class)
                                .listener("other"))
                        .withMessage("no listener has the id 'other', only [plain]"));
    }

    @Test
    void thePropertyOfTheIdGoesBeforeTheAnnotationAndThatBeforeTheGeneralProperty() {
        runner.withPropertyValues(
                        EMULATOR,
                        OFF,
                        "stowline.consumers.batch-size=9",
                        "stowline.consumers.stop-timeout=9s",
                        "stowline.consumers.auto-startup=false",
                        "stowline.consumers.poll-delay.max=9s",
                        "stowline.consumers.first.batch-size=7",
                        "stowline.consumers.first.stop-timeout=7s")
                .withUserConfiguration(Batches.class)
                .run(context -> {
                    StowlineQueueListenerRegistry registry = context.getBean(StowlineQueueListenerRegistry.class);
                    ListenerSettings first = registry.listener("first").settings();
                    ListenerSettings second = registry.listener("second").settings();

                    assertThat(first.batchSize()).isEqualTo(7);
                    assertThat(second.batchSize()).isEqualTo(5);
                    assertThat(first.stopTimeout()).isEqualTo(Duration.ofSeconds(7));
                    assertThat(second.stopTimeout()).isEqualTo(Duration.ofSeconds(9));
                    assertThat(first.maxPollDelay()).isEqualTo(Duration.ofSeconds(9));
                    assertThat(first.autoStartup()).isFalse();
                    assertThat(second.autoStartup()).isTrue();
                });
    }

    @Test
    void bindsEachProperty() {
        runner.withPropertyValues(
                        "stowline.consumers.concurrency=2",
                        "stowline.consumers.batch-size=3",
                        "stowline.consumers.lease=20s",
                        "stowline.consumers.max-hold=10m",
                        "stowline.consumers.poison-after=4",
                        "stowline.consumers.retry-backoff=interactive",
                        "stowline.consumers.retry-delay=5s",
                        "stowline.consumers.handler-timeout=6s",
                        "stowline.consumers.poll-delay.min=20ms",
                        "stowline.consumers.poll-delay.max=7s",
                        "stowline.consumers.stop-timeout=8s",
                        "stowline.consumers.auto-startup=false",
                        "stowline.consumers.poison-on=java.lang.IllegalArgumentException",
                        "stowline.consumers.uncounted-on=java.io.IOException,java.lang.IllegalStateException")
                .run(context -> assertThat(context.getBean(ConsumerProperties.class))
                        .isEqualTo(new ConsumerProperties(
                                2,
                                3,
                                Duration.ofSeconds(20),
                                Duration.ofMinutes(10),
                                4,
                                BackoffPreset.INTERACTIVE,
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(6),
                                new ConsumerProperties.PollDelay(Duration.ofMillis(20), Duration.ofSeconds(7)),
                                Duration.ofSeconds(8),
                                false,
                                List.of(IllegalArgumentException.class),
                                List.of(IOException.class, IllegalStateException.class))));
    }

    @Test
    void whatCannotListenNamesBeanMethodAndReason() {
        fails(Unfit.class, "Unfit.response(java.lang.String)'", "'unfit'", "it returns int", "Correct the method");
        fails(Nameless.class, "it needs either 'queue' or 'queueBean'");
        fails(BadId.class, "the id 'Plain One' does not consist of lower-case letters");
        fails(BadNumber.class, "'many' is not a value of the attribute 'concurrency'");
        fails(BadTruth.class, "'perhaps' is not a value of the attribute 'autoStartup'");
        fails(NoBatch.class, "'batch' is set, but no parameter takes a batch");
        fails(UnknownAccount.class, "it names the account 'archive', which is not configured");
        fails(UnknownBean.class, "no bean of type MessageQueue has the name 'ordersQueue'");
        fails(
                OtherBean.class,
                "OtherBean.handle(java.lang.String)'",
                "the bean 'wide' is of type io.stowline.queue.ShardedQueue, not MessageQueue");
        fails(Twice.class, "Two listeners have the id 'plain'", "Twice.one(", "Twice.other(", "another 'id'");
        fails(Untyped.class, "no parameter names the type of the bodies");
        fails(Generic.class, "has type arguments: that needs a bean of the queue");
        fails(OtherType.class, "it takes java.lang.Integer, but the messages of the bean 'ordersQueue'", "String");
        fails(Unvalidated.class, "a body is to be validated, but there is no Validator");
    }

    @Test
    void prototypesCannotListenAndScopedProxiesCan() {
        fails(Prototype.class, "the bean is not a singleton");
        runner.withPropertyValues(EMULATOR, OFF)
                .withUserConfiguration(ScopedBean.class)
                .run(context -> assertThat(context.getBean(StowlineQueueListenerRegistry.class)
                                .listeners())
                        .singleElement()
                        .satisfies(listener -> assertThat(listener.queue()).isEqualTo("plain")));
    }

    @Test
    void aFinalMethodOfAProxyIsRefused(TestStorage storage) {
        fails(
                runner.withPropertyValues("stowline.connection-string=" + storage.connectionString())
                        .withUserConfiguration(FinalMethod.Application.class),
                "FinalMethod.handle(",
                "a proxy cannot call a final method",
                "Remove 'final'");
    }

    @Test
    void aMissingQueueStopsTheStartUnlessItIsCreated(TestStorage storage) {
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            client.queue("plain").dropIfExists();
            ApplicationContextRunner connected = runner.withPropertyValues(
                            "stowline.connection-string=" + storage.connectionString())
                    .withUserConfiguration(Plain.class);
            fails(
                    connected,
                    "Plain.handle(java.lang.String)'",
                    "the queue 'plain' of account 'devstoreaccount1' does not exist",
                    "'stowline.create-missing=true'");

            connected.withPropertyValues("stowline.create-missing=true").run(context -> assertThat(
                            context.getBean(StowlineQueueListenerRegistry.class)
                                    .listener("plain")
                                    .isRunning())
                    .isTrue());
            connected.run(context -> assertThat(context).hasNotFailed());
            client.queue("plain").dropIfExists();
        }
    }

    @Test
    void aServiceThatDoesNotRespondDoesNotStopTheStart(Azurite azurite, CapturedOutput output) {
        try (FaultProxy proxy = FaultProxy.builder().inFrontOf(azurite).start()) {
            proxy.when(RequestMatch.requests()).reset();
            runner.withPropertyValues(
                            "stowline.connection-string=" + proxy.storage().connectionString())
                    .withUserConfiguration(Plain.class)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBean(StowlineQueueListenerRegistry.class)
                                        .listener("plain")
                                        .isRunning())
                                .isTrue();
                    });
        }
        assertThat(output).contains("starts without knowing whether its queue 'plain' exists");
    }

    @Test
    void aSettingOutOfRangeNamesThePropertiesAndNoOtherListenerRuns(TestStorage storage) {
        ApplicationContextRunner connected = runner.withPropertyValues(
                        "stowline.connection-string=" + storage.connectionString(), "stowline.create-missing=true")
                .withUserConfiguration(Batches.class);
        fails(
                connected.withPropertyValues("stowline.consumers.second.lease=1s"),
                "Batches.second(",
                "'lease' is PT10S to",
                "'stowline.consumers.second'");
        fails(
                connected.withPropertyValues(
                        "stowline.consumers.second.retry-delay=1s", "stowline.consumers.second.retry-backoff=none"),
                "'retry-backoff' and 'retry-delay' are both set");
    }

    @Test
    void aListenerOfAnotherAccountHasItsNameInTheId(TestStorage storage) {
        runner.withPropertyValues(
                        EMULATOR,
                        OFF,
                        "stowline.accounts.archive.connection-string=" + storage.connectionString(),
                        "stowline.create-missing=true")
                .withUserConfiguration(UnknownAccount.class)
                .run(context -> {
                    QueueListenerContainer listener =
                            context.getBean(StowlineQueueListenerRegistry.class).listener("archive-plain");
                    listener.start();

                    assertThat(listener.account()).isEqualTo("archive");
                    assertThat(listener.isRunning()).isTrue();
                });
    }

    static class Plain {
        @StowlineQueueListener("plain")
        void handle(String body) {}
    }

    static class Batches {
        @StowlineQueueListener(queue = "first", batch = "5")
        void first(List<String> bodies) {}

        @StowlineQueueListener(queue = "second", batch = "${second.batch:5}", autoStartup = "true")
        void second(List<String> bodies) {}
    }

    @Configuration("unfit")
    static class Unfit {
        @StowlineQueueListener("plain")
        int response(String body) {
            return 1;
        }
    }

    static class Nameless {
        @StowlineQueueListener(queue = "${no.queue:}")
        void handle(String body) {}
    }

    static class BadId {
        @StowlineQueueListener(queue = "plain", id = "Plain One")
        void handle(String body) {}
    }

    static class BadNumber {
        @StowlineQueueListener(queue = "plain", concurrency = "many")
        void handle(String body) {}
    }

    static class BadTruth {
        @StowlineQueueListener(queue = "plain", autoStartup = "perhaps")
        void handle(String body) {}
    }

    static class NoBatch {
        @StowlineQueueListener(queue = "plain", batch = "3")
        void handle(String body) {}
    }

    static class UnknownAccount {
        @StowlineQueueListener(queue = "plain", account = "archive")
        void handle(String body) {}
    }

    static class UnknownBean {
        @StowlineQueueListener(queueBean = "ordersQueue")
        void handle(String body) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class OtherBean {
        @Bean
        static ShardedQueue<String> wide(Stowline client) {
            return client.shardedQueue("wide", String.class, shards -> shards.sendTo(2));
        }

        @StowlineQueueListener(queueBean = "wide")
        void handle(String body) {}
    }

    static class Twice {
        @StowlineQueueListener("plain")
        void one(String body) {}

        @StowlineQueueListener(queue = "other", id = "plain")
        void other(String body) {}
    }

    static class Untyped {
        @StowlineQueueListener("plain")
        void handle(io.stowline.queue.MessageLease<?> lease) {}
    }

    static class Generic {
        @StowlineQueueListener("plain")
        void handle(java.util.Map<String, Integer> body) {}
    }

    @Import(OtherType.Storage.class)
    static class OtherType {

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                queue("orders", String.class);
            }
        }

        @StowlineQueueListener("orders")
        void handle(int body) {}
    }

    static class Unvalidated {
        @StowlineQueueListener("plain")
        void handle(@Validated String body) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Prototype {
        @Bean
        @Scope("prototype")
        Plain plain() {
            return new Plain();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ScopedBean {
        @Bean
        @Scope(scopeName = "prototype", proxyMode = ScopedProxyMode.TARGET_CLASS)
        Plain plain() {
            return new Plain();
        }
    }

    static class FinalMethod {

        @StowlineQueueListener("plain")
        public final void handle(String body) {}

        @Configuration(proxyBeanMethods = false)
        static class Application {
            @Bean
            FinalMethod handler() {
                return new FinalMethod();
            }

            @Bean
            static BeanNameAutoProxyCreator proxies() {
                BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
                creator.setBeanNames("handler");
                creator.setProxyTargetClass(true);
                return creator;
            }
        }
    }
}
