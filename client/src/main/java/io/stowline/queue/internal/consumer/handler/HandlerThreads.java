package io.stowline.queue.internal.consumer.handler;

import io.stowline.transport.internal.concurrent.NamedThreads;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The threads of blocking handlers: virtual ones where the JVM has them, else daemon threads that end after 10 s without work. */
public final class HandlerThreads {

    private HandlerThreads() {}

    /**
     * Threads named {@code stowline-<account>-consumer-<n>}, as many as handlers run.
     *
     * @param account the account's name
     */
    public static ExecutorService of(String account) {
        ExecutorService virtual = virtual("stowline-" + account + "-consumer-");
        return virtual == null ? platform(account) : virtual;
    }

    static ExecutorService platform(String account) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                10,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new NamedThreads(account, "consumer"));
    }

    /** By reflection, since the library is compiled for a JVM without them. */
    static @Nullable ExecutorService virtual(String prefix) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object named = type.getMethod("name", String.class, long.class).invoke(builder, prefix, 1L);
            ThreadFactory factory = (ThreadFactory) type.getMethod("factory").invoke(named);
            return (ExecutorService) Executors.class
                    .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                    .invoke(null, factory);
        } catch (NoSuchMethodException
                | ClassNotFoundException
                | IllegalAccessException
                | InvocationTargetException e) {
            return null;
        }
    }
}
