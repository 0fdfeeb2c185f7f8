package io.stowline.table.simulation;

import io.stowline.error.WaitInterruptedException;
import io.stowline.outcome.WriteResult;
import io.stowline.table.BufferFullException;
import io.stowline.table.ReactiveTableWriter;
import io.stowline.table.ReactiveTransaction;
import io.stowline.table.StoredEntity;
import io.stowline.table.Submission;
import io.stowline.table.TableOperation;
import io.stowline.table.TableWriter;
import io.stowline.table.internal.request.EntityVerb;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A caller who hands operations over, takes some back, flushes and closes, as the dice fall. */
final class Producer {

    private static final List<EntityVerb> VERBS = List.of(EntityVerb.values());
    private static final int MAX_TOGETHER = 8;
    private static final int MAX_STREAMED = 20;

    private final Play play;
    private final Random random;
    private final int number;
    private int left;

    Producer(Play play, int number, int operations) {
        this.play = play;
        this.number = number;
        this.random = play.random;
        this.left = operations;
    }

    void go() {
        if (left <= 0) {
            play.over();
            return;
        }
        step();
        Duration pause = random.nextInt(40) == 0
                ? play.service.millis(2_000).multipliedBy(1 + random.nextInt(10))
                : play.service.millis(1 + random.nextInt(60));
        play.service.after(random.nextInt(3) == 0 ? Duration.ZERO : pause, this::go);
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 78) {
            single();
        } else if (dice < 80) {
            stream();
        } else if (dice < 86) {
            transaction();
        } else if (dice < 92) {
            play.cancel();
        } else if (dice < 96) {
            play.writer().flush();
        } else if (dice < 97) {
            play.replace();
        } else {
            play.rival();
        }
        if (random.nextDouble() < play.scenario.rivals()) {
            play.rival();
        }
    }

    private void single() {
        left--;
        Writer writer = play.writer();
        SimulatedOperation.Wish wish = wish(play.key(), random.nextInt(50) == 0);
        SimulatedOperation op = play.books.open(wish, way(writer), writer);
        op.coalesces = writer.settings.coalesce();
        op.handedOver = play.service.now();
        play.trace.note("producer " + number + " hands over " + op);
        if (op.way == SimulatedOperation.Way.OFFERED) {
            offer(writer, op);
        } else if (op.way == SimulatedOperation.Way.INTERRUPTED) {
            offerInterrupted(writer, op);
        } else {
            writer.accepted(op);
            op.subscription = written(writer.face.reactive(), op)
                    .subscribe(value -> play.ended(op, value, null), error -> ended(op, error));
        }
        writer.checkBounds();
    }

    /** Blocking is tried only where it must wait, since nothing else goes on in the thread of the simulation. */
    private SimulatedOperation.Way way(Writer writer) {
        boolean full = writer.face.bufferedItems() >= writer.settings.bufferItems();
        if (full && random.nextBoolean()) {
            return SimulatedOperation.Way.INTERRUPTED;
        }
        return writer.offersOnly || random.nextBoolean()
                ? SimulatedOperation.Way.OFFERED
                : SimulatedOperation.Way.WRITTEN;
    }

    /** Hands an operation over to a writer that has nothing to do, which must take it at once. */
    void probe(Writer writer) {
        SimulatedOperation op = play.books.open(
                new SimulatedOperation.Wish(EntityVerb.INSERT_OR_REPLACE, play.key(), null, text(), 0),
                SimulatedOperation.Way.OFFERED,
                writer);
        op.coalesces = writer.settings.coalesce();
        op.handedOver = play.service.now();
        play.trace.note("an idle writer is given " + op);
        offer(writer, op);
    }

    /** A stream of operations, made when they are requested. */
    private void stream() {
        Writer writer = play.writer();
        if (writer.offersOnly) {
            return;
        }
        int count = 2 + random.nextInt(MAX_STREAMED);
        left -= count;
        Stream stream = new Stream(play, this, count);
        writer.face
                .reactive()
                .write(Flux.range(0, count).map(i -> operation(writer, stream)))
                .subscribe(stream);
    }

    private TableOperation<SimulatedItem, SimulatedOperation> operation(Writer writer, Stream stream) {
        SimulatedOperation op =
                play.books.open(wish(play.key(), random.nextInt(50) == 0), SimulatedOperation.Way.STREAMED, writer);
        op.coalesces = writer.settings.coalesce();
        op.handedOver = play.service.now();
        play.trace.note("producer " + number + " streams " + op);
        writer.accepted(op);
        stream.given(op);
        SimulatedOperation.Wish wish = op.wish;
        SimulatedKey key = wish.key();
        SimulatedItem item = SimulatedItem.of(key, op.id, wish.text(), wish.large());
        TableOperation<SimulatedItem, Void> operation =
                switch (wish.verb()) {
                    case INSERT -> TableOperation.insert(item);
                    case INSERT_OR_MERGE -> TableOperation.insertOrMerge(item);
                    case INSERT_OR_REPLACE -> TableOperation.insertOrReplace(item);
                    case REPLACE -> TableOperation.replace(stored(item, wish));
                    case MERGE -> TableOperation.merge(stored(item, wish));
                    case DELETE ->
                        wish.bound()
                                ? TableOperation.delete(stored(item, wish))
                                : TableOperation.delete(key.partition(), key.row());
                };
        return operation.with(op);
    }

    void ended(SimulatedOperation op, Throwable error) {
        if (isThrown(error)) {
            play.refused(op, error);
        } else {
            play.ended(op, null, error);
        }
    }

    /** True if it comes from the accessor, before anything was accepted. */
    private static boolean isThrown(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).startsWith("thrown by the accessor")) {
                return true;
            }
        }
        return false;
    }

    private void offer(Writer writer, SimulatedOperation op) {
        submit(writer, writer.face.failingFast(), op);
    }

    /** A thread that waits for room, and is interrupted. */
    private void offerInterrupted(Writer writer, SimulatedOperation op) {
        Thread.currentThread().interrupt();
        try {
            submit(writer, writer.face, op);
        } finally {
            play.trace.expect(Thread.interrupted(), "RETRY-8: the interrupt is lost");
        }
    }

    private void submit(Writer writer, TableWriter<SimulatedItem> face, SimulatedOperation op) {
        try {
            Submission<WriteResult> submission = offered(face, op);
            op.submission = submission;
            writer.accepted(op);
            taken(op, submission);
        } catch (RuntimeException refusal) {
            boolean isFull = refusal instanceof BufferFullException;
            boolean gaveUp =
                    op.way == SimulatedOperation.Way.INTERRUPTED && refusal instanceof WaitInterruptedException;
            boolean known = isFull || gaveUp || isThrown(refusal) || play.mayBeBroken(writer, refusal);
            play.trace.expect(known, () -> "BATCH-1: " + op + " was refused with " + refusal);
            if (isFull) {
                writer.checkRefusal(op);
            }
            play.refused(op, refusal);
        }
    }

    private void taken(SimulatedOperation op, Submission<WriteResult> submission) {
        int dice = random.nextInt(20);
        if (dice == 0) {
            op.untaken = true;
            return;
        }
        if (dice == 1) {
            submission.whenComplete((written, error) -> {
                throw new IllegalStateException("thrown by a callback");
            });
        }
        submission.whenComplete((written, error) -> {
            play.ended(op, written, error);
            if (dice == 2 && left > 0) {
                single();
            }
        });
    }

    private SimulatedOperation.Wish wish(SimulatedKey key, boolean throwing) {
        EntityVerb verb = VERBS.get(random.nextInt(VERBS.size()));
        boolean fitting = random.nextInt(3) > 0;
        if (fitting && play.isThere(key) == (verb == EntityVerb.INSERT)) {
            verb = verb == EntityVerb.INSERT ? EntityVerb.REPLACE : EntityVerb.INSERT;
        }
        if (verb == EntityVerb.DELETE && !play.books.mayDelete(key)) {
            verb = EntityVerb.INSERT_OR_REPLACE;
        }
        boolean conditional = verb == EntityVerb.REPLACE || verb == EntityVerb.MERGE;
        String ifMatch = null;
        if (conditional) {
            ifMatch = random.nextInt(5) == 0 ? "*" : play.version(key, fitting);
        } else if (verb == EntityVerb.DELETE) {
            ifMatch = random.nextInt(3) == 0 ? play.version(key, fitting) : "*";
        }
        boolean hasBody = verb != EntityVerb.DELETE;
        String text = throwing ? SimulatedItem.THROWS : random.nextInt(60) == 0 ? SimulatedStore.INVALID : text();
        int large = hasBody && random.nextDouble() < play.scenario.large()
                ? 1 + random.nextInt(SimulatedItem.MAX_LARGE)
                : 0;
        return new SimulatedOperation.Wish(verb, key, ifMatch, hasBody ? text : "", large);
    }

    private String text() {
        return "x".repeat(random.nextInt(4) == 0 ? random.nextInt(3_000) : random.nextInt(100));
    }

    private Submission<WriteResult> offered(TableWriter<SimulatedItem> face, SimulatedOperation op) {
        SimulatedOperation.Wish wish = op.wish;
        SimulatedKey key = wish.key();
        SimulatedItem item = SimulatedItem.of(key, op.id, wish.text(), wish.large());
        return switch (wish.verb()) {
            case INSERT -> face.insert(item);
            case INSERT_OR_MERGE -> face.insertOrMerge(item);
            case INSERT_OR_REPLACE -> face.insertOrReplace(item);
            case REPLACE -> face.replace(stored(item, wish));
            case MERGE -> face.merge(stored(item, wish));
            case DELETE -> wish.bound() ? face.delete(stored(item, wish)) : face.delete(key.partition(), key.row());
        };
    }

    private Mono<WriteResult> written(ReactiveTableWriter<SimulatedItem> face, SimulatedOperation op) {
        SimulatedOperation.Wish wish = op.wish;
        SimulatedKey key = wish.key();
        SimulatedItem item = SimulatedItem.of(key, op.id, wish.text(), wish.large());
        return switch (wish.verb()) {
            case INSERT -> face.insert(item);
            case INSERT_OR_MERGE -> face.insertOrMerge(item);
            case INSERT_OR_REPLACE -> face.insertOrReplace(item);
            case REPLACE -> face.replace(stored(item, wish));
            case MERGE -> face.merge(stored(item, wish));
            case DELETE -> wish.bound() ? face.delete(stored(item, wish)) : face.delete(key.partition(), key.row());
        };
    }

    private static StoredEntity<SimulatedItem> stored(SimulatedItem item, SimulatedOperation.Wish wish) {
        return "*".equals(wish.ifMatch())
                ? StoredEntity.anyVersion(item)
                : StoredEntity.of(item, String.valueOf(wish.ifMatch()));
    }

    private void transaction() {
        SimulatedKey first = play.key();
        ReactiveTransaction<SimulatedItem> transaction = play.table().reactive().transaction(first.partition());
        Set<SimulatedKey> keys = new HashSet<>();
        List<SimulatedOperation> together = new ArrayList<>();
        Object owner = "transaction " + play.nextTransaction();
        int size = 1 + random.nextInt(MAX_TOGETHER);
        for (int i = 0; i < size; i++) {
            SimulatedKey key = play.key(first.partition());
            if (keys.add(key)) {
                SimulatedOperation op = play.books.open(wish(key, false), SimulatedOperation.Way.IN_TRANSACTION, owner);
                together.add(op);
                add(transaction, op);
            }
        }
        left -= together.size();
        play.commit(transaction, together);
    }

    private static void add(ReactiveTransaction<SimulatedItem> transaction, SimulatedOperation op) {
        SimulatedOperation.Wish wish = op.wish;
        SimulatedItem item = SimulatedItem.of(wish.key(), op.id, wish.text(), wish.large());
        ReactiveTransaction<SimulatedItem> unused =
                switch (wish.verb()) {
                    case INSERT -> transaction.insert(item);
                    case INSERT_OR_MERGE -> transaction.insertOrMerge(item);
                    case INSERT_OR_REPLACE -> transaction.insertOrReplace(item);
                    case REPLACE -> transaction.replace(stored(item, wish));
                    case MERGE -> transaction.merge(stored(item, wish));
                    case DELETE ->
                        wish.bound()
                                ? transaction.delete(stored(item, wish))
                                : transaction.delete(wish.key().row());
                };
    }
}
