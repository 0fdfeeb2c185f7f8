package io.stowline.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.Stowline;
import io.stowline.blob.PageBlob;
import io.stowline.error.ClosedException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.StorageException;
import io.stowline.outcome.ItemResult;
import io.stowline.projection.PartitionKey;
import io.stowline.projection.RowKey;
import io.stowline.queue.ReceivedMessage;
import io.stowline.queue.SendResult;
import io.stowline.table.Index;
import io.stowline.table.StoredEntity;
import io.stowline.table.Table;
import io.stowline.testkit.memory.MemoryStorage;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Closes a client at every step of every write: at each signal that passes an operator of Reactor, before, in and between the requests. An
 * operation that ends with a failure other than an unknown outcome has changed nothing.
 */
@Timeout(60)
class ClosingAtEachStepTest {

    record Runner(@PartitionKey String race, @RowKey String bib, String name, int age) {}

    private static final Index<Runner, Integer> AGE = Index.number("AGE", 3, Runner::age);
    private static final Runner JOHN = new Runner("2026", "1", "John", 50);
    private static final Runner JANE = new Runner("2026", "1", "Jane", 60);
    private static final Runner MARY = new Runner("2026", "2", "Mary", 40);

    private static final byte[] PAGE = new byte[512];

    static {
        Arrays.fill(PAGE, (byte) 7);
    }

    private static final int STRIDE = Integer.getInteger("stowline.explore", 1) > 1 ? 1 : 3;

    private final MemoryStorage memory = MemoryStorage.create();
    private final Stowline other = client();

    @AfterEach
    void close() {
        Hooks.resetOnEachOperator("steps");
        other.close();
    }

    private Stowline client() {
        return Stowline.builder()
                .connectionString(memory.connectionString())
                .closeTimeout(Duration.ofMillis(1))
                .retry(r -> r.retries(0))
                .httpClient(memory.httpClient())
                .build();
    }

    /**
     * A write.
     *
     * @param method the method of its request
     * @param path a part of the path of its request
     * @param prepared makes what it is for
     * @param verb makes it, by what was prepared
     * @param applied whether the store shows it
     */
    private record Verb<P>(
            String name,
            String method,
            String path,
            Function<Stowline, P> prepared,
            VerbCall<P> verb,
            Predicate<Stowline> applied) {

        @Override
        public String toString() {
            return name;
        }
    }

    /** The call of a write. */
    private interface VerbCall<P> {
        void make(Stowline client, P prepared);
    }

    private static Table<Runner> runners(Stowline client) {
        return client.table("runners", Runner.class);
    }

    private static Function<Stowline, StoredEntity<Runner>> john() {
        return client -> {
            runners(client).create();
            runners(client).insert(JOHN);
            return runners(client).find("2026", "1").orElseThrow();
        };
    }

    private static Function<Stowline, StoredEntity<Runner>> indexedJohn() {
        return client -> {
            runners(client).create();
            runners(client).indexed(AGE).insert(JOHN);
            return runners(client).indexed(AGE).find("2026", "1").orElseThrow();
        };
    }

    private static Function<Stowline, String> with(Consumer<Stowline> prepared) {
        return client -> {
            prepared.accept(client);
            return "prepared";
        };
    }

    private static Predicate<Stowline> there(String rowKey, String name) {
        return client -> runners(client).find("2026", rowKey).stream()
                .anyMatch(found -> found.value().name().equals(name));
    }

    private static Predicate<Stowline> noJohn() {
        return client -> runners(client).find("2026", "1").isEmpty();
    }

    private static Predicate<Stowline> content(String name, int length) {
        return client -> client.container("files").find(name).stream().anyMatch(blob -> blob.size() == length);
    }

    private static Predicate<Stowline> waiting(long messages) {
        return client -> client.queue("orders").approximateCount() == messages;
    }

    private static Function<Stowline, ReceivedMessage<String>> message() {
        return client -> {
            client.queue("orders").create();
            client.queue("orders").send("one");
            return client.queue("orders").receive().orElseThrow();
        };
    }

    private static void rethrown(ItemResult<String, SendResult> end) {
        end.get();
    }

    private static Function<Stowline, String> files() {
        return with(client -> {
            client.container("files").create();
            client.container("files").upload(new byte[3], "old");
            client.container("files").appendBlob("log").create();
            disk(client).create(1024);
            disk(client).write(512, PAGE);
        });
    }

    private static PageBlob disk(Stowline client) {
        return client.container("files").pageBlob("disk");
    }

