package io.stowline.spring.boot.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.stowline.Stowline;
import io.stowline.queue.MessageLease;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.PoisonQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.spring.boot.ShortPause;
import io.stowline.spring.boot.autoconfigure.StowlineBeans;
import io.stowline.testkit.AzuriteTest;
import io.stowline.testkit.TestStorage;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;
import reactor.core.publisher.Mono;

/** Whole applications whose listeners work on queues of the emulator. */
@AzuriteTest
class QueueListenerApplicationTest {

    record Order(String id, int amount) {}

    /** The events that listeners have seen; a test takes them from here. */
    static final class Seen {

        private final BlockingQueue<Object> values = new LinkedBlockingQueue<>();

        void add(Object value) {
            values.add(value);
        }

        Object next() throws InterruptedException {
            return Objects.requireNonNull(values.poll(60, TimeUnit.SECONDS), "nothing was seen in a minute");
        }
    }

    private static ConfigurableApplicationContext start(
            Class<?> application, TestStorage storage, String... properties) {
        return new SpringApplicationBuilder(application, Shared.class)
                .properties(
                        "stowline.connection-string=" + storage.connectionString(),
                        "stowline.create-missing=true",
                        "stowline.consumers.poll-delay.max=200ms")
                .properties(properties)
                .run();
    }

