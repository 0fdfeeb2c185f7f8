package io.stowline.batching.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.batching.internal.batch.BatchDescriptor;
import io.stowline.batching.internal.batch.BatchReply;
import io.stowline.batching.internal.batch.BatchReply.ItemReply;
import io.stowline.batching.internal.batch.DeliveryBatch;
import io.stowline.batching.internal.engine.TestErrors.LeftoverException;
import io.stowline.batching.internal.writer.Batcher;
import io.stowline.batching.internal.writer.PendingItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class EndedTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<String> log = new ArrayList<>();
    private final BatchingEngine<String, String, String> lanes = TestEngine.builder(new Descriptor(), this::send)
            .limits(4, 1_000, 100)
            .callbacks(TestCallbacks.on(Runnable::run))
            .timer(time)
            .build();

    private final class Descriptor implements BatchDescriptor<String> {
        @Override
        public Object entity(String item) {
            return "entity";
        }

        @Override
        public int size(String item) {
            return 10;
        }

        @Override
        public boolean reportsEnd(String item) {
            return !item.startsWith("quiet");
        }

        @Override
        public String coalesce(String earlier, String later) {
            return later;
        }

        @Override
        public void ended(String item, @Nullable Throwable failure) {
            log.add("ended " + item
                    + (failure == null ? "" : " " + failure.getClass().getSimpleName()));
        }
    }

    private Mono<BatchReply<String>> send(DeliveryBatch<String, String> batch) {
        log.add("sent " + batch.items());
        String first = batch.items().get(0);
        return first.equals("silent")
                ? Mono.never()
                : Mono.just(new BatchReply.PerItem<>(List.of(
                        first.equals("bad")
                                ? new ItemReply.ItemFailed<>(new IllegalStateException("bad"))
                                : new ItemReply.ItemDone<>("done"))));
    }

    private Batcher<String, String, String> batcher(Duration linger, int items) {
        return lanes.batcher(TestSettings.builder()
                .linger(linger)
                .bufferItems(items)
                .closeTimeout(Duration.ofSeconds(1))
                .build());
    }

    @Test
    @DisplayName(
            "BATCH-15: the end of an item is told before the next item of its entity is sent, and before its callback")
    void isReportedFirst() {
        Batcher<String, String, String> batcher = batcher(Duration.ofMinutes(1), 10);
        batcher.submit("k", "good").whenComplete((value, error) -> log.add("callback"));
        batcher.submit("k", "bad");
        time.advanceTimeBy(Duration.ofMinutes(1));

        assertThat(log).startsWith("sent [good]", "ended good").contains("callback");
        assertThat(log).containsSubsequence("ended good", "sent [bad]", "ended bad IllegalStateException");
    }

    @Test
    @DisplayName("BATCH-15: an item that is cancelled, left over, or leaves the line has ended, too")
    void isReportedOfEveryEnd() {
        Batcher<String, String, String> batcher = batcher(Duration.ZERO, 2);
        batcher.submit("k", "silent");
        PendingItem<String> cancelled = batcher.submit("k", "queued");
        var waiting = batcher.write("k", "waiting").subscribe(value -> {}, error -> {});

        waiting.dispose();
        assertThat(cancelled.cancel()).isTrue();
        var closing = batcher.closeAsync().subscribe(nothing -> {}, error -> {});
        time.advanceTimeBy(Duration.ofSeconds(2));

        assertThat(log)
                .containsExactly(
                        "sent [silent]",
                        "ended waiting " + CancellationException.class.getSimpleName(),
                        "ended queued " + CancellationException.class.getSimpleName(),
                        "ended silent " + LeftoverException.class.getSimpleName());
        assertThat(closing.isDisposed()).isTrue();
    }

    @Test
    @DisplayName(
            "BATCH-15: of an item that is cancelled in flight the cancel is told at once, and its end when it comes")
    void isReportedOfACancelInFlight() {
        Batcher<String, String, String> batcher = batcher(Duration.ZERO, 2);
        PendingItem<String> cancelled = batcher.submit("k", "silent");

        assertThat(cancelled.cancel()).isFalse();

        assertThat(log).containsExactly("sent [silent]", "ended silent CancellationException");
        var closing = batcher.closeAsync().subscribe(nothing -> {}, error -> {});
        time.advanceTimeBy(Duration.ofSeconds(2));
        assertThat(closing.isDisposed()).isTrue();
        assertThat(log).last().isEqualTo("ended silent LeftoverException");
    }

    @Test
    @DisplayName("BATCH-15: the end of an item that reports none is not reported, also of a cancelled one")
    void isNotReportedOfQuietItems() {
        Batcher<String, String, String> batcher = batcher(Duration.ofMinutes(1), 10);
        PendingItem<String> done = batcher.submit("k", "quiet");
        time.advanceTimeBy(Duration.ofMinutes(1));
        PendingItem<String> cancelled = batcher.submit("k", "quiet, too");

        assertThat(done.isDone()).isTrue();
        assertThat(cancelled.cancel()).isTrue();
        assertThat(log).containsExactly("sent [quiet]");
    }

    @Test
    @DisplayName("BATCH-15: a merged item reports its end if what it was merged into does")
    void isReportedOfTheMergedItem() {
        Batcher<String, String, String> batcher = lanes.batcher(TestSettings.builder()
                .linger(Duration.ofMinutes(1))
                .coalesce(true)
                .build());
        batcher.submit("k", "quiet");
        batcher.submit("k", "good");
        time.advanceTimeBy(Duration.ofMinutes(1));
        batcher.submit("k", "good");
        batcher.submit("k", "quiet");
        time.advanceTimeBy(Duration.ofMinutes(1));

        assertThat(log).containsExactly("sent [good]", "ended good", "sent [quiet]");
    }
}
