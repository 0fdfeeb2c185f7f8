package io.stowline.system;

import static io.stowline.testkit.RequestMatch.requests;
import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.blob.AppendBlob;
import io.stowline.blob.BlobContainer;
import io.stowline.blob.PageBlob;
import io.stowline.blob.ReactiveAppendBlob;
import io.stowline.blob.UploadSettings;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.WriteResult;
import io.stowline.queue.MessageQueue;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.FaultRule;
import io.stowline.testkit.StubResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** One table of operations and faults, run through both faces: the result for the caller, and how many requests that took. */
class OutcomeIT extends StorageTest {

    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.UTF_8);

    /** The fault of the first request. */
    private enum Fault {
        /** No fault. */
        NONE,
        /** The request is carried out, and its response is lost. */
        LOST,
        /** The request is read and dropped. */
        DROPPED,
        /** The service is too busy. */
        BUSY,
        /** The request is carried out, and its response is a fault. */
        FAULT_AFTER,
        /** Some proxy loses patience. */
        TIMEOUT;

        FaultRule on(FaultRule rule) {
            return switch (this) {
                case NONE -> rule.disable();
                case LOST -> rule.loseResponse();
                case DROPPED -> rule.reset();
                case BUSY -> rule.respond(StubResponse.error(503, "ServerBusy", "The server is busy."));
                case FAULT_AFTER -> rule.forwardThenRespond(StubResponse.error(500, "InternalError", "Fault."));
                case TIMEOUT -> rule.respond(StubResponse.error(408, "RequestTimeout", "Too slow."));
            };
        }
    }

    private enum Face {
        BLOCKING,
        REACTIVE
    }

    /** One operation on something that is ready for it, in both faces. */
    private record Act(Supplier<?> blocking, Supplier<Mono<?>> reactive) {
        Object by(Face face) {
            return face == Face.BLOCKING ? blocking.get() : reactive.get().block(Duration.ofSeconds(60));
        }
    }

    private enum Verb {
        INSERT,
        CLAIM,
        UPSERT,
        UPDATE,
        MERGE,
        DELETE,
        DELETE_VERSION,
        TRANSACTION,
        SEND,
        DELETE_MESSAGE,
        UPDATE_MESSAGE,
        UPLOAD,
        OVERWRITE,
        APPEND,
        WRITE_PAGES,
        CLEAR_PAGES,
        RESIZE
    }

    static Stream<Arguments> table() {
        Stream<List<Object>> rows = Stream.of(
                List.of(Verb.INSERT, Fault.NONE, "CONFIRMED RESPONSE", 1),
                List.of(Verb.INSERT, Fault.LOST, "RECOVERED CONTENT repeated", 3),
                List.of(Verb.INSERT, Fault.FAULT_AFTER, "RECOVERED CONTENT repeated", 3),
                List.of(Verb.INSERT, Fault.DROPPED, "CONFIRMED RESPONSE repeated", 2),
                List.of(Verb.INSERT, Fault.TIMEOUT, "CONFIRMED RESPONSE repeated", 2),
                List.of(Verb.INSERT, Fault.BUSY, "CONFIRMED RESPONSE", 2),
                List.of(Verb.CLAIM, Fault.NONE, "CONFIRMED RESPONSE", 1),
                List.of(Verb.CLAIM, Fault.LOST, "RECOVERED MARKER", 3),
                List.of(Verb.UPSERT, Fault.NONE, "CONFIRMED RESPONSE", 1),
                List.of(Verb.UPSERT, Fault.LOST, "CONFIRMED RESPONSE repeated", 2),
                List.of(Verb.UPSERT, Fault.BUSY, "CONFIRMED RESPONSE", 2),
                List.of(Verb.UPDATE, Fault.NONE, "CONFIRMED RESPONSE", 1),
                List.of(Verb.UPDATE, Fault.LOST, "RECOVERED MARKER", 3),
                List.of(Verb.UPDATE, Fault.DROPPED, "CONFIRMED RESPONSE", 2),
                List.of(Verb.MERGE, Fault.LOST, "RECOVERED MARKER", 3),
                List.of(Verb.DELETE, Fault.NONE, "CONFIRMED RESPONSE", 1),
                List.of(Verb.DELETE, Fault.LOST, "ABSENT CONTENT repeated", 2),
                List.of(Verb.DELETE, Fault.DROPPED, "CONFIRMED RESPONSE repeated", 2),
                List.of(Verb.DELETE_VERSION, Fault.LOST, "unknown", 3),
                List.of(Verb.TRANSACTION, Fault.NONE, "CONFIRMED RESPONSE", 1),
                List.of(Verb.TRANSACTION, Fault.LOST, "RECOVERED MARKER", 3),
                List.of(Verb.TRANSACTION, Fault.DROPPED, "CONFIRMED RESPONSE repeated", 2),
                List.of(Verb.SEND, Fault.NONE, "sent", 1),
                List.of(Verb.SEND, Fault.LOST, "sent repeated", 2),
                List.of(Verb.SEND, Fault.BUSY, "sent", 2),
                List.of(Verb.DELETE_MESSAGE, Fault.NONE, "done", 1),
                List.of(Verb.DELETE_MESSAGE, Fault.LOST, "done", 2),
                List.of(Verb.UPDATE_MESSAGE, Fault.LOST, "unknown", 2),
                List.of(Verb.UPLOAD, Fault.NONE, "CONFIRMED RESPONSE", 1),
                List.of(Verb.UPLOAD, Fault.LOST, "RECOVERED MARKER", 3),
                List.of(Verb.UPLOAD, Fault.DROPPED, "CONFIRMED RESPONSE repeated", 2),
                List.of(Verb.OVERWRITE, Fault.LOST, "CONFIRMED RESPONSE repeated", 2),
                List.of(Verb.APPEND, Fault.NONE, "CONFIRMED RESPONSE", 1),
                List.of(Verb.APPEND, Fault.LOST, "RECOVERED CONTENT", 4),
                List.of(Verb.APPEND, Fault.BUSY, "CONFIRMED RESPONSE", 2),
                List.of(Verb.WRITE_PAGES, Fault.NONE, "CONFIRMED RESPONSE", 1),
                List.of(Verb.WRITE_PAGES, Fault.LOST, "CONFIRMED RESPONSE repeated", 2),
                List.of(Verb.WRITE_PAGES, Fault.BUSY, "CONFIRMED RESPONSE", 2),
                List.of(Verb.CLEAR_PAGES, Fault.LOST, "CONFIRMED RESPONSE repeated", 2),
                List.of(Verb.RESIZE, Fault.LOST, "CONFIRMED RESPONSE repeated", 2));
        return rows.flatMap(row -> Stream.of(Face.values())
                .map(face -> Arguments.of(row.get(0), row.get(1), face, row.get(2), row.get(3))));
    }

    @ParameterizedTest(name = "{0}, {1}, {2}: {3}")
    @MethodSource("table")
    @DisplayName(
            "OUTCOME-1, OUTCOME-2, OUTCOME-3, OUTCOME-4, OUTCOME-5, OUTCOME-6, OUTCOME-7, OUTCOME-9: what the caller"
                    + " is told, in both faces")
    void reported(Verb verb, Fault fault, Face face, String expected, int requests) {
        Act act = prepared(verb);
        proxy().awaitIdle(Duration.ofSeconds(20));
        int before = proxy().recorded().size();
        FaultRule rule = fault.on(proxy().when(requests().times(1)));
        try {
            assertThat(response(act, face)).isEqualTo(expected);
        } finally {
            rule.remove();
        }
        proxy().awaitIdle(Duration.ofSeconds(20));
        assertThat(proxy().recorded().size() - before).as("requests").isEqualTo(requests);
    }

    private static String response(Act act, Face face) {
        try {
            return text(act.by(face));
        } catch (OutcomeUnknownException e) {
            return "unknown";
        } catch (StorageException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static String text(Object result) {
        if (result instanceof List<?> all) {
            return text(all.get(0));
        }
        if (result instanceof WriteResult written) {
            return written.outcome() + " " + written.evidence() + (written.mayHaveRepeated() ? " repeated" : "");
        }
        if (result instanceof SendResult sent) {
            return sent.mayHaveRepeated() ? "sent repeated" : "sent";
        }
        return "done";
    }

    private Act prepared(Verb verb) {
        return switch (verb) {
            case SEND, DELETE_MESSAGE, UPDATE_MESSAGE -> ofQueue(verb);
            case UPLOAD, OVERWRITE, APPEND -> ofBlob(verb);
            case WRITE_PAGES, CLEAR_PAGES, RESIZE -> ofPageBlob(verb);
            default -> ofTable(verb);
        };
    }

    private Act ofTable(Verb verb) {
        Table<Runner> runners = freshTable(Runner.class);
        Runner runner = Runner.of("race", 1);
        return switch (verb) {
            case INSERT ->
                new Act(() -> runners.insert(runner), () -> runners.reactive().insert(runner));
            case CLAIM ->
                new Act(() -> runners.claim(runner), () -> runners.reactive().claim(runner));
            case UPSERT ->
                new Act(() -> runners.insertOrReplace(runner), () -> runners.reactive()
                        .insertOrReplace(runner));
            case TRANSACTION ->
                new Act(
                        () -> runners.transaction("race")
                                .insert(runner)
                                .insertOrReplace(Runner.of("race", 2))
                                .commit(),
                        () -> runners.reactive()
                                .transaction("race")
                                .insert(runner)
                                .insertOrReplace(Runner.of("race", 2))
                                .commit());
            default -> ofStored(verb, runners, runners.insert(runner));
        };
    }

    private static Act ofStored(Verb verb, Table<Runner> runners, WriteResult written) {
        Runner runner = Runner.of("race", 1);
        StoredEntity<Runner> older = StoredEntity.of(runner.aged(99), written.etag());
        return switch (verb) {
            case UPDATE ->
                new Act(() -> runners.replace(older), () -> runners.reactive().replace(older));
            case MERGE ->
                new Act(() -> runners.merge(older), () -> runners.reactive().merge(older));
            case DELETE ->
                new Act(() -> runners.delete("race", runner.id()), () -> runners.reactive()
                        .delete("race", runner.id()));
            default ->
                new Act(() -> runners.delete(older), () -> runners.reactive().delete(older));
        };
    }

    private Act ofQueue(Verb verb) {
        MessageQueue<String> queue = storage.queue(freshName());
        queue.create();
        if (verb == Verb.SEND) {
            return new Act(() -> queue.send("hello"), () -> queue.reactive().send("hello"));
        }
        queue.send("hello");
        ReceivedMessage<String> received = queue.receive().orElseThrow();
        return verb == Verb.DELETE_MESSAGE
                ? new Act(
                        () -> {
                            queue.delete(received);
                            return "done";
                        },
                        () -> queue.reactive().delete(received).thenReturn("done"))
                : new Act(() -> queue.update(received, "changed", Duration.ofSeconds(30)), () -> queue.reactive()
                        .update(received, "changed", Duration.ofSeconds(30)));
    }

    private Act ofBlob(Verb verb) {
        BlobContainer container = storage.container(freshName());
        container.create();
        if (verb == Verb.APPEND) {
            AppendBlob log = container.appendBlob("log");
            log.create();
            ReactiveAppendBlob other = container.reactive().appendBlob("other");
            other.create().block(Duration.ofSeconds(60));
            return new Act(() -> log.append(CONTENT), () -> other.append(CONTENT));
        }
        UnaryOperator<UploadSettings.Builder> how =
                settings -> verb == Verb.OVERWRITE ? settings.overwrite() : settings;
        return new Act(
                () -> container.upload(CONTENT, "blob", how),
                () -> container.reactive().upload(CONTENT, "blob", how));
    }

    private Act ofPageBlob(Verb verb) {
        BlobContainer container = storage.container(freshName());
        container.create();
        PageBlob disk = container.pageBlob("disk");
        disk.create(1024);
        return switch (verb) {
            case WRITE_PAGES ->
                new Act(() -> disk.write(512, new byte[512]), () -> disk.reactive()
                        .write(512, new byte[512]));
            case CLEAR_PAGES ->
                new Act(() -> disk.clear(0, 512), () -> disk.reactive().clear(0, 512));
            default -> new Act(() -> disk.resize(512), () -> disk.reactive().resize(512));
        };
    }
}
