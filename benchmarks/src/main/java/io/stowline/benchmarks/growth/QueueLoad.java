package io.stowline.benchmarks.growth;

import io.stowline.Stowline;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.QueueConsumer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Queues that one client consumes, each by its own consumer, which is paused between rounds. The handlers count. Not thread-safe.
 */
final class QueueLoad implements AutoCloseable {

    /** The messages of all queues together in one filling, which each of the sizes divides. */
    private static final int MESSAGES = 12_800;

    private static final Duration IDLE_POLL = Duration.ofMillis(50);
    /** Longer than a queue is empty before it is filled. */
    private static final Duration RARE_POLL = Duration.ofSeconds(5);

    private static final long MIN_IDLE_MILLIS = 500;
    private static final long GUARD_SECONDS = 60;

    private final Stowline storage;
    private final Account account;
    private final List<QueueConsumer> consumers = new ArrayList<>();
    private final Semaphore handled = new Semaphore(0);

    QueueLoad(Stowline storage, Account account) {
        this.storage = storage;
        this.account = account;
    }

    /** Returns a task that consumes so many queues with messages: its items are messages. */
    Task busy(int queues) {
        start(queues, RARE_POLL);
        return nanos -> {
            long end = System.nanoTime() + nanos;
            long items = 0;
            do {
                consume(queues);
                items += MESSAGES;
            } while (System.nanoTime() < end);
            return Task.Done.of(items);
        };
    }

    private void consume(int queues) throws IOException, InterruptedException {
        request(String.format(Locale.ROOT, Account.FILL, queues, MESSAGES / queues));
        first(queues).forEach(QueueConsumer::resume);
        if (!handled.tryAcquire(MESSAGES, GUARD_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException(handled.availablePermits() + " of " + MESSAGES + " messages were handled");
        }
        while (first(queues).stream().anyMatch(consumer -> consumer.stats().messagesInHand() > 0)) {
            // The last ones are deleted.
            Thread.sleep(1);
        }
        first(queues).forEach(QueueConsumer::pause);
    }

    /** Returns a task that polls so many empty queues: its items are polls. */
    Task idle(int queues) {
        start(queues, IDLE_POLL);
        return nanos -> {
            long before = requests();
            first(queues).forEach(QueueConsumer::resume);
            Thread.sleep(Math.max(TimeUnit.NANOSECONDS.toMillis(nanos), MIN_IDLE_MILLIS));
            first(queues).forEach(QueueConsumer::pause);
            return Task.Done.of(requests() - before);
        };
    }

    private void start(int queues, Duration poll) {
        for (int number = consumers.size(); number < queues; number++) {
            MessageQueue<String> queue = storage.queue(Account.CONSUMED + number);
            QueueConsumer consumer = queue.consume(message -> handled.release())
                    .pollDelay(poll, poll)
                    .start();
            consumer.pause();
            consumers.add(consumer);
        }
    }

    private List<QueueConsumer> first(int queues) {
        return consumers.subList(0, queues);
    }

    /** The requests to all queues, as the stub counts them. */
    private long requests() throws IOException {
        return Long.parseLong(request(Account.CONSUMED + Account.COUNT));
    }

    private String request(String path) throws IOException {
        try (InputStream in =
                URI.create(account.endpoint() + "/" + path).toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Override
    public void close() {
        consumers.forEach(QueueConsumer::close);
    }
}
