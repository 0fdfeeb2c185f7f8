package io.stowline.spring.boot.listener;

import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A holder that keeps the JVM alive by one thread while listeners run. The threads of handlers are daemons, or there are none while a queue is empty.
 * Thread-safe.
 */
final class ListenerKeepAlive {

    private int listeners;
    private @Nullable CountDownLatch end;

    /** Counts a listener that runs. */
    synchronized void hold() {
        if (end == null) {
            CountDownLatch ended = new CountDownLatch(1);
            Thread thread = new Thread(() -> await(ended), "stowline-listeners");
            thread.setDaemon(false);
            thread.start();
            end = ended;
        }
        listeners++;
    }

    /** Counts the end of a listener; the last one ends the thread. */
    synchronized void release() {
        listeners--;
        if (listeners == 0 && end != null) {
            end.countDown();
            end = null;
        }
    }

    private static void await(CountDownLatch ended) {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
