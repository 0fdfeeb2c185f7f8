package io.stowline.spring.doors;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.stowline.Stowline;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.FencedBlob;
import io.stowline.spring.boot.lock.BlobLeaseLockRegistry;
import io.stowline.spring.boot.lock.FencedLock;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.LoggerFactory;

/**
 * A process that counts in a blob under a fenced lock, again and again, until it is killed. It prints {@code holds <number>}, {@code wrote <number> <value>} and
 * {@code lost <number>}.
 */
final class LockWorker {

    static final Duration LEASE = Duration.ofSeconds(15);
    static final String CONTAINER = "locks";
    static final String COUNTER = "counter";

    private static final int WRITES = 8;
    private static final long PAUSE = 30_000_000;

    private LockWorker() {}

    public static void main(String[] args) {
        ((Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME)).setLevel(Level.OFF);
        try (Stowline client = Stowline.connect(args[0])) {
            BlobContainer container = client.container(CONTAINER);
            FencedLock lock = new BlobLeaseLockRegistry(container, LEASE, Duration.ofMillis(200)).obtain("count");
            while (true) {
                count(container, lock);
            }
        }
    }

    private static void count(BlobContainer container, FencedLock lock) {
        lock.lock();
        long number = lock.term().number();
        try {
            System.out.println("holds " + number);
            FencedBlob counter = lock.term().fence(container, COUNTER);
            int value = Integer.parseInt(new String(container.download(COUNTER), UTF_8));
            for (int i = 0; i < WRITES; i++) {
                counter.upload(Integer.toString(++value).getBytes(UTF_8));
                System.out.println("wrote " + number + " " + value);
                LockSupport.parkNanos(PAUSE);
            }
        } catch (RuntimeException e) {
            System.out.println("refused " + number + " " + e.getClass().getSimpleName());
        }
        try {
            lock.unlock();
        } catch (ConcurrentModificationException e) {
            System.out.println("lost " + number);
        }
        LockSupport.parkNanos(PAUSE);
    }
}
