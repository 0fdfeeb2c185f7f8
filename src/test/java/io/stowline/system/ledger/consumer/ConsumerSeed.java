package io.stowline.system.ledger.consumer;

import com.azure.core.http.HttpClient;
import com.azure.storage.queue.QueueClient;
import com.azure.storage.queue.QueueServiceClient;
import io.stowline.system.ledger.subject.Client;
import io.stowline.testkit.Azurite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One seed, run once with consumers of one client. */
final class ConsumerSeed {

    static final int HANDLERS = 32;
    static final Duration MAX_PAUSE = Duration.ofSeconds(1);
    static final Duration STOP = Duration.ofSeconds(15);
    private static final int PLACES = 2;

    /** Each consumer comes with new messages, so that each has some in hand when it ends. */
    private static final int PART = HandlerScript.MESSAGES / (PLACES * (ConsumerSlot.ENDS + 1));

    private static final Duration BETWEEN_COUNTS = Duration.ofMillis(200);

    private final Client client;
    private final long seed;
    private final Azurite azurite;
    private final HttpClient http;
    private final Duration atMost;
    private final QueueClient messages;
    private final QueueClient poison;
    private final ReportBook book = new ReportBook();
    private final Iterator<String> bodies = HandlerScript.bodies().iterator();
    private final Set<String> sent = new LinkedHashSet<>();

    /** The client and its seed; {@code service} and {@code http} meet no faults. */
    ConsumerSeed(
            Client client, long seed, Azurite azurite, QueueServiceClient service, HttpClient http, Duration atMost) {
        this.client = client;
        this.seed = seed;
        this.azurite = azurite;
        this.http = http;
        this.atMost = atMost;
        String name =
                "consumers" + UUID.randomUUID().toString().replace("-", "").substring(0, 20);
        this.messages = service.getQueueClient(name);
        this.poison = service.getQueueClient(poison(name));
    }

    static String poison(String queue) {
        return queue + "-poison";
    }

    Client client() {
        return client;
    }

    long seed() {
        return seed;
    }

    String queue() {
        return messages.getQueueName();
    }

    ConsumerPage run() throws Exception {
        messages.create();
        poison.create();
        List<ConsumerSlot> places = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            places.add(new ConsumerSlot(i, this, azurite, http, book));
        }
        try {
            consume(places);
            Map<String, Integer> ends = new TreeMap<>();
            places.forEach(place -> place.ends().forEach((event, count) -> ends.merge(event, count, Integer::sum)));
            ConsumerVerdict verdict = new ConsumerVerdict(QueueDoor.log(doors(places), book), book);
            return verdict.page(seed, ends, sent, new ConsumerVerdict.Remains(count(messages), count(poison)));
        } finally {
            doors(places).forEach(QueueDoor::close);
            messages.delete();
            poison.delete();
        }
    }

    private static List<QueueDoor> doors(List<ConsumerSlot> places) {
        return places.stream().flatMap(place -> place.doors().stream()).toList();
    }

    /** Sends the messages that come with one consumer. */
    void sendPart() {
        send(PART);
    }

    private synchronized void send(int count) {
        for (int i = 0; i < count && bodies.hasNext(); i++) {
            sent.add(messages.sendMessage(bodies.next()).getMessageId());
        }
    }

    private static int count(QueueClient queue) {
        return Math.toIntExact(queue.getProperties().getApproximateMessagesCountLong());
    }

    /** Runs until all places have their last consumer, and then until the queue is empty, or the time is over. */
    private void consume(List<ConsumerSlot> places) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(PLACES);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (ConsumerSlot place : places) {
                running.add(threads.submit(() -> {
                    place.run();
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
            send(HandlerScript.MESSAGES);
            long end = System.nanoTime() + atMost.toNanos();
            while (count(messages) > 0 && System.nanoTime() < end) {
                Thread.sleep(BETWEEN_COUNTS.toMillis());
            }
        } finally {
            threads.shutdownNow();
            for (ConsumerSlot place : places) {
                place.end();
            }
        }
    }
}