    private static void empty(TestStorage storage, String... queues) {
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            for (String queue : queues) {
                client.queue(queue).createIfMissing();
                client.queue(queue).clear();
            }
        }
    }

    private static Seen seen(ConfigurableApplicationContext context) {
        return context.getBean(Seen.class);
    }

    @Test
    void bodiesLeasesHeadersAndBatchesReachTheirMethods(TestStorage storage) throws Exception {
        empty(storage, "heard", "heard-in-batches", "heard-reactively", "heard-in-future");
        try (ConfigurableApplicationContext context = start(Kinds.class, storage)) {
            Stowline client = context.getBean(Stowline.class);

            client.queue("heard", Order.class).send(new Order("o1", 2));
            assertThat(seen(context).next()).isEqualTo("o1 on heard by heard, delivery 1, leased, with 6 headers");
            client.queue("heard-in-batches", Order.class).send(new Order("o2", 3));
            assertThat(seen(context).next()).isEqualTo(List.of(new Order("o2", 3)));
            client.queue("heard-reactively", Order.class).send(new Order("o3", 4));
            assertThat(seen(context).next()).isEqualTo("reactive o3");
            client.queue("heard-in-future").send(" ");
            assertThat(seen(context).next()).isEqualTo("future  ");
            assertThat(context.getBean(StowlineQueueListenerRegistry.class).listeners())
                    .hasSize(4)
                    .allSatisfy(each -> {
                        assertThat(each.isRunning()).isTrue();
                        assertThat(each.stop().abandoned()).isZero();
                        assertThat(each.stats().completed()).isEqualTo(1);
                        assertThat(client.queue(each.queue()).approximateCount())
                                .isZero();
                    });
        }
    }

    @Test
    void aThrownExceptionRetriesAndThenPoisons(TestStorage storage) throws Exception {
        empty(storage, "failing", "failing-poison");
        try (ConfigurableApplicationContext context = start(
                Failing.class,
                storage,
                "stowline.consumers.failing.poison-after=2",
                "stowline.consumers.failing.retry-backoff=none")) {
            MessageQueue<Order> failing = context.getBean(Stowline.class).queue("failing", Order.class);
            failing.send(new Order("bad", 1));

            assertThat(seen(context).next()).isEqualTo("bad 1");
            assertThat(seen(context).next()).isEqualTo("bad 2");
            assertThat(poison(context, "failing").reason()).hasValue("failed 2 times");
        }
    }

    @Test
    void anInvalidBodyIsPoisonAtOnceAndItsHandlerDoesNotSeeIt(TestStorage storage) throws Exception {
        empty(storage, "validated", "validated-poison");
        try (ConfigurableApplicationContext context = start(Validating.class, storage)) {
            MessageQueue<Order> validated = context.getBean(Stowline.class).queue("validated", Order.class);
            validated.send(new Order("invalid", -1));
            assertThat(poison(context, "validated").reason()).hasValue("not valid: amount must not be negative");

            validated.send(new Order("valid", 1));
            assertThat(seen(context).next()).isEqualTo(new Order("valid", 1));
        }
    }

    private static PoisonQueue.Message<Order> poison(ConfigurableApplicationContext context, String queue) {
        QueueListenerContainer listener =
                context.getBean(StowlineQueueListenerRegistry.class).listener(queue);
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (listener.stats().poisoned() == 0 && System.nanoTime() < deadline) {
            ShortPause.park();
        }
        return context.getBean(Stowline.class)
                .queue(queue, Order.class)
                .poison()
                .peek(1)
                .get(0);
    }

    @Test
    void theMethodRunsThroughTheProxyOfItsBean(TestStorage storage) throws Exception {
        empty(storage, "proxied");
        try (ConfigurableApplicationContext context = start(Proxied.class, storage)) {
            context.getBean(Stowline.class).queue("proxied").send("text");

            assertThat(seen(context).next()).isEqualTo("advice");
            assertThat(seen(context).next()).isEqualTo("text");
        }
    }

    @Test
    void aLazyBeanIsMadeWhenItsListenerStarts(TestStorage storage) throws Exception {
        empty(storage, "lazy");
        try (ConfigurableApplicationContext context =
                start(LazyBean.class, storage, "stowline.consumers.lazy.auto-startup=false")) {
            QueueListenerContainer listener =
                    context.getBean(StowlineQueueListenerRegistry.class).listener("lazy");
            assertThat(context.getBeanFactory().containsSingleton("lazyListener"))
                    .isFalse();
            assertThat(listener.isRunning()).isFalse();
            assertThatIllegalStateException().isThrownBy(listener::pause).withMessageContaining("'lazy' does not run");

            listener.start();
            context.getBean(Stowline.class).queue("lazy").send("text");

            assertThat(seen(context).next()).isEqualTo("text");
        }
    }

    @Test
    void aDeclaredQueueKeepsItsCodec(TestStorage storage) throws Exception {
        empty(storage, "encoded");
        try (ConfigurableApplicationContext context = start(OfBean.class, storage)) {
            @SuppressWarnings("unchecked")
            MessageQueue<Order> view = context.getBean("encodedView", MessageQueue.class);
            view.send(new Order("o1", 1));

            assertThat(seen(context).next()).isEqualTo(new Order("o1", 1));
            assertThat(context.getBean(StowlineQueueListenerRegistry.class)
                            .listener("encoded")
                            .queue())
                    .isEqualTo("encoded");
        }
    }

    /** A pause does not wait for the step that carries it out. */
    private static void pause(QueueListenerContainer listener) {
        listener.pause();
        while (!listener.isPaused()) {
            ShortPause.park();
        }
    }

    @Test
    void listenersPauseResumeAndChangeTheirConcurrencyWhileTheyRun(TestStorage storage) throws Exception {
        empty(storage, "heard", "heard-in-batches", "heard-reactively", "heard-in-future");
        try (ConfigurableApplicationContext context = start(Kinds.class, storage, "stowline.consumers.concurrency=5")) {
            QueueListenerContainer listener =
                    context.getBean(StowlineQueueListenerRegistry.class).listener("heard");
            assertThat(listener.concurrency())
                    .as("the annotation goes before the general property")
                    .isEqualTo(2);
            listener.concurrency(3);
            pause(listener);

            listener.stop();
            listener.start();
            assertThat(listener.isPaused()).isFalse();
            assertThat(listener.concurrency()).as("also after a restart").isEqualTo(3);

            pause(listener);
            context.getBean(Stowline.class).queue("heard", Order.class).send(new Order("o1", 1));
            assertThat(listener.stats().completed()).isZero();
            listener.resume();
            assertThat(seen(context).next()).asString().startsWith("o1");
        }
    }

    @Test
    void listenersOfAContextThatIsStoppedAndStartedRunAgain(TestStorage storage) throws Exception {
        empty(storage, "proxied");
        try (ConfigurableApplicationContext context = start(Proxied.class, storage)) {
            context.stop();
            assertThat(context.getBean(StowlineQueueListenerRegistry.class)
                            .listener("proxied")
                            .isRunning())
                    .isFalse();
            context.start();
            context.getBean(Stowline.class).queue("proxied").send("text");

            assertThat(seen(context).next()).isEqualTo("advice");
        }
    }

    @Test
    void aStopWithMessagesInHandWaitsForTheirHandlersAndGivesTheOthersBack(TestStorage storage) throws Exception {
        empty(storage, "slow");
        Slow.Listener listener;
        try (ConfigurableApplicationContext context = start(Slow.class, storage)) {
            MessageQueue<Order> slow = context.getBean(Stowline.class).queue("slow", Order.class);
            for (int i = 0; i < 20; i++) {
                slow.send(new Order("o" + i, i));
            }
            listener = context.getBean(Slow.Listener.class);
            assertThat(listener.entered.await(60, TimeUnit.SECONDS)).isTrue();

            Thread closing = new Thread(context::close);
            closing.start();
            QueueListenerContainer slowly =
                    context.getBean(StowlineQueueListenerRegistry.class).listener("slow");
            while (!QueueListenerLifecycleTest.refusesToStart(slowly)) {
                ShortPause.park();
            }
            listener.proceed.countDown();
            closing.join();
        }

        assertThat(listener.handled.values)
                .as("handled before the bean was destroyed")
                .hasSize(3);
        assertThat(listener.handled.values.toArray()[2]).isEqualTo("destroyed");
        try (Stowline client = Stowline.connect(storage.connectionString())) {
            MessageQueue<Order> slow = client.queue("slow", Order.class);
            assertThat(slow.approximateCount()).isEqualTo(18);
            assertThat(slow.receive(32)).as("visible at once").hasSize(18);
        }
    }

    @Test
    void withVirtualThreadsOnHandlersRunOnThem(TestStorage storage) throws Exception {
        empty(storage, "threads");
        for (boolean on : new boolean[] {false, true}) {
            try (ConfigurableApplicationContext context =
                    start(Threads.class, storage, "spring.threads.virtual.enabled=" + on)) {
                context.getBean(Stowline.class).queue("threads").send("text");

                Thread thread = (Thread) seen(context).next();
                assertThat(thread.getName()).startsWith("threads-");
                // By its class: a thread that has ended has no group.
                assertThat(thread.getClass().getSimpleName().equals("VirtualThread"))
                        .isEqualTo(on && Runtime.version().feature() >= 21);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Shared {

        @Bean
        Seen seen() {
            return new Seen();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Kinds {

        private final Seen seen;

        Kinds(Seen seen) {
            this.seen = seen;
        }

        @StowlineQueueListener(queue = "${heard.queue:heard}", concurrency = "${heard.concurrency:2}")
        void one(
                Order order,
                MessageLease<Order> lease,
                Message<Order> message,
                @Header(QueueMessageHeaders.QUEUE) String queue,
                @Header(QueueMessageHeaders.LISTENER_ID) String id,
                @Header int dequeueCount,
                @Header Instant insertedAt) {
            assertThat(message.getPayload()).isEqualTo(order);
            assertThat(insertedAt.toEpochMilli()).isEqualTo(message.getHeaders().getTimestamp());
            seen.add(order.id() + " on " + queue + " by " + id + ", delivery " + dequeueCount
                    + (lease.isLost() ? "" : ", leased") + ", with "
                    + message.getHeaders().keySet().stream()
                            .filter(name -> !name.equals("timestamp"))
                            .count()
                    + " headers");
        }

        @StowlineQueueListener(queue = "heard-in-batches", batch = "8")
        void several(
                List<Order> orders,
                List<MessageLease<Order>> leases,
                QueueConsumer.Batch<Order> batch,
                @Header("queue") String queue) {
            assertThat(batch.messages()).isEqualTo(leases);
            assertThat(queue).isEqualTo("heard-in-batches");
            seen.add(orders);
        }

        @StowlineQueueListener("heard-reactively")
        Mono<Void> reactive(Order order) {
            return Mono.fromRunnable(() -> seen.add("reactive " + order.id()));
        }

        @StowlineQueueListener("heard-in-future")
        CompletionStage<Void> future(String text) {
            return CompletableFuture.runAsync(() -> seen.add("future " + text));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {

        private final Seen seen;

        Failing(Seen seen) {
            this.seen = seen;
        }

        @StowlineQueueListener("failing")
        void fail(Order order, @Header long dequeueCount) {
            seen.add(order.id() + " " + dequeueCount);
            throw new IllegalStateException("it does not fit");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Validating {

        private final Seen seen;

        Validating(Seen seen) {
            this.seen = seen;
        }

        @StowlineQueueListener("validated")
        void handle(@Validated Order order) {
            seen.add(order);
        }

        @Bean
        static Validator validator() {
            return Validator.forInstanceOf(Order.class, Validating::check);
        }

        private static void check(Order order, Errors errors) {
            if (order.amount() < 0) {
                errors.rejectValue("amount", "negative", "must not be negative");
            }
        }
    }

    interface Handler {
        void handle(String text);
    }

    static class ProxiedHandler implements Handler {

        private final Seen seen;

        ProxiedHandler(Seen seen) {
            this.seen = seen;
        }

        @Override
        @StowlineQueueListener("proxied")
        public void handle(String text) {
            seen.add(text);
        }
    }

    /** A proxy of interfaces: it does not have the class of its target. */
    @Configuration(proxyBeanMethods = false)
    static class Proxied {

        @Bean
        ProxiedHandler handler(Seen seen) {
            return new ProxiedHandler(seen);
        }

        @Bean
        MethodInterceptor advice(Seen seen) {
            return invocation -> {
                seen.add("advice");
                return invocation.proceed();
            };
        }

        @Bean
        static BeanNameAutoProxyCreator proxies() {
            BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
            creator.setBeanNames("handler");
            creator.setInterceptorNames("advice");
            return creator;
        }
    }

    static class TextListener {

        private final Seen seen;

        TextListener(Seen seen) {
            this.seen = seen;
        }

        @StowlineQueueListener("lazy")
        void handle(String text) {
            seen.add(text);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class LazyBean {

        @Bean
        @Lazy
        TextListener lazyListener(Seen seen) {
            return new TextListener(seen);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(OfBean.Storage.class)
    static class OfBean {

        private final Seen seen;

        OfBean(Seen seen) {
            this.seen = seen;
        }

        static class Storage extends StowlineBeans {
            @Override
            protected void declare() {
                queue("encoded", Order.class);
            }
        }

        @Bean
        static MessageQueue<Order> encodedView(Stowline client) {
            return client.queue("encoded", Order.class).withEncoding(com.azure.storage.queue.QueueMessageEncoding.NONE);
        }

        @StowlineQueueListener(queueBean = "encodedView")
        void handle(MessageLease<Order> order) {
            seen.add(order.body());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Slow {

        @Bean
        Listener listener() {
            return new Listener();
        }

        static class Listener implements DisposableBean {

            private final CountDownLatch entered = new CountDownLatch(2);
            private final CountDownLatch proceed = new CountDownLatch(1);
            private final Seen handled = new Seen();

            @StowlineQueueListener(queue = "slow", concurrency = "2")
            void handle(Order order) throws InterruptedException {
                entered.countDown();
                proceed.await();
                handled.add(order.id());
            }

            @Override
            public void destroy() {
                handled.add("destroyed");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Threads {

        private final Seen seen;

        Threads(Seen seen) {
            this.seen = seen;
        }

        @StowlineQueueListener("threads")
        void handle(MessageLease<String> text) {
            seen.add(Thread.currentThread());
        }
    }
}
