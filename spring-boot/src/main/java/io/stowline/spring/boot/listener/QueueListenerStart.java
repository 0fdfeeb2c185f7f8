package io.stowline.spring.boot.listener;

import io.stowline.Stowline;
import io.stowline.error.StorageException;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import io.stowline.retry.Backoff;
import io.stowline.spring.boot.listener.QueueListenerContainer.ListenerLauncher;
import io.stowline.spring.boot.listener.QueueListenerContainer.Running;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.task.VirtualThreadTaskExecutor;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.validation.Validator;

/**
 * Starts the consumer of one listener method: gets the bean and the queue, looks whether the queue exists, and builds the consumer.
 *
 * @param listener the listener's id
 * @param bean the listener's bean, as other beans get it
 * @param method the method of the bean's class
 * @param description the bean and the method, for messages
 * @param signature what the method takes and returns
 * @param settings the listener's settings
 * @param queue the queue
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
        ListenerEnvironment environment)
        implements ListenerLauncher {

    private static final Logger LOG = LoggerFactory.getLogger(QueueListenerStart.class);
    private static final Duration CHECK = Duration.ofSeconds(5);

    /**
     * What all listeners share.
     *
     * @param createMissing whether missing queues are created
     * @param virtualThreads whether handlers run on virtual threads
     * @param validator validates bodies; {@code null} without one
     * @param isClosed whether the application context is closed or closes
     * @param keepAlive keeps the JVM alive while listeners run
     * @param main the client of the default account
     */
    record ListenerEnvironment(
            boolean createMissing,
            boolean virtualThreads,
            @Nullable Validator validator,
            BooleanSupplier isClosed,
            ListenerKeepAlive keepAlive,
            Supplier<Stowline> main) {}

    @Override
    public Running launch() {
        if (environment.isClosed().getAsBoolean()) {
            throw new IllegalStateException(description + " cannot start: the application context is closed.");
        }
        Object target = bean.get();
        ListenerInvocation invocation = new ListenerInvocation(
                listener, queue.name(), target, invocable(target), signature, environment.validator());
        MessageQueue<?> messages = queue.queue(signature.body(), environment.main());
        makeSure(messages);
        try {
            Running started = start(messages, invocation);
            environment.keepAlive().hold();
            return new Running(started.consumer(), () -> {
                started.release().run();
                environment.keepAlive().release();
            });
        } catch (IllegalArgumentException e) {
            throw failure(
                    "a setting does not fit: " + e.getMessage(),
                    "Correct the attribute of the annotation, or the property below '" + ConsumerProperties.PREFIX + "."
                            + listener + "' or '" + ConsumerProperties.PREFIX + "'.",
                    e);
        }
    }

    /** The method as the bean's proxy has it. */
    private Method invocable(Object target) {
        if (AopUtils.isCglibProxy(target) && Modifier.isFinal(method.getModifiers())) {
            throw failure(
                    "the bean is a proxy, and a proxy cannot call a final method on its target",
                    "Remove 'final' from the method.",
                    null);
        }
        try {
            Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
            if (!ListenerSignature.of(invocable, target.getClass()).roles().equals(signature.roles())) {
                throw failure(
                        "its parameters have annotations that the interface of the bean's proxy does not have",
                        "Repeat the annotations of the parameters in the interface.",
                        null);
            }
            return invocable;
        } catch (IllegalStateException e) {
            throw failure(
                    "the proxy of the bean does not have the method",
                    "Make the method public, and declare it in an interface of the bean if its proxy implements interfaces only.",
                    e);
        }
    }

    private void makeSure(MessageQueue<?> messages) {
        if (environment.createMissing()) {
            if (!queue.isDeclared() && messages.createIfMissing()) {
                LOG.info(
                        "The queue '{}' of account '{}' was missing and is created for the listener '{}'",
                        queue.name(),
                        queue.account(),
                        listener);
            }
        } else if (isMissing(messages)) {
            throw failure(
                    "the queue '" + queue.name() + "' of account '" + queue.account() + "' does not exist",
                    "Create the queue, or set 'stowline.create-missing=true'.",
                    null);
        }
    }

    /** A credential that may only process messages cannot look, and a service that does not answer now may answer later. */
    private boolean isMissing(MessageQueue<?> messages) {
        try {
            return !messages.withRetry(
                            retry -> retry.backoff(Backoff.none()).retries(0).deadline(CHECK))
                    .exists();
        } catch (StorageException e) {
            LOG.warn(
                    "The listener '{}' starts without knowing whether its queue '{}' exists: {}",
                    listener,
                    queue.name(),
                    e.getMessage());
            return false;
        }
    }

    private <T> Running start(MessageQueue<T> messages, ListenerInvocation invocation) {
        ReactiveAdapter adapter = signature.adapter();
        if (adapter != null) {
            QueueConsumer.Builder builder = messages.reactive().consume(lease -> invocation.publisher(lease, adapter));
            settings.applyTo(builder);
            return new Running(builder.start(), () -> {});
        }
        QueueConsumer.Builder builder = signature.batch()
                ? messages.consumeBatches(settings.batchSize(), invocation::handle)
                : messages.consume(invocation::handle);
        settings.applyTo(builder);
        if (environment.virtualThreads()) {
            return new Running(
                    builder.executor(new VirtualThreadTaskExecutor(listener + "-"))
                            .start(),
                    () -> {});
        }
        ExecutorService threads = threads();
        try {
            return new Running(builder.executor((Executor) threads).start(), threads::shutdown);
        } catch (Throwable e) {
            threads.shutdown();
            throw e;
        }
    }

    private ExecutorService threads() {
        CustomizableThreadFactory factory = new CustomizableThreadFactory(listener + "-");
        factory.setDaemon(true);
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    private ListenerConfigurationException failure(String reason, String action, @Nullable Throwable cause) {
        return new ListenerConfigurationException(description + " cannot start: " + reason + ".", action, cause);
    }
}
