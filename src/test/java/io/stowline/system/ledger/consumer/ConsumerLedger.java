package io.stowline.system.ledger.consumer;

import com.azure.core.http.HttpClient;
import com.azure.core.http.netty.NettyAsyncHttpClientBuilder;
import com.azure.storage.queue.QueueMessageEncoding;
import com.azure.storage.queue.QueueServiceClient;
import com.azure.storage.queue.QueueServiceClientBuilder;
import io.stowline.system.ledger.subject.Client;
import io.stowline.testkit.Azurite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs seeds against its own emulator, several at a time: most of their time is waiting. Close it. */
public final class ConsumerLedger implements AutoCloseable {

    private static final int AT_A_TIME = 3;

    private final Azurite azurite = Azurite.start();
    private final HttpClient http = new NettyAsyncHttpClientBuilder().build();
    private final QueueServiceClient service = new QueueServiceClientBuilder()
            .connectionString(azurite.connectionString())
            .messageEncoding(QueueMessageEncoding.BASE64)
            .httpClient(http)
            .buildClient();
    private final ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
    private final Duration atMost;

    /**
     * Starts the emulator.
     *
     * @param atMost how long the last consumers of a seed have for its messages; those of a lost receive, of a lost renewal and of a killed
     *     process come again after 10 s
     */
    public ConsumerLedger(Duration atMost) {
        this.atMost = atMost;
    }

    /**
     * Runs seeds.
     *
     * @param client with which client
     * @param from the first seed
     * @param count how many
     * @param each notified of each seed as soon as it is done, one at a time
     * @return what came of each, in order
     * @throws InterruptedException if the thread was interrupted
     */
    public List<ConsumerPage> run(Client client, long from, int count, Consumer<ConsumerPage> each)
            throws InterruptedException {
        List<Future<ConsumerPage>> pages = new ArrayList<>();
        for (long seed = from; seed < from + count; seed++) {
            ConsumerSeed next = new ConsumerSeed(client, seed, azurite, service, http, atMost);
            pages.add(threads.submit(next::run));
        }
        List<ConsumerPage> done = new ArrayList<>();
        for (Future<ConsumerPage> page : pages) {
            try {
                done.add(page.get());
            } catch (ExecutionException e) {
                throw new IllegalStateException("the ledger could not be kept", e.getCause());
            }
            each.accept(done.get(done.size() - 1));
        }
        return done;
    }

    /** Stops the emulator. */
    @Override
    public void close() {
        threads.shutdownNow();
        azurite.close();
    }
}
