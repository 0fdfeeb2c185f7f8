package io.stowline.table.simulation;

import io.stowline.error.ClosedException;
import io.stowline.error.NotFoundException;
import io.stowline.outcome.WriteResult;
import io.stowline.projection.Mapping;
import io.stowline.retry.internal.gate.Gate;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.ScanPolicy;
import io.stowline.table.Table;
import io.stowline.table.TableWriter;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.client.DefaultTable;
import io.stowline.table.internal.writer.TableService;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.client.ClientRuntime;
import io.stowline.transport.internal.client.ClientSettings;
import io.stowline.transport.internal.http.SimulatedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Everything that one seed plays: producers, writers and transactions over one client, a network and a service, in virtual time and one
 * thread. Nothing but the seed decides what happens.
 */
final class Play {

    private static final Duration DAY = Duration.ofDays(1);
    private static final int WRITERS = 3;

    /** The time in which all ends once the faults have ended. */
    private static final Duration REST = Duration.ofMinutes(10);

    final SimulationScenario scenario;
    final Random random;
    final Trace trace;
    final Books books;
    final SimulatedService service;
    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final SimulatedStore store;
    private final TableService tables;
    private final Gate gate;
    private final Table<SimulatedItem> table;
    private final Table<SimulatedItem> sameTable;
    private final List<Writer> writers = new ArrayList<>();
    private final List<Writer> all = new ArrayList<>();
    private final Map<SimulatedKey, String> versions = new HashMap<>();
    private boolean mayBeBroken;
    private int producing;
    private int transactions;
    private int openTransactions;
    private int openStreams;
    private boolean closed;

    Play(long seed) {
        this(seed, SimulatedService.Mutation.NONE);
    }

    Play(long seed, SimulatedService.Mutation mutation) {
        this.scenario = SimulationScenario.of(new Random(seed));
        this.random = new Random(31 * seed + 1);
        this.trace = new Trace(time);
        this.store = new SimulatedStore(time, Bench.START);
        this.books = new Books(trace);
        this.service = new SimulatedService(
                time, trace, store, books, new SimulatedService.Setting(new Random(31 * seed + 2), scenario, mutation));
        Random jitter = new Random(31 * seed + 3);
        ClientSettings settings =
                scenario.throwing() ? scenario.client().with(new ThrowingListener()) : scenario.client();
        ClientRuntime runtime = SimulatedConnection.open(
                new SimulatedConnection.Machine(time, Bench.START, jitter, this::callback),
                settings,
                scenario.reporting(),
                service);
        this.tables = new TableService(Bench.account(), runtime, scenario.retry(), ScanPolicy.ALLOW);
        this.gate = runtime.to(Service.TABLE).gate();
        this.table = DefaultTable.of(tables, "notes", SimulatedItem.class, Mapping.standard())
                .withMarkers(scenario.markers());
        this.sameTable = DefaultTable.of(tables, "Notes", SimulatedItem.class, Mapping.standard())
                .withMarkers(scenario.markers());
        for (int i = 0; i < WRITERS; i++) {
            writers.add(open());
        }
    }

    /** Callbacks run at once, or some time later in another order. */
    private void callback(Runnable task) {
        if (scenario.lateCallbacks()) {
            Disposable unused = time.schedule(task, random.nextInt(20_000), TimeUnit.MICROSECONDS);
        } else {
            task.run();
        }
    }

    private Writer open() {
        WriterSettings.Builder settings = SimulationScenario.writer(random, WriterSettings.builder());
        TableWriter<SimulatedItem> face = table().writer(builder -> settings);
        Writer writer = new Writer(this, all.size() + 1, face, settings.build(), random.nextBoolean());
        all.add(writer);
        return writer;
    }

    /** One table under two names, which are the same to the service. */
    Table<SimulatedItem> table() {
        return random.nextInt(4) == 0 ? sameTable : table;
    }

    /** Plays it and checks everything. */
    Play run() {
        service.after(Duration.ZERO, this::produce);
        time.advanceTimeBy(DAY);
        trace.expect(producing == 0, "the producers hang");
        trace.expect(closed, "BATCH-9: the close of the engine hangs");
        check();
        return this;
    }

