package io.stowline.spring.boot.listener;

import io.stowline.error.StorageException;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.account.AccountClients;
import io.stowline.spring.boot.account.StowlineConfigurationException;
import io.stowline.spring.boot.listener.QueueListenerContainer.ListenerLauncher;
import io.stowline.spring.boot.listener.QueueListenerContainer.RunningConsumer;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ResolvableType;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Validator;

/**
 * The start of one listener method's consumer: gets the bean and the queue, checks whether the queue exists, and builds the consumer.
 *
 * @param listener the listener's id
 * @param bean the listener's bean, as other beans get it
 * @param method the method of the bean's class
 * @param description the bean and the method, for messages
 * @param signature what the method takes and returns
 * @param settings the listener's settings
 * @param queue the queue
 * @param replies the queue of what the method returns; {@code null} without one
 * @param failures the rules that decide on failures of the method
 * @param environment what all listeners share
 */
record QueueListenerStart(
        String listener,
        java.util.function.Supplier<Object> bean,
        Method method,
        String description,
        ListenerSignature signature,
        ListenerSettings settings,
        ListenedQueue queue,
        @Nullable ListenedQueue replies,
        FailureRules failures,
        ListenerEnvironment environment)
        implements ListenerLauncher {

    private static final Logger LOG = LoggerFactory.getLogger(QueueListenerStart.class);
    private static final Duration CHECK = Duration.ofSeconds(5);

    /**
     * The environment that all listeners share.
     *
     * @param createMissing whether missing queues are created
     * @param virtualThreads whether handlers run on virtual threads
     * @param validator validates bodies; {@code null} without one
     * @param isClosed whether the application context is closed or closes
     * @param keepAlive keeps the JVM alive while listeners run
     * @param clients the clients of all accounts
     */
    record ListenerEnvironment(
            boolean createMissing,
            boolean virtualThreads,
            @Nullable Validator validator,
            BooleanSupplier isClosed,
            ListenerKeepAlive keepAlive,
            AccountClients clients) {}

    @Override
    public RunningConsumer launch() {
        if (environment.isClosed().getAsBoolean()) {
            throw new IllegalStateException(description + " cannot start: the application context is closed.");
        }
        Object target = bean.get();
        ListenerInvocation invocation = new ListenerInvocation(
                listener, queue.name(), target, invocable(target), signature, reply(), environment.validator());
        MessageQueue<?> messages = queue(queue, signature.body());
        makeSure(queue, messages);
        try {
            RunningConsumer started = start(messages, invocation);
            environment.keepAlive().hold();
            LOG.info(
                    "The listener '{}' listens to the {}{}",
                    listener,
                    queue.description(environment.clients()),
                    replies == null ? "" : ", and replies to the " + replies.description(environment.clients()));
            return new RunningConsumer(started.consumer(), () -> {
                started.release().run();
                environment.keepAlive().release();
            });
        } catch (IllegalArgumentException e) {
            throw failure(
                    "a setting does not fit: " + ConsumerProperties.named(String.valueOf(e.getMessage())),
                    "Correct the attribute of the annotation, or the property below '" + ConsumerProperties.PREFIX + "."
                            + listener + "' or '" + ConsumerProperties.PREFIX + "'.",
                    e);
        }
    }

    private @Nullable ListenerReply reply() {
        if (replies == null) {
            return null;
        }
        MessageQueue<?> destination = queue(replies, signature.reply());
        makeSure(replies, destination);
        @SuppressWarnings("unchecked") // the scanner has compared the types
        MessageQueue<Object> untyped = (MessageQueue<Object>) destination;
        return new ListenerReply(queue.account() + "/" + queue.name(), untyped);
    }

    private MessageQueue<?> queue(ListenedQueue listened, @Nullable ResolvableType body) {
        try {
            return listened.queue(body, environment.clients());
        } catch (IllegalArgumentException e) {
            throw failure(String.valueOf(e.getMessage()), "Correct the name of the queue.", e);
        }
    }

    private Method invocable(Object target) {
        if (AopUtils.isCglibProxy(target) && Modifier.isFinal(method.getModifiers())) {
            throw failure(
                    "the bean is a proxy, and a proxy cannot call a final method on its target",
                    "Remove 'final' from the method.",
                    null);
        }
        try {
            Method invocable = AopUtils.isJdkDynamicProxy(target)
                    ? ofInterface(target)
                    : AopUtils.selectInvocableMethod(method, target.getClass());
            if (!ListenerSignature.of(invocable, AopUtils.getTargetClass(target), replies != null)
                    .roles()
                    .equals(signature.roles())) {
                throw failure(
                        "its parameters have annotations that the interface of the bean's proxy does not have",
                        "Repeat the annotations of the parameters in the interface.",
                        null);
            }
            return invocable;
        } catch (IllegalStateException e) {
            throw failure(
                    "the proxy of the bean does not have the method",
                    "Make the method public, and declare it in an interface of the bean if its proxy implements"
                            + " interfaces only.",
                    e);
        }
    }

    /** An interface with type variables declares the method with other types than the class that implements it. */
    private Method ofInterface(Object proxy) {
        Class<?> type = AopUtils.getTargetClass(proxy);
        return Stream.of(ClassUtils.getAllInterfaces(proxy))
                .flatMap(face -> Stream.of(face.getMethods()))
                .filter(declared -> declared.getName().equals(method.getName())
                        && declared.getParameterCount() == method.getParameterCount()
                        && BridgeMethodResolver.getMostSpecificMethod(declared, type)
                                .equals(method))
                .findFirst()
                .orElseGet(() -> AopUtils.selectInvocableMethod(method, proxy.getClass()));
    }

    private void makeSure(ListenedQueue checked, MessageQueue<?> messages) {
        String named = checked.description(environment.clients());
        if (environment.createMissing()) {
            if (!checked.isDeclared() && createIfMissing(checked, messages, named)) {
                LOG.info("The {} was missing and is created for the listener '{}'", named, listener);
            }
        } else if (isMissing(messages)) {
            throw failure(
                    "the " + named + " does not exist",
                    "Create the queue, or set 'stowline.create-missing=true'.",
                    null);
        }
    }

    private boolean createIfMissing(ListenedQueue missing, MessageQueue<?> messages, String named) {
        try {
            return messages.createIfMissing();
        } catch (StorageException e) {
            throw failure(
                    "the " + named + " cannot be created: " + e.getMessage(),
                    "Check endpoint and credential under '" + AccountClients.prefix(missing.account())
                            + "'. Without 'stowline.create-missing=true' no queue is created.",
                    e);
        }
    }

    /**
     * A credential that may only process messages cannot check, and a service without a response now may respond later.
     */
    private boolean isMissing(MessageQueue<?> messages) {
        try {
            return !messages.withRetry(
                            retry -> retry.backoff(Backoff.none()).retries(0).deadline(CHECK))
                    .exists();
        } catch (StorageException e) {
            LOG.warn(
                    "The listener '{}' starts without knowing whether its queue '{}' exists: {}",
                    listener,
                    messages.name(),
                    e.getMessage());
            return false;
        }
    }

    private <T> RunningConsumer start(MessageQueue<T> messages, ListenerInvocation invocation) {
        ReactiveAdapter adapter = signature.adapter();
        if (adapter != null) {
            QueueConsumer.Builder builder = messages.reactive().consume(lease -> invocation.publisher(lease, adapter));
            applyTo(builder);
            return new RunningConsumer(builder.start(), () -> {});
        }
        QueueConsumer.Builder builder = signature.batch()
                ? messages.consumeBatches(settings.batchSize(), invocation::handle)
                : messages.consume(invocation::handle);
        applyTo(builder);
        if (environment.virtualThreads()) {
            return new RunningConsumer(
                    builder.executor(new VirtualThreadTaskExecutor(listener + "-"))
                            .start(),
                    () -> {});
        }
        ExecutorService threads = threads();
        try {
            return new RunningConsumer(builder.executor((Executor) threads).start(), threads::shutdown);
        } catch (Throwable e) {
            threads.shutdown();
            throw e;
        }
    }

    private void applyTo(QueueConsumer.Builder builder) {
        settings.applyTo(builder);
        QueueConsumer.FailureHandler handler = failures.handler();
        if (handler != null) {
            builder.onFailure(handler);
        }
    }

    private ExecutorService threads() {
        CustomizableThreadFactory factory = new CustomizableThreadFactory(listener + "-");
        factory.setDaemon(true);
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    private StowlineConfigurationException failure(String reason, String action, @Nullable Throwable cause) {
        return new StowlineConfigurationException(description + " cannot start: " + reason + ".", action, cause);
    }
}
