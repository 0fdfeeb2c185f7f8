package io.stowline.benchmarks.side;

import io.stowline.Stowline;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Orders;
import io.stowline.benchmarks.side.work.Pump;
import io.stowline.benchmarks.side.work.Reading;
import io.stowline.benchmarks.side.work.Readings;
import io.stowline.benchmarks.side.work.Task;
import io.stowline.outcome.ItemResult;
import io.stowline.outcome.WriteResult;
import io.stowline.table.ReactiveTable;
import io.stowline.table.ReactiveTableWriter;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.Submission;
import io.stowline.table.Table;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import reactor.core.publisher.Flux;

/** The ways to write many readings with Stowline: explicit transactions, and the writer in blocking and in reactive use. */
final class StowlineReadings {

    private static final int BATCH = 100;

    /** The results that are taken later, and the Monos in flight. */
    private static final int PENDING = 4_000;

    private final Table<Reading> table;
    private final TableWriter<Reading> writer;
    private final ReactiveTableWriter<Reading> reactive;
    private long written;

    StowlineReadings(Stowline storage) {
        this.table = storage.table(Account.WRITTEN, Reading.class);
        this.writer = table.writer();
        this.reactive = table.reactive().writer();
    }

    /** Groups by hand, as the peer does. */
    Task transactions(int inFlight) {
        ReactiveTable<Reading> transacted = table.reactive();
        return new Pump(inFlight, BATCH, n -> transaction(transacted, n).commit());
    }

    private static ReactiveTransaction<Reading> transaction(ReactiveTable<Reading> table, long n) {
        String station = Orders.partition(n);
        ReactiveTransaction<Reading> transaction = table.transaction(station);
        for (int i = 0; i < BATCH; i++) {
            transaction.insertOrReplace(Readings.reading(station, n * BATCH + i));
        }
        return transaction;
    }

    /** Hands over upserts on one thread, which takes each result after many more. */
    Task submissions() {
        return nanos -> {
            Deque<Submission<WriteResult>> untaken = new ArrayDeque<>(PENDING);
            long from = written;
            long end = System.nanoTime() + nanos;
            do {
                for (int i = 0; i < BATCH; i++) {
                    untaken.add(writer.insertOrReplace(next()));
                    if (untaken.size() == PENDING) {
                        untaken.remove().await();
                    }
                }
            } while (System.nanoTime() < end);
            for (Submission<WriteResult> one : untaken) {
                one.await();
            }
            return Task.Done.of(written - from);
        };
    }

    /** Begins the next upsert when one ends. */
    Task monos() {
        return new Pump(PENDING, 1, n -> reactive.insertOrReplace(Readings.reading(Orders.partition(n), n)));
    }

    /** Writes one stream of upserts, of which the writer takes as many as it has room for. */
    Task stream() {
        return nanos -> {
            long end = System.nanoTime() + nanos;
            long from = written;
            Flux<TableOperation<Reading, Void>> upserts = Flux.generate(sink -> {
                if (written > from && System.nanoTime() >= end) {
                    sink.complete();
                } else {
                    sink.next(TableOperation.insertOrReplace(next()));
                }
            });
            Long count = reactive.write(upserts)
                    .doOnNext(StowlineReadings::check)
                    .count()
                    .block();
            return Task.Done.of(count == null ? 0 : count);
        };
    }

    private static void check(ItemResult<Void, WriteResult> result) {
        if (!result.succeeded()) {
            throw new IllegalStateException("an upsert failed", result.error());
        }
    }

    private Reading next() {
        long n = written++;
        return Readings.reading(Orders.partition(n), n);
    }
}
