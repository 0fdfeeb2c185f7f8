package io.stowline.table.internal.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpHeaders;
import io.stowline.error.StorageInterruptedException;
import io.stowline.table.internal.request.QueryPage;
import io.stowline.transport.internal.concurrent.BlockingAwait;
import io.stowline.transport.internal.http.StorageResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;

class BlockingPageSourceTest {

    private static final int ROUNDS = 3_000;
    private static final long GUARD_SECONDS = 30;
    private static final ExecutorService RIVAL = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "rival");
        thread.setDaemon(true);
        return thread;
    });

    private final TestPublisher<QueryPage> feed = TestPublisher.create();
    private final BlockingPageSource inbox = source(feed.flux());

    private static BlockingPageSource source(Flux<QueryPage> pages) {
        return new BlockingPageSource(pages, () -> PageIterator.givenUp("notes", Duration.ZERO));
    }

    @AfterAll
    static void stopRival() {
        RIVAL.shutdownNow();
    }

    private static QueryPage page(int number) {
        return new QueryPage(
                new StorageResponse(200, new HttpHeaders(), new byte[] {(byte) (number >> 8), (byte) number}), null);
    }

    private static int number(QueryPage page) {
        byte[] body = page.response().body();
        return ((body[0] & 0xFF) << 8) | (body[1] & 0xFF);
    }

    /** A taker that may ask without wanting yet, and give up. */
    private static final class Taker extends BaseSubscriber<QueryPage> {

        private final CompletableFuture<@Nullable QueryPage> taken = new CompletableFuture<>();
        private final boolean wants;

        Taker(boolean wants) {
            this.wants = wants;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            if (wants) {
                subscription.request(1);
            }
        }

        @Override
        protected void hookOnNext(QueryPage page) {
            taken.complete(page);
        }

        @Override
        protected void hookOnComplete() {
            taken.complete(null);
        }

        @Override
        protected void hookOnError(Throwable error) {
            taken.completeExceptionally(error);
        }

        boolean has() {
            return taken.isDone() && !taken.isCompletedExceptionally() && taken.join() != null;
        }
    }

    private static Taker request(BlockingPageSource inbox) {
        Taker taker = new Taker(true);
        inbox.next().subscribe(taker);
        return taker;
    }

    /** The end of a taker, which must not be late. */
    private static String end(Taker taker) {
        try {
            QueryPage page = taker.taken.get(GUARD_SECONDS, TimeUnit.SECONDS);
            return page == null ? "end" : "page " + number(page);
        } catch (TimeoutException e) {
            return "hangs";
        } catch (CancellationException e) {
            return e.getClass().getSimpleName();
        } catch (InterruptedException | ExecutionException e) {
            return String.valueOf(
                    e.getCause() == null ? e : e.getCause().getClass().getSimpleName());
        }
    }

    private String next() {
        return end(request(inbox));
    }

    @Test
    @DisplayName("RETRY-8: an interrupt of a wait for a later page has the facts of the query, too")
    void laterWaitHasFacts() {
        CompletableFuture<QueryPage> first = inbox.next().toFuture();
        feed.next(page(1));
        assertThat(first).isCompleted();
        Mono<QueryPage> second =
                inbox.next().doOnSubscribe(begun -> Thread.currentThread().interrupt());

        StorageInterruptedException thrown =
                catchThrowableOfType(StorageInterruptedException.class, () -> BlockingAwait.on(second));

        assertThat(Thread.interrupted()).isTrue();
        assertThat(thrown.failure())
                .hasValueSatisfying(details -> assertThat(details.resource()).isEqualTo("notes"));
    }

    @Test
    @DisplayName("MAP-5: a page is asked for only when somebody waits for it, one for each")
    void requestsOneAtATime() {
        feed.assertWasNotSubscribed();
        Taker first = request(inbox);
        feed.assertMinRequested(1).assertMaxRequested(1).next(page(1));
        Taker second = request(inbox);
        feed.assertMaxRequested(2).next(page(2)).complete();

        assertThat(List.of(end(first), end(second), next(), next())).containsExactly("page 1", "page 2", "end", "end");
    }

    @Test
    @DisplayName("T16: a failure is told to whoever waits and to all who ask afterwards")
    void tellsFailures() {
        Taker waiting = request(inbox);
        feed.error(new IllegalStateException("broken"));

        assertThat(List.of(end(waiting), next())).containsOnly("IllegalStateException");
    }

    @Test
    void cancelledBeforeItBeganSendsNothing() {
        inbox.cancel();

        assertThat(next()).isEqualTo("end");
        feed.assertWasNotRequested();
    }

    @Test
    @DisplayName("T16: what is cancelled while somebody waits is no last page")
    void cancelledWhileWaitedFor() {
        Taker waiting = request(inbox);
        inbox.cancel();

        assertThat(end(waiting)).isEqualTo("CancellationException");
        feed.assertCancelled();
    }

    @Test
    @DisplayName("T16: who gives up while a page is under way ends the query, and the next ask fails")
    void givingUpWhileWaiting() {
        Taker waiting = request(inbox);
        waiting.cancel();

        feed.assertCancelled();
        assertThat(next()).isEqualTo("CancellationException");
    }

    @Test
    @DisplayName(
            "T16: who gives up with the page on its way to him ends the query, and the next ask is not told of an end")
    void givingUpWithThePageAtHand() {
        Taker hesitating = new Taker(false);
        inbox.next().subscribe(hesitating);
        feed.next(page(1));
        hesitating.cancel();

        feed.assertCancelled();
        assertThat(next()).isEqualTo("CancellationException");
    }

    /** Runs both at the same time and returns when both are done. */
    private static void race(Runnable one, Runnable other) {
        CyclicBarrier start = new CyclicBarrier(2);
        CompletableFuture<Void> rival = CompletableFuture.runAsync(() -> begin(start, other), RIVAL);
        begin(start, one);
        rival.orTimeout(GUARD_SECONDS, TimeUnit.SECONDS).join();
    }

    private static void begin(CyclicBarrier start, Runnable work) {
        try {
            start.await(GUARD_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
        work.run();
    }

    @Test
    @DisplayName("T16: an end and an ask that come together find each other")
    void endBesideAnAsk() {
        for (int round = 0; round < ROUNDS; round++) {
            TestPublisher<QueryPage> pages = TestPublisher.create();
            BlockingPageSource each = source(pages.flux());
            Taker first = request(each);
            pages.next(page(round));
            Taker second = new Taker(true);
            boolean fails = round % 2 == 0;
            race(() -> each.next().subscribe(second), () -> finish(pages, fails));

            assertThat(end(first)).isEqualTo("page " + (round & 0xFFFF));
            assertThat(end(second)).isEqualTo(fails ? "IllegalStateException" : "end");
        }
    }

    private static void finish(TestPublisher<QueryPage> pages, boolean fails) {
        if (fails) {
            pages.error(new IllegalStateException("broken"));
        } else {
            pages.complete();
        }
    }

    @Test
    @DisplayName("T16: a cancel beside an ask, a page or an end leaves nobody waiting")
    void cancelBesideAnything() {
        for (int round = 0; round < ROUNDS; round++) {
            TestPublisher<QueryPage> pages = TestPublisher.create();
            BlockingPageSource each = source(pages.flux());
            Taker taker = new Taker(true);
            Runnable requests = () -> each.next().subscribe(taker);
            if (round % 3 != 0) {
                requests.run();
            }
            QueryPage page = page(round);
            race(round % 3 == 0 ? requests : round % 3 == 1 ? () -> pages.next(page) : pages::complete, each::cancel);

            assertThat(end(taker)).isIn("end", "CancellationException", "page " + (round & 0xFFFF));
            assertThat(end(request(each))).isIn("end", "CancellationException");
            pages.assertNoSubscribers();
        }
    }

    @Test
    @DisplayName("T16: a taker who gives up beside a page has it, or nobody is told of an end")
    void givingUpBesideAPage() {
        for (int round = 0; round < ROUNDS; round++) {
            TestPublisher<QueryPage> pages = TestPublisher.create();
            BlockingPageSource each = source(pages.flux());
            Taker taker = request(each);
            QueryPage page = page(round);
            race(() -> pages.next(page), taker::cancel);

            Taker later = request(each);
            if (taker.has() && !pages.wasCancelled()) {
                pages.complete();
                assertThat(end(later)).isEqualTo("end");
            } else {
                assertThat(end(later)).as("round %s", round).isEqualTo("CancellationException");
            }
        }
    }

    @Test
    @DisplayName("T7: pages that come from several threads are each taken once, those of a part in their order")
    void manyPartsOnManyThreads() {
        int parts = 6;
        int pages = 40;
        for (int round = 0; round < ROUNDS / 100; round++) {
            List<Flux<QueryPage>> sources = IntStream.range(0, parts)
                    .mapToObj(part -> Flux.range(part * pages, pages)
                            .map(BlockingPageSourceTest::page)
                            .publishOn(Schedulers.parallel(), 1))
                    .toList();
            boolean ordered = round % 2 == 0;
            BlockingPageSource each = source(
                    ordered
                            ? Flux.fromIterable(sources).flatMapSequential(source -> source, 3, 1)
                            : Flux.fromIterable(sources).flatMap(source -> source, 3, 1));

            List<Integer> taken = all(each);
            assertThat(taken).hasSize(parts * pages).doesNotHaveDuplicates();
            if (ordered) {
                assertThat(taken).isSorted();
            }
            for (int part = 0; part < parts; part++) {
                int of = part;
                assertThat(taken.stream().filter(number -> number / pages == of))
                        .isSorted();
            }
        }
    }

    private static List<Integer> all(BlockingPageSource pages) {
        List<Integer> taken = new ArrayList<>();
        for (String next = end(request(pages)); !next.equals("end"); next = end(request(pages))) {
            assertThat(next).startsWith("page ");
            taken.add(Integer.valueOf(next.substring("page ".length())));
        }
        return taken;
    }
}
