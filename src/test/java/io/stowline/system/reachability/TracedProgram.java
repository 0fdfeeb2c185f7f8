package io.stowline.system.reachability;

import io.stowline.Stowline;
import io.stowline.advisor.Advisor;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobInfo;
import io.stowline.caching.Freshness;
import io.stowline.journal.Journal;
import io.stowline.projection.Nested;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.MessageQueue;
import io.stowline.system.MemoryServer;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import io.stowline.testkit.memory.MemoryStorage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** A program with the main jobs of the library: tables, queues, blobs, the cache, the journal and the advisor. */
public final class TracedProgram {

    record Address(String city, int zone) {}

    record Customer(
            @PartitionKey String shop,
            @RowKey String id,
            int visits,
            @Nested Address address) {}

    /** A body of messages. */
    record Parcel(String id, Address to) {}

    private TracedProgram() {}

    /**
     * Runs it.
     *
     * @param arguments a folder for its files
     */
    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[0]);
        MemoryStorage memory = MemoryStorage.create();
        try (Stowline storage = Stowline.builder()
                        .connectionString(memory.connectionString())
                        .httpClient(memory.httpClient())
                        .build();
                Journal journal = Journal.open(folder.resolve("journal"))) {
            tables(storage, journal);
            queues(storage);
        }
        try (MemoryServer server = new MemoryServer(memory);
                Stowline storage = Stowline.builder()
                        .connectionString(server.connectionString(server.endpoint()))
                        .cache(cache -> cache.memory(1 << 20).disk(folder.resolve("cache"), 1 << 20))
                        .build()) {
            blobs(storage, folder);
        }
        Files.writeString(
                folder.resolve("advice.html"), Advisor.create().report().html());
    }

    private static void tables(Stowline storage, Journal journal) {
        Table<Customer> customers = storage.table("customers", Customer.class);
        customers.createIfMissing();
        try (TableWriter<Customer> writer = customers.writer(WriterJournal.of(journal), settings -> settings)) {
            for (int i = 0; i < 20; i++) {
                writer.insertOrReplace(new Customer("a", "" + i, i, new Address("Kiel", i)));
            }
        }
        System.out.println(customers.find("a", "3").orElseThrow());
        System.out.println(customers
                .cached(Freshness.fresh(Duration.ofMinutes(1)))
                .find("a", "3")
                .get());
        System.out.println(customers.query().partition("a").list());
    }

    private static void queues(Stowline storage) {
        MessageQueue<Parcel> parcels = storage.queue("parcels", Parcel.class);
        parcels.createIfMissing();
        parcels.send(new Parcel("1", new Address("Kiel", 24)));
        parcels.receive(1).forEach(parcels::delete);
    }

    private static void blobs(Stowline storage, Path folder) throws Exception {
        BlobContainer files = storage.container("files");
        files.createIfMissing();
        Path file = Files.write(folder.resolve("file"), new byte[100_000]);
        files.upload(file, "file");
        files.downloadTo("file", folder.resolve("copy"));
        files.cached(Freshness.revalidated()).downloadTo("file", folder.resolve("cached"));
        try (Stream<BlobInfo> blobs = files.stream("f")) {
            blobs.forEach(blob -> files.info(blob.name()));
        }
    }
}
