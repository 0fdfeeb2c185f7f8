package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.Batcher;
import io.stowline.batching.internal.batch.PendingItem;
import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.WriteFlux;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Callbacks that wait for other results, on an executor of one thread, and on one that runs them in the caller. */
@Timeout(60)
class WaitingCallbackTest {

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

    private BatchingEngine<String, Item, String> lanes(Where where) {
        Executor callbacks = where == Where.CALLER ? Runnable::run : one;
        return TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(),
                        batch -> Mono.fromCallable(() -> Sent.allDone(batch)).subscribeOn(Schedulers.boundedElastic()))
                .callbacks(callbacks)
                .build();
    }

    private static Object ask(
            How how, BatchingEngine<String, Item, String> lanes, Batcher<String, Item, String> batcher)
            throws Exception {
        Item item = Item.of("b");
        return switch (how) {
            case FUTURE -> batcher.submit("b", item).toFuture().join();
            case RESULT -> batcher.submit("b", item).result().block();
            case AWAIT -> batcher.submit("b", item).await();
            case WRITE -> batcher.write("b", item).block();
            case WRITES ->
                batcher.write("b", item)
                        .flatMap(done -> batcher.write("b", item))
                        .block();
            case WRITE_ALL ->
                WriteFlux.writeAll(batcher, Mono.just(TaggedItem.of("b", item, "tag")))
                        .blockLast()
                        .value();
            case FLUSH -> {
                batcher.submit("b", item);
                yield batcher.flush().map(report -> "done b 0").block();
            }
            case GROUP -> lanes.submitAtomic("b", List.of(item)).block().get(0);
            case CLOSE -> {
                batcher.submit("b", item);
                batcher.closeAsync().block();
                yield "done b 0";
            }
        };
    }

    private Object requested(Where where, How how) throws Exception {
        BatchingEngine<String, Item, String> lanes = lanes(where);
        Batcher<String, Item, String> batcher = lanes.batcher(TestSettings.defaults());
        CompletableFuture<Object> response = new CompletableFuture<>();
        batcher.submit("a", Item.of("a")).whenComplete((value, error) -> {
            try {
                response.complete(ask(how, lanes, batcher));
            } catch (Throwable failed) {
                response.completeExceptionally(failed);
            }
        });
        return response.get(20, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @EnumSource(How.class)
    @DisplayName("BATCH-13 BATCH-8: a callback may wait for another result although no other thread runs callbacks")
    void waitsOnOneThread(How how) throws Exception {
        assertThat(requested(Where.ONE_THREAD, how)).isEqualTo("done b 0");
    }

    @ParameterizedTest
    @EnumSource(How.class)
    @DisplayName("BATCH-13 BATCH-8: a callback may wait for another result on an executor that runs it in the caller")
    void waitsInTheCaller(How how) throws Exception {
        assertThat(requested(Where.CALLER, how)).isEqualTo("done b 0");
    }

    @ParameterizedTest
    @EnumSource(Where.class)
    @DisplayName(
            "BATCH-13: a callback may wait for a future that was made before, though its callback waits behind this"
                    + " one")
    void waitsForAnEarlierFuture(Where where) throws Exception {
        Batcher<String, Item, String> batcher = lanes(where).batcher(TestSettings.defaults());
        CompletableFuture<Object> response = new CompletableFuture<>();
        PendingItem<String> first = batcher.submit("a", Item.of("a"));
        PendingItem<String> second = batcher.submit("a", Item.of("b"));
        CompletableFuture<String> later = second.toFuture();
        first.whenComplete((value, error) -> response.complete(later.join()));
        assertThat(response.get(20, TimeUnit.SECONDS)).isEqualTo("done b 0");
    }

    @ParameterizedTest
    @EnumSource(Where.class)
    @DisplayName(
            "BATCH-13 BATCH-7: callbacks that wait for their reactive submits go on when the buffer is full of results")
    void waitsForRoomInAFullBuffer(Where where) throws Exception {
        Batcher<String, Item, String> batcher =
                lanes(where).batcher(TestSettings.builder().bufferItems(4).build());
        CountDownLatch done = new CountDownLatch(40);
        List<String> results = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 40; i++) {
            int id = i;
            batcher.submit("a" + i % 3, Item.of("e" + i)).whenComplete((value, error) -> {
                results.add(batcher.write("a" + id % 3, Item.of("n" + id)).block());
                done.countDown();
            });
        }
        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(results).hasSize(40);
    }

    @Test
    @DisplayName("BATCH-13: a chain of callbacks that ask for more neither recurses without end nor stops")
    void asksAgainAndAgain() throws Exception {
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> Mono.just(Sent.allDone(batch)))
                .callbacks(Runnable::run)
                .build();
        Batcher<String, Item, String> batcher = lanes.batcher(TestSettings.defaults());
        CompletableFuture<Integer> end = new CompletableFuture<>();
        again(batcher, 0, end);
        assertThat(end.get(20, TimeUnit.SECONDS)).isEqualTo(20_000);
        assertThat(lanes.callbackFailures()).isZero();
    }

    private static void again(Batcher<String, Item, String> batcher, int number, CompletableFuture<Integer> end) {
        if (number == 20_000) {
            end.complete(number);
            return;
        }
        batcher.submit("a", Item.of("a", number)).whenComplete((value, error) -> again(batcher, number + 1, end));
    }
}
