package io.stowline.examples.activities;

import io.stowline.Stowline;
import io.stowline.examples.shared.ProgramAccount;
import io.stowline.examples.shared.Ticker;
import io.stowline.journal.Journal;
import io.stowline.observe.OperationInfo;
import io.stowline.observe.OperationListener;
import io.stowline.observe.RequestEnd;
import io.stowline.observe.StowlineListener;
import io.stowline.records.RecordBlobs;
import io.stowline.records.RecordFormat;
import io.stowline.records.RecordWriter;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import reactor.util.context.ContextView;

/**
 * A process that produces activities and writes them through a journal. It may kill itself on the way, with what it has accepted on the disk and
 * a request in flight. It prints its {@link ProducerEvent events}.
 */
public final class ActivityProducer {

    static final String PREFIX = "activities/";

    /** Small chunks and short intervals, so that a run of seconds shows several of them. */
    private static final int CHUNK = 1 << 20;

    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final Duration TICK = Duration.ofMillis(50);

    private final LongAdder requests = new LongAdder();
    private final AtomicLong accepted = new AtomicLong();
    private final Order order;
    private final PrintStream events;

    /**
     * The task of a producer.
     *
     * @param container the container
     * @param journal the folder of the journal
     * @param first the number of its first activity
     * @param end the number behind its last activity
     * @param halts whether it kills itself instead of closing
     */
    record Order(String container, Path journal, long first, long end, boolean halts) {

        static Order parse(List<String> arguments) {
            return new Order(
                    arguments.get(0),
                    Path.of(arguments.get(1)),
                    Long.parseLong(arguments.get(2)),
                    Long.parseLong(arguments.get(3)),
                    Boolean.parseBoolean(arguments.get(4)));
        }

        List<String> arguments() {
            return List.of(
                    container, journal.toString(), String.valueOf(first), String.valueOf(end), String.valueOf(halts));
        }
    }

    /** Counts each attempt of a request, as the service's bill does. */
    private final class RequestCount implements StowlineListener {

        @Override
        public OperationListener onOperationStart(OperationInfo operation, ContextView context) {
            return new OperationListener() {
                @Override
                public void onRequestEnd(RequestEnd request) {
                    requests.add(request.attempts().size());
                }
            };
        }
    }

    private ActivityProducer(Order order, PrintStream events) {
        this.order = order;
        this.events = events;
    }

    /**
     * Produces the activities of an order.
     *
     * @param arguments the order; the account is in the environment
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] arguments) throws InterruptedException {
        new ActivityProducer(Order.parse(List.of(arguments)), System.out).run(System.getenv(ProgramAccount.VARIABLE));
    }

    /** Returns the format of the activities, for those who read them too. */
    static RecordFormat<Activity> format() {
        return RecordFormat.json(Activity.class).gzip();
    }

    private void run(String connectionString) throws InterruptedException {
        try (Stowline storage = Stowline.builder()
                        .connectionString(connectionString)
                        .listener(new RequestCount())
                        .build();
                Journal journal = Journal.open(order.journal());
                RecordWriter<Activity> writer = RecordBlobs.in(storage.container(order.container()), PREFIX)
                        .writer(format(), w -> w.journal(journal).upTo(CHUNK).every(INTERVAL))) {
            Ticker.during(() -> produce(writer), TICK, () -> print(writer));
            writer.flush();
            print(writer);
        }
    }

    private void produce(RecordWriter<Activity> writer) {
        for (long number = order.first(); number < order.end(); number++) {
            writer.write(Activity.of(number, Instant.now()));
            accepted.incrementAndGet();
        }
        if (order.halts()) {
            print(writer);
            Runtime.getRuntime().halt(ProducerEvent.HALTED);
        }
    }

    private void print(RecordWriter<Activity> writer) {
        RecordWriter.RecordProgress progress = writer.progress();
        events.println(new ProducerEvent(accepted.get(), progress.buffered(), progress.blobs(), requests.sum()).line());
    }
}
