package io.stowline.benchmarks.correctness.consumer;

import com.azure.core.http.HttpClient;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import io.stowline.benchmarks.correctness.subject.Client;
import io.stowline.testkit.Azurite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** One seed, run once with consumers of one client. */
final class ConsumerSeed {

    static final int HANDLERS = 32;
    static final Duration MOST_PAUSE = Duration.ofSeconds(1);
    static final Duration STOP = Duration.ofSeconds(15);
    private static final int CONSUMERS = 2;
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Client client;
    private final long seed;
    private final Azurite azurite;
    private final QueueServiceClient service;
    private final HttpClient http;
    private final Duration atMost;
    private final String name =
            "consumers" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
    private final ReportBook book = new ReportBook();

    /** The client and its seed; {@code service} and {@code http} meet no faults. */
    ConsumerSeed(
            Client client, long seed, Azurite azurite, QueueServiceClient service, HttpClient http, Duration atMost) {
        this.client = client;
        this.seed = seed;
        this.azurite = azurite;
        this.service = service;
        this.http = http;
        this.atMost = atMost;
    }

    static String poison(String queue) {
        return queue + "-poison";
    }

    ConsumerPage run() throws Exception {
        QueueClient queue = service.createQueue(name);
        QueueClient poison = service.createQueue(poison(name));
        List<QueueDoor> doors = new ArrayList<>();
        try {
            Set<String> messages = send(queue);
            for (int i = 0; i < CONSUMERS; i++) {
                doors.add(new QueueDoor(i, azurite, name, new QueueFaults(name, seed * CONSUMERS + i)));
            }
            consume(queue, doors);
            ConsumerVerdict verdict = new ConsumerVerdict(QueueDoor.log(doors), book);
            return verdict.page(seed, messages, count(poison));
        } finally {
            doors.forEach(QueueDoor::close);
            queue.delete();
            poison.delete();
        }
    }

    private static Set<String> send(QueueClient queue) {
        Set<String> ids = new LinkedHashSet<>();
        for (String body : HandlerScript.bodies()) {
            ids.add(queue.sendMessage(body).getMessageId());
        }
        return ids;
    }

    private static int count(QueueClient queue) {
        return Math.toIntExact(queue.getProperties().getApproximateMessagesCountLong());
    }

    /** Until the queue is empty, or the time is over. */
    private void consume(QueueClient queue, List<QueueDoor> doors) throws Exception {
        HandlerScript script = new HandlerScript(seed);
        long end = System.nanoTime() + atMost.toNanos();
        List<AutoCloseable> workers = new ArrayList<>();
        try {
            for (int i = 0; i < CONSUMERS; i++) {
                workers.add(worker(i, doors.get(i).connectionString(), script));
            }
            while (count(queue) > 0 && System.nanoTime() < end) {
                Thread.sleep(LOOK.toMillis());
            }
        } finally {
            for (AutoCloseable worker : workers) {
                worker.close();
            }
        }
    }

    private AutoCloseable worker(int number, String connectionString, HandlerScript script) {
        return switch (client) {
            case STOWLINE -> new StowlineWorker(number, connectionString, name, script, book);
            case SDK -> new SdkWorker(number, connectionString, name, http, script, book);
        };
    }
}
