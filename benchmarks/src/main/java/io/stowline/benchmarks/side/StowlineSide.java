package io.stowline.benchmarks.side;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.stowline.Stowline;
import io.stowline.advisor.Advisor;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.BlobSizes;
import io.stowline.benchmarks.side.work.Blobs;
import io.stowline.benchmarks.side.work.Latencies;
import io.stowline.benchmarks.side.work.MessageFlow;
import io.stowline.benchmarks.side.work.Order;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Repetition;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.benchmarks.side.work.TransferFiles;
import io.stowline.blob.ReactiveBlobContainer;
import io.stowline.blob.UploadSettings;
import io.stowline.observe.MicrometerListener;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReactiveMessageQueue;
import io.stowline.table.ReactiveTable;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * The workloads as an application writes them with Stowline: retry, outcome rules, marks, quota and adaptive gate as they are by
 * default, and the gate's bound moved to the number of requests that the peer has in flight.
 */
final class StowlineSide implements AutoCloseable {

    private static final int THREADS = 2;
    /** The results that a thread leaves for later. */
    private static final int UNTAKEN = 2_000;

    private final Stowline storage;
    private final Table<Order> table;
    private final Table<Order> read;
    private final TableWriter<Order> writer;
    private final ReactiveMessageQueue<String> queue;
    private final ReactiveBlobContainer photos;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    private long written;

    StowlineSide(Account account, int inFlight) {
        this(account.stowline(inFlight).build());
    }

    private StowlineSide(Stowline storage) {
        this.storage = storage;
        this.table = storage.table(Account.WRITTEN, Order.class);
        this.read = storage.table(Account.READ, Order.class);
        this.writer = table.writer();
        this.queue = storage.queue(Account.QUEUE).reactive();
        this.photos = storage.container(Blobs.CONTAINER).reactive();
    }

    /** Makes a side with a listener that keeps meters. */
    static StowlineSide metered(Account account, int inFlight) {
        return new StowlineSide(account.stowline(inFlight).listener(listener()).build());
    }

    /** Makes a side with an advisor that listens, or is closed. */
    static StowlineSide advised(Account account, int inFlight, Advisor advisor) {
        return new StowlineSide(
                account.stowline(inFlight).listener(advisor.listener()).build());
    }

    private static MicrometerListener listener() {
        MeterRegistry meters = new SimpleMeterRegistry();
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
        return MicrometerListener.of(observations, meters);
    }

    /** Makes both tables, and so many rows of the one that is read. */
    void prepare(int rows) {
        table.createIfMissing();
        read.createIfMissing();
        try (TableWriter<Order> filling = read.writer()) {
            for (int n = 0; n < rows; n++) {
                filling.insertOrReplace(Orders.order(n));
            }
        }
    }

    Task pointReads(int inFlight, int rows) {
        ReactiveTable<Order> reactive = read.reactive();
        return new Pump(inFlight, 1, n -> reactive.find(Orders.partition(n % rows), Orders.row(n % rows)));
    }

    Task upserts(int inFlight) {
        ReactiveTable<Order> reactive = table.reactive();
        return new Pump(inFlight, 1, n -> reactive.insertOrReplace(Orders.order(n)));
    }

    StowlineReadings readings() {
        return new StowlineReadings(storage);
    }

    /** Hands over entity after entity on one thread, each of another partition than the one before. */
    Task ingest() {
        return nanos -> {
            long from = written;
            long end = System.nanoTime() + nanos;
            do {
                for (int i = 0; i < Orders.PARTITIONS; i++) {
                    writer.insertOrReplace(Orders.order(written++));
                }
            } while (System.nanoTime() < end);
            if (writer.flush().failed() > 0) {
                throw new IllegalStateException("upserts failed");
            }
            return Task.Done.of(written - from);
        };
    }

    /** Hands over upserts on two threads, which take each result after many more. */
    Task singles() {
        return nanos -> {
            long end = System.nanoTime() + nanos;
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                long first = i * 1_000_000_000L;
                counts.add(threads.submit(() -> handOver(first, end)));
            }
            long sum = 0;
            for (Future<Long> count : counts) {
                sum += count.get();
            }
            return Task.Done.of(sum);
        };
    }

    private long handOver(long first, long end) throws InterruptedException {
        Deque<Submission<WriteResult>> untaken = new ArrayDeque<>(UNTAKEN);
        long n = 0;
        do {
            untaken.add(writer.insertOrReplace(Orders.order(first + n++)));
            if (untaken.size() == UNTAKEN) {
                untaken.remove().await();
            }
        } while (System.nanoTime() < end);
        for (Submission<WriteResult> one : untaken) {
            one.await();
        }
        return n;
    }

    Task scan() {
        return new Repetition(() -> {
            try (Stream<Order> orders = read.query().stream()) {
                return orders.mapToLong(Order::quantity)
                        .filter(quantity -> quantity > 0)
                        .count();
            }
        });
    }

    Task projected() {
        return new Repetition(() -> {
            try (Stream<Order.Brief> orders = read.query().as(Order.Brief.class).stream()) {
                return orders.mapToLong(Order.Brief::quantity)
                        .filter(quantity -> quantity > 0)
                        .count();
            }
        });
    }

    Task gets(int inFlight) {
        return new Pump(inFlight, 1, n -> photos.download(Blobs.name(n)));
    }

    Task puts(int inFlight) {
        return new Pump(
                inFlight, 1, n -> photos.upload(Blobs.CONTENT, Blobs.name(n), UploadSettings.Builder::overwrite));
    }

    StowlineTables tables(TransferFiles files) {
        return new StowlineTables(storage.tables(), files);
    }

    StowlineTransfers transfers(BlobSizes sizes, TransferFiles files) {
        return new StowlineTransfers(storage.container(Blobs.CONTAINER), sizes, files);
    }

    Task sends(int inFlight) {
        return new Pump(inFlight, 1, n -> queue.send(Orders.message(n)));
    }

    Task receives() {
        return new Pump(1, Orders.RECEIVED, n -> queue.receive(Orders.RECEIVED)
                .flatMapIterable(messages -> messages)
                .flatMap(queue::delete, Orders.RECEIVED));
    }

    Task consumption(Callable<Long> requests) {
        MessageQueue<String> jobs = storage.queue(Account.CONSUMED);
        ReactiveMessageQueue<String> sender = jobs.reactive();
        return new MessageFlow(
                n -> sender.send(Orders.message(n)),
                handler -> jobs.consume(message -> handler.handle(message.body()))
                        .concurrency(MessageFlow.HANDLERS)
                        .start(),
                requests);
    }

    Task readsOneByOne(int rows) {
        return Latencies.each(n -> read.find(Orders.partition(n % rows), Orders.row(n % rows)));
    }

    Task throughIdleWriter() {
        return Latencies.each(n -> writer.insertOrReplace(Orders.order(n)).await());
    }

    Task direct() {
        return Latencies.each(n -> table.insertOrReplace(Orders.order(n)));
    }

    @Override
    public void close() {
        threads.shutdown();
        writer.close();
        storage.close();
    }
}