    private void produce() {
        if (SimulationScenario.tableGoes(random)) {
            service.after(service.millis(2_000), this::drop);
        }
        for (int i = 0; i < scenario.partitions() * scenario.rows() / 2; i++) {
            rival();
        }
        producing = scenario.producers();
        for (int i = 1; i <= scenario.producers(); i++) {
            new Producer(this, i, scenario.operations() / scenario.producers()).go();
        }
    }

    private void drop() {
        trace.note("the table is gone");
        mayBeBroken = true;
        store.drop();
        service.after(service.millis(1_000), store::create);
    }

    void stream(int opened) {
        openStreams += opened;
    }

    /** A producer has handed over everything. */
    void over() {
        producing--;
        if (producing == 0) {
            service.after(service.millis(2_000), this::finish);
        }
    }

    private void finish() {
        if (!scenario.calmEnd()) {
            close();
            return;
        }
        service.calm();
        writers.forEach(Writer::flush);
        service.after(REST, this::submitAgain);
    }

    /** Checks that a writer at rest reserves nothing, and takes the next operation at once. */
    private void submitAgain() {
        List<Writer> idle = writers.stream().filter(writer -> !writer.closing).toList();
        idle.forEach(Writer::checkIdle);
        trace.expect(gate.inUse() == 0, () -> "PERMIT-4: " + gate.inUse() + " permits in use at rest");
        trace.expect(gate.waiting() == 0, () -> "PERMIT-4: " + gate.waiting() + " wait for permits at rest");
        trace.expect(
                tables.lanes().laneCount() == 0,
                () -> "BATCH-6: " + tables.lanes().laneCount() + " lanes at rest");
        trace.expect(
                tables.lanes().reservedEntities() == 0,
                () -> "BATCH-4: " + tables.lanes().reservedEntities() + " entities reserved at rest");
        Producer again = new Producer(this, 0, 0);
        idle.forEach(again::probe);
        service.after(REST, () -> {
            writers.stream().filter(writer -> !writer.closing).forEach(Writer::checkIdle);
            close();
        });
    }

    private void close() {
        writers.forEach(Writer::close);
        Duration atMost = scenario.calmEnd() ? Duration.ofMinutes(20) : service.millis(20_000);
        Disposable unused = tables.close(atMost).subscribe(nothing -> {}, error -> closed = true, () -> closed = true);
    }

    private void check() {
        trace.expect(gate.inUse() == 0, () -> "PERMIT-4: " + gate.inUse() + " permits in use");
        trace.expect(gate.waiting() == 0, () -> "PERMIT-4: " + gate.waiting() + " wait for permits");
        trace.expect(
                tables.lanes().laneCount() == 0,
                () -> "BATCH-6: " + tables.lanes().laneCount() + " lanes left");
        trace.expect(tables.lanes().batchesInFlight() == 0, "BATCH-6: batches left in flight");
        trace.expect(
                tables.lanes().reservedEntities() == 0,
                () -> "BATCH-4: " + tables.lanes().reservedEntities() + " holds left");
        trace.expect(openTransactions == 0, () -> "BATCH-1: " + openTransactions + " transactions hang");
        trace.expect(openStreams == 0, () -> "BATCH-1: " + openStreams + " streams hang");
        all.forEach(Writer::checkOver);
        time.advanceTimeBy(Duration.ofSeconds(1));
        all.forEach(Writer::checkUncollected);
        new ResultCheck(trace, books, store).all();
        OrderCheck order = new OrderCheck(trace, books);
        store.histories().forEach(order::of);
    }

    Writer writer() {
        return writers.get(random.nextInt(writers.size()));
    }

    SimulatedKey key() {
        return key("p" + random.nextInt(scenario.partitions()));
    }

    SimulatedKey key(String partition) {
        int row = random.nextInt(scenario.rows());
        return new SimulatedKey(partition, row % 7 == 3 ? "O'Neil " + row + " \u6771%+" : "r" + row);
    }

