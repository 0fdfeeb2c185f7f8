package io.stowline.table.internal.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.BatchSender;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.WriteFlux;
import io.stowline.batching.internal.engine.BatchingEngine;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import io.stowline.table.WriterSettings;
import io.stowline.table.internal.operation.LaneSettings;
import io.stowline.transport.internal.concurrent.Callbacks;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The engine with the callbacks of the client, on an executor of one thread, and on one that runs them in the caller. */
@Timeout(60)
class LaneCallbacksTest {

    private final ExecutorService one = Executors.newSingleThreadExecutor();

    @AfterEach
    void stop() {
        one.shutdownNow();
    }

    enum Where {
        ONE_THREAD,
        CALLER
    }

    enum How {
        FUTURE,
        RESULT,
        AWAIT,
        WRITE,
        WRITES,
        WRITE_ALL,
        FLUSH,
        GROUP,
        CLOSE
    }

    private record NamedItem() implements BatchDescriptor<String> {

        @Override
        public Object entity(String item) {
            return item;
        }

        @Override
        public int size(String item) {
            return 10;
        }
    }

    private static BatchReply<String> allDone(DeliveryBatch<String, String> batch) {
        return new BatchReply.PerItem<>(batch.items().stream()
                .<ItemReply<String>>map(item -> new ItemReply.ItemDone<>("done " + item))
                .toList());
    }

    private static BatchingEngine<String, String, String> engine(
            Executor callbacks, BatchSender<String, String, String> sender) {
        return BatchingEngine.builder(new NamedItem(), sender)
                .callbacks(new LaneCallbacks(Callbacks.on(callbacks)))
                .errors(new WriterErrors())
                .build();
    }

    private BatchingEngine<String, String, String> engine(Where where) {
        return engine(where == Where.CALLER ? Runnable::run : one, batch -> Mono.fromCallable(() -> allDone(batch))
                .subscribeOn(Schedulers.boundedElastic()));
    }

    private static LaneSettings settings() {
        return new LaneSettings(WriterSettings.defaults());
    }

    private static Object request(
            How how, BatchingEngine<String, String, String> engine, Batcher<String, String, String> batcher)
            throws Exception {
        return switch (how) {
            case FUTURE -> batcher.submit("b", "b").toFuture().join();
            case RESULT -> batcher.submit("b", "b").result().block();
            case AWAIT -> batcher.submit("b", "b").await();
            case WRITE -> batcher.write("b", "b").block();
            case WRITES ->
                batcher.write("b", "b").flatMap(done -> batcher.write("b", "b")).block();
            case WRITE_ALL ->
                WriteFlux.writeAll(batcher, Mono.just(TaggedItem.of("b", "b", "tag")))
                        .blockLast()
                        .value();
            case FLUSH -> {
                batcher.submit("b", "b");
                yield batcher.flush().map(report -> "done b").block();
            }
            case GROUP -> engine.submitAtomic("b", List.of("b")).block().get(0);
            case CLOSE -> {
                batcher.submit("b", "b");
                batcher.closeAsync().block();
                yield "done b";
            }
        };
    }

