package io.stowline.system.ledger.consumer;

import com.azure.core.http.HttpClient;
import io.stowline.system.ledger.script.ClosingPoint;
import io.stowline.system.ledger.subject.ChildProcess;
import io.stowline.system.ledger.subject.Client;
import io.stowline.testkit.Azurite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The consumers of one of several places in a seed, one after the other. Each but the last one ends at a {@link ClosingPoint}: its client is
 * closed there, or its process is killed. Each has a door to itself.
 */
final class ConsumerSlot {

    /** The number of consumers that end early. */
    static final int ENDS = 2;

    private static final Duration GUARD = Duration.ofMinutes(3);

    /** The time that a client that ends early gives its handlers: twice of what its consumers have. */
    private static final List<Duration> SHORT_CLOSES =
            List.of(Duration.ofMillis(1), Duration.ofMillis(250), Duration.ofSeconds(2));

    private static final Duration LONG_CLOSE = ConsumerSeed.STOP.multipliedBy(2);

    /** One of this many requests triggers the end. */
    private static final int REQUESTS = 12;

    /** The last two are about the time of the first renewals, and of the ends of slow handlers. */
    private static final List<Duration> PAUSES = List.of(
            Duration.ZERO,
            Duration.ofMillis(1),
            Duration.ofMillis(10),
            Duration.ofMillis(50),
            Duration.ofMillis(200),
            Duration.ofMillis(700),
            HandlerScript.LEASE.dividedBy(2).plusMillis(5),
            HandlerScript.LEASE.dividedBy(2).plusMillis(700));

    private final int place;
    private final ConsumerSeed seed;
    private final Azurite azurite;
    private final HttpClient http;
    private final ReportBook book;
    private final Random random;
    private final List<QueueDoor> doors = new ArrayList<>();
    private final Map<String, Integer> ends = new TreeMap<>();
    private @Nullable AutoCloseable last;

    /**
     * A place without a consumer yet.
     *
     * @param place its number in the seed
     * @param http for the SDK's clients, without faults
     */
    ConsumerSlot(int place, ConsumerSeed seed, Azurite azurite, HttpClient http, ReportBook book) {
        this.place = place;
        this.seed = seed;
        this.azurite = azurite;
        this.http = http;
        this.book = book;
        this.random = new Random(seed.seed() * 7_919L + place);
    }

    /** Lets all consumers but the last one come and go, and starts that. */
    void run() throws Exception {
        for (int i = 0; i < ENDS; i++) {
            ClosingPoint point = new ClosingPoint();
            point.choose(random, REQUESTS, PAUSES);
            Duration closeTimeout = SHORT_CLOSES.get(random.nextInt(SHORT_CLOSES.size()));
            QueueDoor door = open(point);
            if (random.nextBoolean()) {
                killAt(point, door);
            } else {
                closeAt(point, door, closeTimeout);
            }
            point.ends().forEach((event, count) -> ends.merge(event, count, Integer::sum));
        }
        QueueDoor door = open(new ClosingPoint());
        keep(launch(door).start(http, LONG_CLOSE, book));
        welcome(door);
    }

    private synchronized void keep(AutoCloseable consumer) {
        last = consumer;
    }

    private synchronized QueueDoor open(ClosingPoint point) {
        int consumer = place * (ENDS + 1) + doors.size();
        long faults = seed.seed() * 100 + consumer;
        QueueDoor door = new QueueDoor(consumer, azurite, seed.queue(), new QueueFaults(seed.queue(), faults, point));
        doors.add(door);
        return door;
    }

    private ConsumerLaunch launch(QueueDoor door) {
        return new ConsumerLaunch(seed.client(), door.consumer(), door.connectionString(), seed.queue(), seed.seed());
    }

    /** Sends the new consumer its messages, beside those that others have left. */
    private void welcome(QueueDoor door) throws InterruptedException {
        door.awaitRequest(GUARD);
        seed.sendPart();
    }

    private void closeAt(ClosingPoint point, QueueDoor door, Duration closeTimeout) throws Exception {
        AutoCloseable consumer = launch(door).start(http, closeTimeout, book);
        CompletableFuture<Void> closed = new CompletableFuture<>();
        point.begin(seed.client() == Client.SDK ? "loop ended" : "client closed", () -> {
            try {
                consumer.close();
                closed.complete(null);
            } catch (Exception e) {
                closed.completeExceptionally(e);
            }
        });
        welcome(door);
        closed.get(GUARD.toSeconds(), TimeUnit.SECONDS);
    }

    /** Writes to a file, as a kill closes the pipe with its unread bytes. */
    private void killAt(ClosingPoint point, QueueDoor door) throws IOException, InterruptedException {
        Path output = Files.createTempFile("ledger-consumer", ".txt");
        Process process = ChildProcess.of(ConsumerProcess.class, launch(door).arguments())
                .redirectOutput(output.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            point.begin("process killed", process::destroyForcibly);
            welcome(door);
            if (!process.waitFor(GUARD.toSeconds(), TimeUnit.SECONDS)
                    || point.ends().isEmpty()) {
                throw new IllegalStateException("consumer " + door.consumer() + " was not killed, " + process);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        // The kill may have cut a character, too, which is no reason to read nothing.
        new String(Files.readAllBytes(output), StandardCharsets.UTF_8)
                .lines()
                .forEach(line -> ConsumerProcess.read(line, book));
        book.killed(door.consumer());
        Files.delete(output);
    }

    /** Returns all doors, also of consumers that have ended. */
    synchronized List<QueueDoor> doors() {
        return List.copyOf(doors);
    }

    /** Returns how many consumers were ended, by the way of it. */
    Map<String, Integer> ends() {
        return ends;
    }

    /** Ends the last consumer; its door stays open. */
    synchronized void end() throws Exception {
        if (last != null) {
            last.close();
        }
    }
}
