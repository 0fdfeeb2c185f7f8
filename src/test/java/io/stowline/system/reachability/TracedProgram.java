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
import io.stowline.queue.QueueConsumer;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordStream;
import io.stowline.records.RecordWriter;
import io.stowline.system.MemoryServer;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import io.stowline.testkit.memory.MemoryStorage;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program with the main jobs of the library: tables, queues, blobs, records, the cache, the journal and the advisor. */
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
        Advisor advisor = Advisor.create();
        try (Stowline storage = Stowline.builder()
                        .connectionString(memory.connectionString())
                        .httpClient(memory.httpClient())
                        .listener(advisor.listener())
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
        beginTls();
        Files.writeString(folder.resolve("advice.html"), advisor.report().html());
    }

    /** The server ends the connection, but the client gets so far that it has loaded all that it needs for a handshake. */
    private static void beginTls() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Stowline storage = Stowline.builder()
                        .connectionString("AccountName=tls;AccountKey=dGxz;BlobEndpoint=https://127.0.0.1:"
                                + server.getLocalPort() + "/tls")
                        .retry(settings -> settings.retries(0))
                        .build()) {
            CompletableFuture<Boolean> exists =
                    storage.container("files").reactive().exists().toFuture();
            server.accept().close();
            exists.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            System.out.println(e.getMessage());
        }
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

    private static void queues(Stowline storage) throws Exception {
        MessageQueue<Parcel> parcels = storage.queue("parcels", Parcel.class);
        parcels.createIfMissing();
        parcels.send(new Parcel("1", new Address("Kiel", 24)));
        parcels.receive(1).forEach(parcels::delete);
        CompletableFuture<Parcel> handled = new CompletableFuture<>();
        try (QueueConsumer consumer =
                parcels.consume(message -> handled.complete(message.body())).start()) {
            parcels.send(new Parcel("2", new Address("Kiel", 24)));
            System.out.println(handled.get(1, TimeUnit.MINUTES) + " " + consumer.stats());
        }
    }

    private static void blobs(Stowline storage, Path folder) throws Exception {
        BlobContainer files = storage.container("files");
        files.createIfMissing();
        Path file = Files.write(folder.resolve("file"), new byte[100_000]);
        files.upload(file, "file");
        files.downloadTo("file", folder.resolve("copy"));
        files.cached(Freshness.revalidated()).downloadTo("file", folder.resolve("cached"));
        records(files, folder);
        try (Stream<BlobInfo> blobs = files.stream("f")) {
            blobs.forEach(blob -> files.info(blob.name()));
        }
    }

    private static void records(BlobContainer files, Path folder) {
        RecordBlobs records = RecordBlobs.in(files, "records/");
        RecordFormat<Parcel> format = RecordFormat.json(Parcel.class).gzip();
        Instant begin = Instant.now();
        try (Journal journal = Journal.open(folder.resolve("records"));
                RecordWriter<Parcel> writer = records.writer(format, settings -> settings.journal(journal))) {
            writer.write(new Parcel("3", new Address("Kiel", 24)));
        }
        try (RecordStream<Parcel> read = records.read(format, begin.minusSeconds(3600), begin.plusSeconds(3600))) {
            read.forEach(System.out::println);
        }
    }
}
