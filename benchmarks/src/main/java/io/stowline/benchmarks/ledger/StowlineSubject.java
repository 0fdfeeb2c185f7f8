package io.stowline.benchmarks.ledger;

import io.stowline.Stowline;
import io.stowline.blob.AppendBlob;
import io.stowline.blob.Appended;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.Uploaded;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.Evidence;
import io.stowline.outcome.Marking;
import io.stowline.outcome.Outcome;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.Received;
import io.stowline.retry.Backoff;
import io.stowline.retry.RetrySettings;
import io.stowline.table.Written;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** Stowline, impatient: delays of a millisecond, attempts of 0.3 s, a horizon of 1.5 s. */
final class StowlineSubject implements Subject {

    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Every seed has one; mostly the default. */
    private static final List<Marking> MARKINGS =
            List.of(Marking.DECISIVE, Marking.DECISIVE, Marking.ALL, Marking.DECISIVE, Marking.CLAIMS);

    private final Stowline storage;
    private final StowlineTables tables;
    private final MessageQueue<String> queue;
    private final BlobContainer container;
    private final Map<String, AppendBlob> blobs = new HashMap<>();
    private final Map<String, Received<String>> received = new HashMap<>();

    StowlineSubject(String connectionString, String name, long seed) {
        this.storage = Stowline.builder()
                .connectionString(connectionString)
                .retry(StowlineSubject::impatient)
                .build();
        this.tables = new StowlineTables(storage, name, MARKINGS.get(Math.floorMod(seed, MARKINGS.size())));
        this.queue = storage.queue(name);
        this.container = storage.container(name);
    }

    private static RetrySettings.Builder impatient(RetrySettings.Builder retry) {
        return retry.backoff(Backoff.fixed(Duration.ofMillis(1)))
                .retries(4)
                .attemptTimeout(Duration.ofMillis(300))
                .serverTimeout(Duration.ofSeconds(1))
                .grace(Duration.ofMillis(500))
                .leastAttempt(Duration.ofMillis(100))
                .deadline(Duration.ofSeconds(6));
    }

    @Override
    public Told perform(Op op) {
        try {
            return switch (op.kind()) {
                case SEND -> Told.done(queue.send(op.payload()).repeated(), "");
                case DELETE_MESSAGE -> delete(op);
                case APPEND, APPEND_SHARED -> append(op);
                case CREATE_BLOB -> create(op);
                case DELETE_BLOB ->
                    Told.of(container.deleteIfExists(op.target()) ? Told.Sort.DONE : Told.Sort.ABSENT, "");
                case CACHED_READ -> tables.read(op);
                default -> told(tables.perform(op));
            };
        } catch (RuntimeException e) {
            return told(e);
        }
    }

    private Told delete(Op op) {
        queue.delete(Objects.requireNonNull(received.get(op.target()), op.target()));
        return Told.done(false, "");
    }

    private Told create(Op op) {
        Uploaded uploaded = container.upload(op.payload().getBytes(StandardCharsets.UTF_8), op.target());
        Told.Sort sort =
                switch (uploaded.evidence()) {
                    case ANSWER -> Told.Sort.DONE;
                    case MARKER -> Told.Sort.DONE_BY_MARK;
                    default -> Told.Sort.CONTENT;
                };
        return new Told(sort, uploaded.repeated(), "", -1, uploaded.toString());
    }

    private Told append(Op op) {
        Appended appended = blobs.computeIfAbsent(op.target(), container::appendBlob)
                .append(op.payload().getBytes(StandardCharsets.UTF_8));
        Told.Sort sort = appended.evidence() == Evidence.ANSWER ? Told.Sort.DONE : Told.Sort.CONTENT;
        return new Told(sort, false, "", appended.offset(), appended.toString());
    }

    private static Told told(List<Written> written) {
        Written first = written.get(0);
        Told.Sort sort = first.outcome() == Outcome.ABSENT
                ? Told.Sort.ABSENT
                : first.evidence() == Evidence.ANSWER
                        ? Told.Sort.DONE
                        : first.evidence() == Evidence.MARKER ? Told.Sort.DONE_BY_MARK : Told.Sort.CONTENT;
        // The version of one entity is told; those of a transaction's are not compared.
        return new Told(sort, first.repeated(), written.size() == 1 ? first.etag() : "", -1, written.toString());
    }

    private static Told told(Throwable error) {
        return error instanceof OutcomeUnknownException unknown
                ? Told.of(Told.Sort.UNKNOWN, unknown.seen())
                : Told.of(Told.Sort.REFUSED, error.toString());
    }

    @Override
    public List<CompletableFuture<Told>> performAll(List<Op> ops) {
        List<CompletableFuture<Told>> all = new ArrayList<>();
        for (Op op : ops) {
            all.add(tables.submit(op)
                    .toFuture()
                    .handle((written, error) -> error == null ? told(List.of(written)) : told(error)));
        }
        return all;
    }

    @Override
    public List<Message> receive(int most) {
        try {
            List<Received<String>> messages = queue.receive(most, LEASE);
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