    static Stream<Verb<?>> verbs() {
        return Stream.of(
                new Verb<>(
                        "create a table",
                        "POST",
                        "Tables",
                        with(client -> {}),
                        (client, none) -> runners(client).create(),
                        client -> runners(client).exists()),
                new Verb<>(
                        "insert",
                        "POST",
                        "runners",
                        john(),
                        (client, john) -> runners(client).insert(MARY),
                        there("2", "Mary")),
                new Verb<>(
                        "claim",
                        "POST",
                        "runners",
                        john(),
                        (client, john) -> runners(client).claim(MARY),
                        there("2", "Mary")),
                new Verb<>(
                        "upsert",
                        "PUT",
                        "runners",
                        john(),
                        (client, john) -> runners(client).insertOrReplace(JANE),
                        there("1", "Jane")),
                new Verb<>(
                        "replace",
                        "PUT",
                        "runners",
                        john(),
                        (client, john) -> runners(client).replace(john.with(JANE)),
                        there("1", "Jane")),
                new Verb<>(
                        "modify",
                        "PUT",
                        "runners",
                        john(),
                        (client, john) -> runners(client).modify("2026", "1", found -> JANE),
                        there("1", "Jane")),
                new Verb<>(
                        "delete a version",
                        "DELETE",
                        "runners",
                        john(),
                        (client, john) -> runners(client).delete(john),
                        noJohn()),
                new Verb<>(
                        "delete",
                        "DELETE",
                        "runners",
                        john(),
                        (client, john) -> runners(client).delete("2026", "1"),
                        noJohn()),
                new Verb<>(
                        "transaction",
                        "POST",
                        "batch",
                        john(),
                        (client, john) -> runners(client)
                                .transaction("2026")
                                .insert(MARY)
                                .insertOrReplace(JANE)
                                .commit(),
                        there("1", "Jane").and(there("2", "Mary"))),
                new Verb<>(
                        "insert with indexes",
                        "POST",
                        "batch",
                        indexedJohn(),
                        (client, john) -> runners(client).indexed(AGE).insert(MARY),
                        there("2", "Mary")),
                new Verb<>(
                        "replace with indexes",
                        "POST",
                        "batch",
                        indexedJohn(),
                        (client, john) -> runners(client).indexed(AGE).replace(john.with(JANE)),
                        there("1", "Jane")),
                new Verb<>(
                        "create a container",
                        "PUT",
                        "files",
                        with(client -> {}),
                        (client, none) -> client.container("files").create(),
                        client -> client.container("files").exists()),
                new Verb<>(
                        "upload",
                        "PUT",
                        "new",
                        files(),
                        (client, none) -> client.container("files").upload(new byte[5], "new"),
                        content("new", 5)),
                new Verb<>(
                        "overwrite",
                        "PUT",
                        "old",
                        files(),
                        (client, none) -> client.container("files").upload(new byte[5], "old", s -> s.overwrite()),
                        content("old", 5)),
                new Verb<>(
                        "upload in blocks",
                        "PUT",
                        "new",
                        files(),
                        (client, none) -> client.container("files").upload(new byte[5], "new", s -> s.blockSize(2)),
                        content("new", 5)),
                new Verb<>(
                        "upload a stream",
                        "PUT",
                        "new",
                        files(),
                        (client, none) -> client.container("files")
                                .upload(new ByteArrayInputStream(new byte[5]), "new", s -> s.blockSize(2)),
                        content("new", 5)),
                new Verb<>(
                        "copy",
                        "PUT",
                        "new",
                        files(),
                        (client, none) -> client.container("files").copyFrom(client.container("files"), "old", "new"),
                        content("new", 3)),
                new Verb<>(
                        "copy in blocks",
                        "PUT",
                        "new",
                        files(),
                        (client, none) -> client.container("files")
                                .copyFrom(client.container("files"), "old", "new", s -> s.blockSize(2)),
                        content("new", 3)),
                new Verb<>(
                        "start a copy",
                        "PUT",
                        "new",
                        files(),
                        (client, none) -> client.container("files").startCopy(client.container("files"), "old", "new"),
                        content("new", 3)),
                new Verb<>(
                        "append",
                        "PUT",
                        "log",
                        files(),
                        (client, none) ->
                                client.container("files").appendBlob("log").append(new byte[4]),
                        content("log", 4)),
                new Verb<>(
                        "create a page blob",
                        "PUT",
                        "new",
                        files(),
                        (client, none) ->
                                client.container("files").pageBlob("new").create(512),
                        content("new", 512)),
                new Verb<>(
                        "replace a page blob",
                        "PUT",
                        "disk",
                        files(),
                        (client, none) -> disk(client).create(512, s -> s.overwrite()),
                        content("disk", 512)),
                new Verb<>(
                        "write pages",
                        "PUT",
                        "disk",
                        files(),
                        (client, none) -> disk(client).write(0, PAGE),
                        client -> Arrays.equals(disk(client).read(0, 512), PAGE)),
                new Verb<>(
                        "clear pages",
                        "PUT",
                        "disk",
                        files(),
                        (client, none) -> disk(client).clear(512, 512),
                        client -> Arrays.equals(disk(client).read(512, 512), new byte[512])),
                new Verb<>(
                        "resize",
                        "PUT",
                        "disk",
                        files(),
                        (client, none) -> disk(client).resize(512),
                        content("disk", 512)),
                new Verb<>(
                        "set a sequence number",
                        "PUT",
                        "disk",
                        files(),
                        (client, none) -> disk(client).setSequenceNumber(7),
                        client -> disk(client).info().sequenceNumber() == 7),
                new Verb<>(
                        "set metadata",
                        "PUT",
                        "old",
                        files(),
                        (client, none) -> client.container("files").setMetadata("old", Map.of("a", "b")),
                        client ->
                                client.container("files").info("old").metadata().equals(Map.of("a", "b"))),
                new Verb<>(
                        "delete a blob",
                        "DELETE",
                        "old",
                        files(),
                        (client, none) -> client.container("files").deleteIfExists("old"),
                        client -> !client.container("files").exists("old")),
                new Verb<>(
                        "create a queue",
                        "PUT",
                        "orders",
                        with(client -> {}),
                        (client, none) -> client.queue("orders").create(),
                        client -> client.queue("orders").exists()),
                new Verb<>(
                        "send",
                        "POST",
                        "orders",
                        message(),
                        (client, one) -> client.queue("orders").send("two"),
                        waiting(2)),
                new Verb<>(
                        "send all",
                        "POST",
                        "orders",
                        message(),
                        (client, one) -> client.queue("orders")
                                .sendAll(List.of("two", "three"))
                                .forEach(ClosingAtEachStepTest::rethrown),
                        waiting(3)),
                new Verb<>(
                        "delete a message",
                        "DELETE",
                        "orders",
                        message(),
                        (client, one) -> client.queue("orders").delete(one),
                        waiting(0)),
                new Verb<>(
                        "update a message",
                        "PUT",
                        "orders",
                        message(),
                        (client, one) -> client.queue("orders").update(one, Duration.ZERO),
                        client -> !client.queue("orders").peek(1).isEmpty()),
                new Verb<>(
                        "clear",
                        "DELETE",
                        "orders",
                        message(),
                        (client, one) -> client.queue("orders").clear(),
                        waiting(0)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verbs")
    @DisplayName("OUTCOME-0: a client that is closed at any step of a write reports no false failure")
    void closed(Verb<?> verb) {
        atEachStep(verb, false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("verbs")
    @DisplayName("OUTCOME-0: nor one that is closed at any step after a lost response")
    void closedAfterLostResponse(Verb<?> verb) {
        atEachStep(verb, true);
    }

    /** Every third step is taken, and without a lost response every sixth; nightly runs take all, and every second. */
    private <P> void atEachStep(Verb<P> verb, boolean lost) {
        long steps = at(verb, lost, Long.MAX_VALUE);
        assertThat(steps).isPositive();
        for (long step = 1; step <= steps; step += lost ? STRIDE : 2 * STRIDE) {
            at(verb, lost, step);
        }
    }

    /** Closes the client at this step. Gives the number of steps that were made. */
    private <P> long at(Verb<P> verb, boolean lost, long closing) {
        memory.clear();
        P prepared = verb.prepared.apply(other);
        if (lost) {
            memory.loseNextResponse(verb.method, verb.path);
        }
        Throwable failure = null;
        Steps steps;
        try (Stowline client = client()) {
            steps = new Steps(Thread.currentThread(), closing, client::close);
            Hooks.onEachOperator("steps", Operators.lift((source, actual) -> new Counted<>(steps, actual)));
            try {
                verb.verb.make(client, prepared);
            } catch (StorageException | ClosedException e) {
                failure = e;
            } finally {
                Hooks.resetOnEachOperator("steps");
            }
        }
        boolean applied = verb.applied.test(other);
        if (failure == null) {
            assertThat(applied)
                    .as("%s succeeded, closed at step %d", verb, closing)
                    .isTrue();
        } else if (!(failure instanceof OutcomeUnknownException)) {
            assertThat(applied)
                    .as("%s closed at step %d of %d ended with %s", verb, closing, steps.made, failure)
                    .isFalse();
        }
        return steps.made;
    }

    /** The steps of an operation on its thread, of which one closes the client. */
    private static final class Steps {

        private final Thread operation;
        private final long closing;
        private final Runnable close;
        private long made;

        Steps(Thread operation, long closing, Runnable close) {
            this.operation = operation;
            this.closing = closing;
            this.close = close;
        }

        void step() {
            if (Thread.currentThread() == operation && ++made == closing) {
                CompletableFuture.runAsync(close).join();
            }
        }
    }

    /** A subscriber each of whose signals is a step. */
    private record Counted<A>(Steps steps, CoreSubscriber<? super A> actual) implements CoreSubscriber<A> {

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            steps.step();
            actual.onSubscribe(subscription);
        }

        @Override
        public void onNext(A value) {
            steps.step();
            actual.onNext(value);
        }

        @Override
        public void onError(@Nullable Throwable error) {
            steps.step();
            actual.onError(error);
        }

        @Override
        public void onComplete() {
            steps.step();
            actual.onComplete();
        }
    }
}