    boolean isThere(SimulatedKey key) {
        return store.row(key) != null;
    }

    /** A version to be replaced: as it is, as it was when we last heard of it, or one that there never was. */
    String version(SimulatedKey key, boolean fitting) {
        SimulatedStore.Row row = store.row(key);
        int dice = random.nextInt(10);
        if ((fitting || dice < 5) && row != null) {
            return row.etag();
        }
        return dice == 9 ? "W/\"nobody's\"" : versions.getOrDefault(key, "W/\"v1\"");
    }

    void ended(SimulatedOperation op, @Nullable WriteResult written, @Nullable Throwable error) {
        op.ended(written, error, service.now());
        String how = error == null ? String.valueOf(written) : error.getClass().getSimpleName();
        trace.note("told " + op.id + " " + how);
        trace.expect(op.results == 1, () -> "BATCH-1: " + op + " has another result, " + how);
        if (written != null && !written.etag().isEmpty()) {
            versions.put(op.wish.key(), written.etag());
        }
        brokenBy(op, error);
    }

    /** An error that dooms all breaks the writer, which gives place to a new one. */
    private void brokenBy(SimulatedOperation op, @Nullable Throwable error) {
        if (error instanceof NotFoundException missing
                && "TableNotFound".equals(missing.failure().errorCode())
                && op.owner instanceof Writer writer) {
            replace(writer);
        }
    }

    void refused(SimulatedOperation op, Throwable why) {
        op.refused = true;
        trace.note("refused " + op.id + " " + why.getClass().getSimpleName());
        brokenBy(op, why);
    }

    boolean mayBeBroken(Writer writer, RuntimeException refusal) {
        return (mayBeBroken && refusal instanceof NotFoundException)
                || (writer.closing && refusal instanceof ClosedException);
    }

    void cancel() {
        List<SimulatedOperation> ops = books.ops();
        if (ops.isEmpty()) {
            return;
        }
        SimulatedOperation op = ops.get(Math.max(0, ops.size() - 1 - random.nextInt(30)));
        if (op.refused || op.results > 0 || op.untaken || op.detached) {
            return;
        }
        if (op.submission != null) {
            // What waits for nothing else ends within the cancel.
            op.neverFrom = service.now();
            boolean never = op.submission.cancel();
            trace.note("cancelled " + op.id + " " + never);
            op.neverFrom = never ? op.neverFrom : -1;
        } else if (op.subscription != null) {
            trace.note("disposed " + op.id);
            op.together.forEach(each -> each.detached = true);
            op.subscription.dispose();
            openTransactions -= op.way == SimulatedOperation.Way.IN_TRANSACTION ? 1 : 0;
        }
    }

    void replace() {
        replace(writer());
    }

    private void replace(Writer old) {
        if (!old.closing) {
            old.closing = true;
            service.after(Duration.ZERO, old::close);
            writers.set(writers.indexOf(old), open());
        }
    }

    void rival() {
        service.rival(List.of(key(), key()));
    }

    int nextTransaction() {
        return ++transactions;
    }

    void commit(ReactiveTransaction<SimulatedItem> transaction, List<SimulatedOperation> together) {
        trace.note("a transaction of " + together);
        openTransactions++;
        for (SimulatedOperation op : together) {
            op.together = together;
            op.handedOver = service.now();
        }
        Disposable subscription = transaction
                .commit()
                .subscribe(written -> committed(together, written), error -> failed(together, error));
        together.forEach(op -> op.subscription = subscription);
    }

    private void committed(List<SimulatedOperation> together, List<WriteResult> written) {
        openTransactions--;
        trace.expect(
                written.size() == together.size(), () -> "BATCH-5: " + written.size() + " results for " + together);
        for (int i = 0; i < together.size(); i++) {
            ended(together.get(i), written.get(i), null);
        }
    }

    private void failed(List<SimulatedOperation> together, Throwable error) {
        openTransactions--;
        for (SimulatedOperation op : together) {
            if (error instanceof IllegalArgumentException) {
                refused(op, error);
            } else {
                ended(op, null, error);
            }
        }
    }
}
