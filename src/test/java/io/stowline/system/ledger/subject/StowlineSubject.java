package io.stowline.system.ledger.subject;

import io.stowline.Stowline;
import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.BlobWriteResult;
import io.stowline.error.ClosedException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.WriteMarkers;
import io.stowline.outcome.WriteOutcome;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.system.ledger.script.ClosingPoint;
import io.stowline.system.ledger.script.Kind;
import io.stowline.system.ledger.script.Message;
import io.stowline.system.ledger.script.Op;
import io.stowline.system.ledger.script.ReportedResult;
import io.stowline.table.LeftoverException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Stowline, impatient: delays of a millisecond, short attempts, a horizon of 1.5 s. */
final class StowlineSubject implements Subject {

    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Chosen by the seed; mostly the default. */
    private static final List<WriteMarkers> MARKINGS = List.of(
            WriteMarkers.DECISIVE, WriteMarkers.DECISIVE, WriteMarkers.ALL, WriteMarkers.DECISIVE, WriteMarkers.CLAIMS);

    /** The close timeouts of a client that ends during a step. */
    private static final List<Duration> SHORT_CLOSES = List.of(Duration.ofMillis(1), Duration.ofMillis(250));

    private static final Duration GUARD = Duration.ofMinutes(3);
    private static final Duration LONG_CLOSE = Duration.ofSeconds(20);

    private final StowlineConnection connection;
    private final String name;
    private final ClosingPoint closing;
    private final Stowline storage;
    private final StowlineTables tables;
    private final JournaledTables journaled;
    private final MessageQueue<String> queue;
    private final BlobContainer container;
    private final Map<String, AppendBlob> blobs = new HashMap<>();
    private final Map<String, ReceivedMessage<String>> received = new HashMap<>();

    StowlineSubject(String connectionString, String name, Duration attempt, long seed, ClosingPoint closing) {
        this(
                new StowlineConnection(connectionString, attempt, MARKINGS.get(Math.floorMod(seed, MARKINGS.size()))),
                name,
                closing,
                LONG_CLOSE);
    }

    private StowlineSubject(StowlineConnection connection, String name, ClosingPoint closing, Duration closeTimeout) {
        this.connection = connection;
        this.name = name;
        this.closing = closing;
        this.storage = connection.open(closeTimeout);
        this.tables = new StowlineTables(storage, name, connection.markers());
        this.journaled = new JournaledTables(connection, name, closing);
        this.queue = storage.queue(name);
        this.container = storage.container(name);
    }

    @Override
    public ReportedResult perform(Op op) {
        if (!op.isCutShort()) {
            return carryOut(op);
        }
        try (StowlineSubject other = ofOneStep(op)) {
            ReportedResult reported = other.carryOut(op);
            closing.over();
            return reported;
        }
    }

    private StowlineSubject ofOneStep(Op op) {
        Duration closeTimeout = SHORT_CLOSES.get(Math.floorMod(op.id().hashCode(), SHORT_CLOSES.size()));
        StowlineSubject other = new StowlineSubject(connection, name, closing, closeTimeout);
        other.received.putAll(received);
        closing.begin("client closed", other.storage::close);
        return other;
    }

    private ReportedResult carryOut(Op op) {
        try {
            return switch (op.kind()) {
                case SEND -> ReportedResult.done(queue.send(op.payload()).mayHaveRepeated(), "");
                case DELETE_MESSAGE -> delete(op);
                case APPEND, APPEND_SHARED -> append(op);
                case CREATE_BLOB -> create(op);
                case DELETE_BLOB ->
                    ReportedResult.of(
                            container.deleteIfExists(op.target())
                                    ? ReportedResult.Sort.DONE
                                    : ReportedResult.Sort.ABSENT,
                            "");
                case INDEXED ->
                    tables.performIndexed(op)
                            .map(written -> reported(List.of(written)))
                            .orElseGet(() -> ReportedResult.of(ReportedResult.Sort.REFUSED, "not found"));
                case CACHED_READ -> tables.read(op);
                default -> reported(tables.perform(op));
            };
        } catch (RuntimeException e) {
            return reported(e);
        }
    }

