package io.stowline.system;

import io.stowline.Stowline;
import io.stowline.journal.Journal;
import io.stowline.retry.Backoff;
import io.stowline.table.Entity;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterJournal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import reactor.core.publisher.Flux;

/**
 * A separate process that writes through a journal until it is killed, and says on its standard output what was accepted.
 *
 * <pre>
 * R done recovered failed unknown left   what became of what the process before had accepted
 * I n      the insert of row n           C n      the counter was set to n, on the version that was read
 * F n      the insert of flip n          D n      its deletion
 * </pre>
 */
final class JournalWorker {

    static final String ROWS = "rows";
    static final String COUNTER = "counter";
    static final String FLIP = "flip";

    private static final int PARTITIONS = 6;
    private static final int BUFFER = 200;

    private final TableWriter<Entity> writer;
    private final Table<Entity> table;
    private final AtomicLong next;

    private JournalWorker(Table<Entity> table, TableWriter<Entity> writer, long first) {
        this.table = table;
        this.writer = writer;
        this.next = new AtomicLong(first);
    }

    /**
     * Works until it is killed, or only until the replay is over.
     *
     * @param args the connection string, the table, the journal's folder, and the first number or {@code finish}
     */
    public static void main(String[] args) throws Exception {
        try (Stowline storage = Stowline.connect(args[0])) {
            // The test starts a process when no attempt of the one before is on its way.
            Table<Entity> table = storage.table(args[1], Entity.class)
                    .withRetry(retry -> retry.backoff(Backoff.fixed(Duration.ofMillis(10)))
                            .serverTimeout(Duration.ofSeconds(1))
                            .grace(Duration.ofMillis(200))
                            .attemptTimeout(Duration.ofSeconds(30)));
            try (Journal journal = Journal.open(Path.of(args[2]));
                    TableWriter<Entity> writer = table.writer(WriterJournal.of(journal), w -> w.bufferItems(BUFFER))) {
                var report = writer.awaitReplay();
                say("R " + report.done() + " " + report.recovered() + " " + report.failed() + " " + report.unknown()
                        + " " + report.left());
                if (!args[3].equals("finish")) {
                    new JournalWorker(table, writer, Long.parseLong(args[3])).work();
                }
            }
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        if (System.out.checkError()) { // who started it is gone
            Runtime.getRuntime().halt(1);
        }
    }

    static Entity row(long number) {
        return Entity.builder(ROWS + number % PARTITIONS, "row" + number)
                .set("Text", "row" + number + "!")
                .build();
    }

    private void work() throws Exception {
        Thread rows = new Thread(this::rows);
        Thread flips = new Thread(this::flips);
        Thread stream = new Thread(this::stream);
        rows.start();
        flips.start();
        stream.start();
        count();
    }

    private void rows() {
        while (true) {
            long number = next.incrementAndGet();
            writer.insert(row(number));
            say("I " + number);
        }
    }

    private void stream() {
        Flux<TableOperation<Entity, Long>> rows = Flux.generate(sink -> {
            long number = next.incrementAndGet();
            sink.next(TableOperation.insert(row(number)).with(number));
        });
        writer.reactive()
                .write(rows)
                .doOnNext(end -> {
                    end.get();
                    say("I " + end.item());
                })
                .blockLast();
    }

    /** One entity comes and goes, and no caller waits for the results. */
    private void flips() {
        writer.delete(FLIP, FLIP);
        while (true) {
            long number = next.incrementAndGet();
            writer.insert(Entity.builder(FLIP, FLIP)
                    .set("Text", "flip" + number + "!")
                    .build());
            say("F " + number);
            writer.delete(FLIP, FLIP);
            say("D " + number);
        }
    }

    private void count() throws Exception {
        while (true) {
            StoredEntity<Entity> read = table.find(COUNTER, COUNTER).orElseThrow();
            long value = read.value().get("Value", Long.class) + 1;
            var update = writer.replace(read.with(
                    Entity.builder(COUNTER, COUNTER).set("Value", value).build()));
            say("C " + value);
            update.await();
        }
    }
}
