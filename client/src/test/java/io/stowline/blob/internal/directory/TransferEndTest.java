package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stowline.batching.ClosedException;
import io.stowline.blob.DirectorySettings;
import io.stowline.blob.DirectorySettings.OnFailure;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.Told;
import io.stowline.error.UnreachableException;
import io.stowline.transport.internal.error.FailureFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/** What a transfer says of its blobs when it ends early. */
@Timeout(60)
class TransferEndTest {

    private static final long LARGE = 20L << 20;

    private final StubBlobs blobs = new StubBlobs(asked -> Told.refusal(400, "Unexpected"));
    private final List<String> begun = new ArrayList<>();
    private final Sinks.One<Item> first = Sinks.one();
    private final BlockingQueue<Item> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        blobs.close();
    }

    private TransferStep step(String name, long bytes, Mono<Item> end) {
        return TransferStep.moving(name, bytes, () -> {
            begun.add(name);
            return end;
        });
    }

    /** Four slots: the small blob has one, the large one the others, and the last one waits. */
    private DirectoryTransfer transfer(UnaryOperator<DirectorySettings.Builder> settings) {
        return new DirectoryTransfer(
                "upload",
                blobs.scope(),
                settings.apply(DirectorySettings.builder().parallelism(4)).build(),
                Flux.just(
                        step("small", 1, first.asMono()),
                        step("large", LARGE, Mono.never()),
                        step("waiting", LARGE, Mono.never())));
    }

    @Test
    @DisplayName("TRANSFER-4: the end of a blob that a failure cancels admits no other one")
    void failure() {
        CompletableFuture<TransferReport> end = transfer(with -> with).run().toFuture();

        first.tryEmitError(new IllegalStateException("mine"));

        TransferReport report = catchThrowableOfType(TransferFailedException.class, () -> Mono.fromFuture(end)
                        .block())
                .report();
        assertThat(begun).containsExactly("small", "large");
        assertThat(report.failed()).isOne();
        assertThat(report.cancelled()).isOne();
    }

    @Test
    @DisplayName("TRANSFER-4: a listener hears what was in flight at a cancellation, and of no other blob")
    void cancellation() throws Exception {
        DirectoryTransfer transfer = transfer(with -> with.eachItem(heard::add));
        Disposable running = transfer.run().subscribe();
        first.tryEmitValue(new Item("small", Action.TRANSFERRED, 1, null));
        assertThat(heard.poll(1, TimeUnit.MINUTES)).extracting(Item::name).isEqualTo("small");

        running.dispose();

        assertThat(transfer.cancellation()).hasCauseInstanceOf(CancellationException.class);
        assertThat(transfer.cancellation().report().transferred()).isOne();
        assertThat(transfer.cancellation().report().cancelled()).isOne();
        assertThat(heard.poll(1, TimeUnit.MINUTES)).satisfies(item -> {
            assertThat(item.name()).isEqualTo("large");
            assertThat(item.action()).isEqualTo(Action.CANCELLED);
            assertThat(item.error()).isInstanceOf(CancellationException.class);
        });
        assertThat(begun).containsExactly("small", "large");
        assertThat(heard).isEmpty();
    }

    @Test
    @DisplayName(
            "a cancellation while the listener runs waits for nothing, and the listener still hears one item at a time")
    void cancelledInTheListener() throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Disposable running = transfer(with -> with.eachItem(item -> {
                    called.countDown();
                    await(goOn);
                    heard.add(item);
                }))
                .run()
                .subscribe();
        first.tryEmitValue(new Item("small", Action.TRANSFERRED, 1, null));
        await(called);

        running.dispose();

        assertThat(heard).isEmpty();
        goOn.countDown();
        assertThat(heard.poll(1, TimeUnit.MINUTES)).extracting(Item::name).isEqualTo("small");
        assertThat(heard.poll(1, TimeUnit.MINUTES)).extracting(Item::name).isEqualTo("large");
    }

    @Test
    @DisplayName("TRANSFER-4: a blob that the close of the client cuts short is cancelled, not failed: it may be whole")
    void closed() {
        CompletableFuture<TransferReport> end = transfer(
                        with -> with.onFailure(OnFailure.COLLECT).eachItem(heard::add))
                .run()
                .toFuture();
        blobs.scope().service().pipeline().observing().inFlight().abandon();

        first.tryEmitError(new UnreachableException(
                FailureFacts.of("downloadTo", "photos/small").because("cut", "closed"), null));

        TransferReport report = catchThrowableOfType(TransferFailedException.class, () -> Mono.fromFuture(end)
                        .block())
                .report();
        assertThat(report.failed()).isZero();
        assertThat(report.cancelled()).isEqualTo(begun.size());
        assertThat(heard).extracting(Item::action).containsOnly(Action.CANCELLED);
        assertThat(heard).extracting(Item::name).containsExactlyInAnyOrderElementsOf(begun);
    }

    @Test
    @DisplayName("of errors that end a transfer together none is dropped: the first one is its end")
    void errorsTogether() {
        List<Subscriber<? super Item>> works = new ArrayList<>();
        List<Throwable> dropped = new ArrayList<>();
        Consumer<Throwable> drop = dropped::add;
        Publisher<Item> unstoppable = subscriber -> {
            subscriber.onSubscribe(Operators.emptySubscription());
            works.add(subscriber);
        };
        Flux<TransferStep> plan = Flux.just("a", "b")
                .map(name -> step(name, 1, Mono.fromDirect(unstoppable)))
                .concatWith(Flux.never())
                .doOnCancel(() -> works.get(1).onError(new ClosedException("closed")));
        CompletableFuture<TransferReport> end = new DirectoryTransfer(
                        "upload", blobs.scope(), DirectorySettings.builder().build(), plan)
                .run()
                .contextWrite(Context.of("reactor.onErrorDropped.local", drop))
                .toFuture();

        works.get(0).onError(new ClosedException("closed"));

        assertThat(end).isCompletedExceptionally();
        assertThat(works).hasSize(2);
        assertThat(dropped).isEmpty();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