    private ReportedResult delete(Op op) {
        queue.delete(Objects.requireNonNull(received.get(op.target()), op.target()));
        return ReportedResult.done(false, "");
    }

    private ReportedResult create(Op op) {
        BlobWriteResult uploaded = container.upload(op.payload().getBytes(StandardCharsets.UTF_8), op.target());
        ReportedResult.Sort sort =
                switch (uploaded.evidence()) {
                    case RESPONSE -> ReportedResult.Sort.DONE;
                    case MARKER -> ReportedResult.Sort.DONE_BY_MARK;
                    default -> ReportedResult.Sort.CONTENT;
                };
        return new ReportedResult(sort, uploaded.mayHaveRepeated(), "", -1, uploaded.toString());
    }

    private ReportedResult append(Op op) {
        BlobWriteResult appended = blobs.computeIfAbsent(op.target(), container::appendBlob)
                .append(op.payload().getBytes(StandardCharsets.UTF_8));
        ReportedResult.Sort sort =
                appended.evidence() == Evidence.RESPONSE ? ReportedResult.Sort.DONE : ReportedResult.Sort.CONTENT;
        return new ReportedResult(sort, false, "", appended.offset(), appended.toString());
    }

    static ReportedResult reported(List<WriteResult> written) {
        WriteResult first = written.get(0);
        ReportedResult.Sort sort = first.outcome() == WriteOutcome.ABSENT
                ? ReportedResult.Sort.ABSENT
                : first.evidence() == Evidence.RESPONSE
                        ? ReportedResult.Sort.DONE
                        : first.evidence() == Evidence.MARKER
                                ? ReportedResult.Sort.DONE_BY_MARK
                                : ReportedResult.Sort.CONTENT;
        // The version of one entity is reported; those of a transaction's are not compared.
        return new ReportedResult(
                sort, first.mayHaveRepeated(), written.size() == 1 ? first.etag() : "", -1, written.toString());
    }

    static ReportedResult reported(Throwable error) {
        if (error instanceof OutcomeUnknownException unknown) {
            return ReportedResult.of(ReportedResult.Sort.UNKNOWN, unknown.readBackDetail());
        }
        boolean inFlight = error instanceof LeftoverException leftover && leftover.sent();
        return inFlight
                ? ReportedResult.of(ReportedResult.Sort.UNKNOWN, "in flight when its client was closed")
                : ReportedResult.of(ReportedResult.Sort.REFUSED, error.toString());
    }

    @Override
    public List<CompletableFuture<ReportedResult>> performAll(List<Op> ops) {
        if (ops.get(0).kind() == Kind.JOURNALED) {
            return journaled.performAll(ops);
        }
        if (!ops.get(0).isCutShort()) {
            return submitAll(ops);
        }
        try (StowlineSubject other = ofOneStep(ops.get(0))) {
            List<CompletableFuture<ReportedResult>> all = other.submitAll(ops);
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))
                    .completeOnTimeout(null, GUARD.toSeconds(), TimeUnit.SECONDS)
                    .join();
            closing.over();
            return all;
        }
    }

    private List<CompletableFuture<ReportedResult>> submitAll(List<Op> ops) {
        List<CompletableFuture<ReportedResult>> all = new ArrayList<>();
        for (Op op : ops) {
            all.add(submit(op));
        }
        return all;
    }

    private CompletableFuture<ReportedResult> submit(Op op) {
        try {
            return tables.submit(op)
                    .toFuture()
                    .handle((written, error) -> error == null ? reported(List.of(written)) : reported(error));
        } catch (ClosedException e) {
            return CompletableFuture.completedFuture(reported(e));
        }
    }

    @Override
    public List<Message> receive(int max) {
        try {
            List<ReceivedMessage<String>> messages = queue.receive(max, LEASE);
            messages.forEach(message -> received.put(message.id(), message));
            return messages.stream()
                    .map(message -> new Message(message.id(), message.body()))
                    .toList();
        } catch (StorageException e) {
            return List.of();
        }
    }

    @Override
    public void close() {
        try {
            tables.close();
        } finally {
            storage.close();
        }
    }
}