    private Object requested(Where where, How how) throws Exception {
        BatchingEngine<String, String, String> engine = engine(where);
        Batcher<String, String, String> batcher = engine.batcher(settings());
        CompletableFuture<Object> result = new CompletableFuture<>();
        batcher.submit("a", "a").whenComplete((value, error) -> {
            try {
                result.complete(request(how, engine, batcher));
            } catch (Throwable failed) {
                result.completeExceptionally(failed);
            }
        });
        return result.get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource(How.class)
    @DisplayName("BATCH-13 BATCH-8: a callback may wait for another result although no other thread runs callbacks")
    void waitsOnOneThread(How how) throws Exception {
        assertThat(requested(Where.ONE_THREAD, how)).isEqualTo("done b");
    }

    @ParameterizedTest
    @EnumSource(How.class)
    @DisplayName("BATCH-13 BATCH-8: a callback may wait for another result on an executor that runs it in the caller")
    void waitsInTheCaller(How how) throws Exception {
        assertThat(requested(Where.CALLER, how)).isEqualTo("done b");
    }

    @ParameterizedTest
    @EnumSource(Where.class)
    @DisplayName("BATCH-13: a callback may wait for an earlier future, though that one's callback waits behind it")
    void waitsForAnEarlierFuture(Where where) throws Exception {
        Batcher<String, String, String> batcher = engine(where).batcher(settings());
        CompletableFuture<Object> result = new CompletableFuture<>();
        PendingItem<String> first = batcher.submit("a", "a");
        CompletableFuture<String> later = batcher.submit("a", "b").toFuture();
        first.whenComplete((value, error) -> result.complete(later.join()));

        assertThat(result.get(20, TimeUnit.SECONDS)).isEqualTo("done b");
    }

    @ParameterizedTest
    @EnumSource(Where.class)
    @DisplayName("BATCH-13 BATCH-7: callbacks that wait for reactive submits go on when the buffer is full of results")
    void waitsForRoomInAFullBuffer(Where where) throws Exception {
        Batcher<String, String, String> batcher = engine(where)
                .batcher(
                        new LaneSettings(WriterSettings.builder().bufferItems(4).build()));
        CountDownLatch done = new CountDownLatch(40);
        List<String> results = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 40; i++) {
            int id = i;
            batcher.submit("a" + i % 3, "e" + i).whenComplete((value, error) -> {
                results.add(batcher.write("a" + id % 3, "n" + id).block());
                done.countDown();
            });
        }

        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(results).hasSize(40);
    }

    @Test
    @DisplayName("BATCH-13: a chain of 20,000 callbacks that request more neither overflows the stack nor stops")
    void chainsCallbacks() throws Exception {
        BatchingEngine<String, String, String> engine = engine(Runnable::run, batch -> Mono.just(allDone(batch)));
        CompletableFuture<Integer> end = new CompletableFuture<>();
        chain(engine.batcher(settings()), 0, end);

        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(20_000);
        assertThat(engine.callbackFailures()).isZero();
    }

    private static void chain(Batcher<String, String, String> batcher, int number, CompletableFuture<Integer> end) {
        if (number == 20_000) {
            end.complete(number);
            return;
        }
        batcher.submit("a", "e" + number).whenComplete((value, error) -> chain(batcher, number + 1, end));
    }

    @Test
    @DisplayName("BATCH-13 BATCH-12: a callback that throws is counted, and the next one runs")
    void countsThrowingCallbacks() throws Exception {
        BatchingEngine<String, String, String> engine = engine(Where.ONE_THREAD);
        CompletableFuture<String> second = new CompletableFuture<>();
        PendingItem<String> item = engine.batcher(settings()).submit("a", "a");
        item.whenComplete((value, error) -> {
            throw new IllegalStateException("from the callback");
        });
        item.whenComplete((value, error) -> second.complete(value));

        assertThat(second.get(20, TimeUnit.SECONDS)).isEqualTo("done a");
        assertThat(engine.callbackFailures()).isEqualTo(1);
    }

    @Test
    @DisplayName("BATCH-13: a writer's executor that refuses loses no result: it arrives on a named daemon thread")
    void survivesARefusingExecutor() throws Exception {
        BatchingEngine<String, String, String> engine = engine(Where.CALLER);
        Batcher<String, String, String> batcher = engine.batcher(new LaneSettings(WriterSettings.builder()
                .callbacks(task -> {
                    throw new RejectedExecutionException("full");
                })
                .build()));
        CompletableFuture<String> thread = new CompletableFuture<>();
        batcher.submit("a", "a")
                .whenComplete(
                        (value, error) -> thread.complete(Thread.currentThread().getName()
                                + Thread.currentThread().isDaemon()));

        assertThat(thread.get(20, TimeUnit.SECONDS))
                .startsWith("stowline-batching-callbacks-")
                .endsWith("true");
        assertThat(engine.callbackFailures()).isEqualTo(1);
    }
}
