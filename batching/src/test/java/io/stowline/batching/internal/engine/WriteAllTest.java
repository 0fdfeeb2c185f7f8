package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.callback.FailedOutcome;
import io.stowline.batching.internal.callback.TaggedItem;
import io.stowline.batching.internal.callback.TaggedResult;
import io.stowline.batching.internal.callback.WriteFlux;
import io.stowline.batching.internal.engine.TestErrors.ClosedException;
import io.stowline.batching.internal.engine.TestErrors.OversizeItemException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.FlushCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class WriteAllTest {

    private static final int ITEMS = Integer.getInteger("stowline.explore", 1) > 1 ? 1_000_000 : 100_000;

    private final Rig rig = new Rig();
    private final Batcher<String, Item, String> batcher = rig.batcher();
    private final TestPublisher<TaggedItem<String, Item, Integer>> source = TestPublisher.create();
    private final Taker taker = new Taker();

    @Test
    @DisplayName("BATCH-1 BATCH-7: each item has one result with its tag, in the order of their coming")
    void givesResultsAsTheyCome() {
        StepVerifier.create(WriteFlux.writeAll(batcher, Flux.just(to("k", 1), to("other", 2), to("k", 3)))
                        .map(WriteAllTest::reported))
                .then(() -> rig.sent.get(1).done())
                .expectNext("2: done e2 2")
                .then(() -> rig.sent.get(0).done())
                .expectNext("1: done e1 1")
                .then(() -> rig.sent.get(2).done())
                .expectNext("3: done e3 3")
                .verifyComplete();
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-7: nothing is asked of the source before something is asked of the results")
    void startsAtTheFirstRequest() {
        WriteFlux.writeAll(batcher, source, 8).subscribe(taker);
        source.assertWasNotRequested();
        taker.request(1);
        source.assertMinRequested(8).assertMaxRequested(8);
    }

    @Test
    @DisplayName("BATCH-7: results wait until they are requested, and the source is asked for no more than the window")
    void honoursDemand() {
        AtomicLong requested = new AtomicLong();
        WriteFlux.writeAll(batcher, items(1_000).doOnRequest(requested::addAndGet), 8)
                .subscribe(taker);
        taker.request(2);
        rig.finishAll();
        assertThat(taker.results).hasSize(2);
        assertThat(batcher.bufferedItems()).isZero();
        assertThat(requested).hasValue(10);
        taker.request(6);
        rig.finishAll();
        assertThat(taker.results).hasSize(8);
        assertThat(requested).hasValue(16);
    }

    @Test
    @DisplayName("BATCH-7: without room items wait in line without a thread, and the source is asked for no more")
    void waitsForRoom() {
        Batcher<String, Item, String> small = rig.batcher(given -> given.bufferItems(10));
        small.submit("k", Item.of("first"));
        for (int i = 0; i < 8; i++) {
            small.submit("k", Item.of("x" + i));
        }
        AtomicLong requested = new AtomicLong();
        WriteFlux.writeAll(small, items(50).doOnRequest(requested::addAndGet), 5)
                .subscribe(taker);
        taker.request(Long.MAX_VALUE);
        assertThat(requested).hasValue(5);
        assertThat(small.bufferedItems()).isEqualTo(10);
        rig.finishAll();
        assertThat(taker.results).hasSize(50);
        assertThat(taker.completed).isTrue();
    }

    @Test
    @DisplayName("BATCH-1 BATCH-11: what is refused or fails is a result and not the end")
    void refusalsAreResults() {
        IllegalStateException noItem = new IllegalStateException("cannot be encoded");
        WriteFlux.writeAll(
                        batcher,
                        Flux.just(
                                TaggedItem.of("k", new Item("big", 2_000, 0), 1),
                                TaggedItem.<String, Item, Integer>refused(noItem, 2),
                                to("k", 3)))
                .subscribe(taker);
        taker.request(3);
        assertThat(taker.results).hasSize(2);
        assertThat(taker.results.get(0).failure()).containsInstanceOf(OversizeItemException.class);
        assertThat(taker.results.get(1).failure()).contains(noItem);
        IllegalStateException bad = new IllegalStateException("bad");
        rig.next().parts(List.of(new ItemReply.ItemFailed<>(bad)));
        assertThat(taker.results.get(2).tag()).isEqualTo(3);
        assertThatThrownBy(taker.results.get(2)::value).isSameAs(bad);
        assertThat(taker.completed).isTrue();
    }

    @Test
    @DisplayName("BATCH-9: failed results that were handed out count as taken")
    void countsAsTaken() {
        WriteFlux.writeAll(batcher, Flux.just(to("k", 1))).subscribe(taker);
        taker.request(1);
        rig.next().parts(List.of(new ItemReply.ItemFailed<>(new IllegalStateException("bad"))));
        batcher.close();
        assertThat(taker.results).hasSize(1);
    }

    @Test
    void aCheckedFailureIsWrapped() {
        Exception checked = new Exception("checked");
        assertThatThrownBy(new TaggedResult<>(1, new FailedOutcome(checked))::value)
                .isInstanceOf(CompletionException.class)
                .hasCause(checked);
    }

    @Test
    @DisplayName("BATCH-1: an error of the source comes after the results of what came before it")
    void errorsComeLast() {
        WriteFlux.writeAll(batcher, source).subscribe(taker);
        taker.request(5);
        source.next(to("k", 1));
        source.error(new IllegalStateException("source"));
        assertThat(taker.error).isNull();
        rig.next().done();
        assertThat(taker.results).hasSize(1);
        assertThat(taker.error).hasMessage("source");
    }

    @Test
    @DisplayName("BATCH-10: cancelling cancels the source and what is not sent; what is in flight still counts")
    void cancels() {
        WriteFlux.writeAll(batcher, source).subscribe(taker);
        taker.request(5);
        source.next(to("k", 1), to("k", 2), to("k", 3));
        taker.cancel();
        source.assertCancelled();
        assertThat(batcher.bufferedItems()).isEqualTo(1);
        List<FlushCounts> reports = new ArrayList<>();
        var unused = batcher.flush().subscribe(reports::add);
        rig.next().done();
        assertThat(reports).containsExactly(new FlushCounts(1, 0));
        assertThat(rig.isQuiet()).isTrue();
        assertThat(taker.results).isEmpty();
        batcher.close();
    }

    @Test
    @DisplayName("BATCH-10: a source whose cancel() throws leaves nothing in the buffer")
    void cancelsItemsThoughTheSourceThrows() {
        Flux<TaggedItem<String, Item, Integer>> broken =
                Flux.from(subscriber -> subscriber.onSubscribe(new Subscription() {
                    private int given;

                    @Override
                    public void request(long more) {
                        while (given < 3) {
                            subscriber.onNext(to("k", ++given));
                        }
                    }

                    @Override
                    public void cancel() {
                        throw new IllegalStateException("no");
                    }
                }));
        WriteFlux.writeAll(batcher, broken).subscribe(taker);
        taker.request(5);

        assertThatIllegalStateException().isThrownBy(taker::cancel).withMessage("no");

        assertThat(batcher.bufferedItems()).isEqualTo(1);
        rig.next().done();
        assertThat(rig.isQuiet()).isTrue();
    }

    @Test
    @DisplayName("BATCH-10: cancelling takes what waits for room out of the line")
    void cancelsTheLine() {
        Batcher<String, Item, String> small = rig.batcher(given -> given.bufferItems(1));
        small.submit("k", Item.of("first"));
        WriteFlux.writeAll(small, source, 1).subscribe(taker);
        taker.request(5);
        source.next(to("k", 1));
        taker.cancel();
        rig.next().done();
        assertThat(rig.isQuiet()).isTrue();
        assertThat(rig.lanes.laneCount()).isZero();
    }

    @Test
    @DisplayName("BATCH-1 BATCH-9: when the writer closes, what comes after fails one by one and nothing is lost")
    void survivesClose() {
        WriteFlux.writeAll(batcher, source, 100).subscribe(taker);
        taker.request(100);
        source.next(to("k", 1));
        var unused = batcher.closeAsync().subscribe();
        source.next(to("k", 2), to("k", 3));
        source.complete();
        assertThat(taker.results).hasSize(2).allSatisfy(result -> assertThat(result.failure())
                .containsInstanceOf(ClosedException.class));
        rig.next().done();
        assertThat(taker.results).hasSize(3);
        assertThat(taker.completed).isTrue();
    }

    @Test
    @DisplayName("BATCH-5: when the writer breaks, all that is left comes back as failed")
    void survivesDoom() {
        Batcher<String, Item, String> small = rig.batcher(given -> given.bufferItems(2));
        IllegalStateException gone = new IllegalStateException("the table is gone");
        WriteFlux.writeAll(small, items(20), 2).subscribe(taker);
        taker.request(20);
        rig.next().response(new BatchReply.Doomed<>(gone));
        assertThat(taker.results).hasSize(20).allSatisfy(result -> assertThat(result.failure())
                .contains(gone));
        assertThat(taker.completed).isTrue();
    }

    @Test
    @DisplayName("BATCH-13: results are handed out, and the source is asked, on the callback executor only")
    void usesTheCallbackExecutor() {
        Rig recording = Rig.recording();
        WriteFlux.writeAll(recording.batcher(), source, 2).subscribe(taker);
        taker.request(2);
        source.assertWasNotRequested();
        recording.runCallbacks();
        source.next(to("k", 1), TaggedItem.refused(new IllegalStateException("no"), 2));
        recording.next().done();
        assertThat(taker.results).isEmpty();
        recording.runCallbacks();
        assertThat(taker.results).hasSize(2);
    }

    @Test
    void theContextReachesTheSource() {
        Flux<TaggedResult<Integer, String>> results = WriteFlux.writeAll(
                batcher,
                Flux.deferContextual(
                        context -> Flux.just(TaggedItem.of("k", Item.of("e"), context.<Integer>get("tag")))));
        StepVerifier.create(results.contextWrite(context -> context.put("tag", 7)))
                .then(() -> rig.next().done())
                .assertNext(result -> assertThat(result.tag()).isEqualTo(7))
                .verifyComplete();
    }

    @Test
    void aRequestForNothingIsAnError() {
        WriteFlux.writeAll(batcher, source).subscribe(taker);
        taker.request(1);
        source.next(to("k", 1), to("k", 2));
        taker.plain().request(0);
        assertThat(taker.error).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("0");
        source.assertCancelled();
        rig.next().done();
        assertThat(rig.isQuiet()).isTrue();
        assertThat(taker.results).isEmpty();
    }

    @Test
    void refusesAWindowBeyondTheBuffer() {
        assertThatThrownBy(() -> WriteFlux.writeAll(batcher, source, 10_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("window must be between 1 and 10000 but was 10001");
        assertThatThrownBy(() -> WriteFlux.writeAll(batcher, source, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("BATCH-12: a subscriber that throws against the rules ends its own stream and nothing else")
    void survivesAThrowingSubscriber() {
        Flux<TaggedResult<Integer, String>> results = WriteFlux.writeAll(batcher, source);
        results.subscribe(new Thrower());
        source.next(to("k", 1), to("k", 2));
        rig.next().done();
        assertThat(rig.lanes.callbackFailures()).isEqualTo(1);
        source.assertCancelled();
        assertThat(rig.isQuiet()).isTrue();
        assertThat(batcher.bufferedItems()).isZero();
    }

    @Test
    @DisplayName("BATCH-14: items without number of a synchronous source and a synchronous sender take no stack")
    void doesNotRecurse() {
        BatchingEngine<String, Item, String> lanes = TestEngine.<String, Item, String>builder(
                        new Item.Descriptor(), batch -> Mono.just(Sent.allDone(batch)))
                .limits(100, 10_000, 50)
                .callbacks(TestCallbacks.on(Runnable::run))
                .build();
        AtomicInteger deepest = new AtomicInteger();
        Long count = WriteFlux.writeAll(
                        lanes.batcher(TestSettings.defaults()),
                        Flux.range(0, ITEMS).map(i -> TaggedItem.of("k" + i % 16, Item.of("e" + i), i)))
                .doOnNext(result -> {
                    if (result.tag() % 1_000 == 0) {
                        deepest.accumulateAndGet(new Throwable().getStackTrace().length, Math::max);
                    }
                })
                .filter(result -> result.failure().isEmpty())
                .count()
                .block(Duration.ofSeconds(60));
        assertThat(count).isEqualTo(ITEMS);
        assertThat(deepest).hasValueLessThan(400);
    }

    private static Flux<TaggedItem<String, Item, Integer>> items(int count) {
        return Flux.range(0, count).map(i -> to("k", i));
    }

    private static TaggedItem<String, Item, Integer> to(String key, int id) {
        return TaggedItem.of(key, Item.of("e" + id, id), id);
    }

    private static String reported(TaggedResult<Integer, String> result) {
        return result.tag() + ": " + result.value();
    }

    private static final class Thrower implements CoreSubscriber<Object> {

        @Override
        public void onSubscribe(Subscription subscription) {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(Object result) {
            throw new IllegalStateException("a subscriber must not throw");
        }

        @Override
        public void onError(Throwable error) {
            throw new AssertionError(error);
        }

        @Override
        public void onComplete() {
            throw new AssertionError("completed");
        }
    }

    /** Requests when the test says so. */
    private static class Taker extends BaseSubscriber<TaggedResult<Integer, String>> {

        final List<TaggedResult<Integer, String>> results = new ArrayList<>();
        boolean completed;
        Throwable error;

        Subscription plain() {
            return upstream();
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // nothing is requested yet
        }

        @Override
        protected void hookOnNext(TaggedResult<Integer, String> result) {
            results.add(result);
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }

        @Override
        protected void hookOnError(Throwable thrown) {
            error = thrown;
        }
    }
}
