package io.stowline.blob.internal.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.StubBlobs;
import io.stowline.blob.internal.base.StubBlobs.BlobStubResponse;
import io.stowline.error.ClosedException;
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

/** The report of a transfer that ends early. */
@Timeout(60)
class TransferEndTest {

    private static final long LARGE = 20L << 20;

    private final StubBlobs blobs = new StubBlobs(requested -> BlobStubResponse.refusal(400, "Unexpected"));
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

    private CompletableFuture<TransferReport> running(Flux<TransferStep> plan) {
        return new DirectoryTransfer(
                        "upload",
                        blobs.scope(),
                        DirectorySettings.builder()
                                .parallelism(3)
                                .collectFailures()
                                .eachItem(heard::add)
                                .build(),
                        plan)
                .run()
                .toFuture();
    }

    private void giveUp() {
        blobs.scope().service().pipeline().observer().inFlight().abandon();
    }

    private static TransferFailedException endOf(CompletableFuture<TransferReport> transfer) {
        return catchThrowableOfType(
                TransferFailedException.class, () -> Mono.fromFuture(transfer).block());
    }

    @Test
    @DisplayName(
            "TRANSFER-4: once the client refuses a blob those in flight go on to their ends, and no other one begins")
    void refusedBlob() {
        Sinks.One<Item> second = Sinks.one();
        Sinks.One<Item> refused = Sinks.one();
        CompletableFuture<TransferReport> transfer = running(
                Flux.just(step("a", 1, first.asMono()), step("b", 1, refused.asMono()), step("c", 1, second.asMono()))
                        .concatWith(Flux.range(0, 100).map(i -> step("late" + i, 1, Mono.never()))));
        begun.clear();

        refused.tryEmitError(new ClosedException("closed"));
        first.tryEmitValue(new Item("a", Action.TRANSFERRED, 1, null));
        assertThat(transfer).isNotDone();
        second.tryEmitError(new IllegalStateException("its own"));

        TransferFailedException end = endOf(transfer);
        assertThat(end).hasCauseInstanceOf(ClosedException.class);
        assertThat(end.report().transferred()).isOne();
        assertThat(end.report().failed()).isOne();
        assertThat(end.report().cancelled()).isZero();
        assertThat(begun).isEmpty();
        assertThat(heard).extracting(Item::name).containsExactlyInAnyOrder("a", "c");
    }

    @Test
    @DisplayName("TRANSFER-4: once the client refuses the listing the blobs in flight go on to their ends")
    void refusedListing() {
        CompletableFuture<TransferReport> transfer =
                running(Flux.just(step("a", 1, first.asMono())).concatWith(Mono.error(new ClosedException("closed"))));

        assertThat(transfer).isNotDone();
        first.tryEmitValue(new Item("a", Action.TRANSFERRED, 1, null));

        TransferFailedException end = endOf(transfer);
        assertThat(end).hasCauseInstanceOf(ClosedException.class);
        assertThat(end.report().transferred()).isOne();
        assertThat(end.report().cancelled()).isZero();
    }

    @Test
    @DisplayName(
            "TRANSFER-4: what was done before the client refused the listing counts, and its last steps do not begin")
    void doneBeforeTheRefusal() {
        CompletableFuture<TransferReport> transfer = new DirectoryTransfer(
                        "upload",
                        blobs.scope(),
                        DirectorySettings.builder().build(),
                        Flux.just(TransferStep.ended("done", Action.DELETED))
                                .concatWith(Mono.error(new ClosedException("closed"))),
                        Flux.just(step("last", 1, Mono.never())),
                        new TransferTally())
                .run()
                .toFuture();

        TransferFailedException end = endOf(transfer);
        assertThat(end.report().deleted()).isOne();
        assertThat(end.report().cancelled()).isZero();
        assertThat(begun).isEmpty();
    }

    @Test
    @DisplayName("TRANSFER-4: what hangs when the client gives up keeps no transfer from its end, and is cancelled")
    void givenUp() {
        CompletableFuture<TransferReport> transfer =
                running(Flux.just(step("a", 1, Mono.never()), step("b", 1, first.asMono()))
                        .concatWith(Flux.never()));
        first.tryEmitError(new ClosedException("closed"));
        assertThat(transfer).isNotDone();

        giveUp();

        TransferFailedException end = endOf(transfer);
        assertThat(end).hasCauseInstanceOf(ClosedException.class);
        assertThat(end.report().failed()).isZero();
        assertThat(end.report().cancelled()).isOne();
        assertThat(heard).extracting(Item::name).containsExactly("a");
        assertThat(heard).extracting(Item::action).containsExactly(Action.CANCELLED);
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
                .doOnCancel(() -> works.forEach(work -> work.onError(cut())));
        CompletableFuture<TransferReport> end = new DirectoryTransfer(
                        "upload", blobs.scope(), DirectorySettings.builder().build(), plan)
                .run()
                .contextWrite(Context.of("reactor.onErrorDropped.local", drop))
                .toFuture();

        giveUp();

        assertThat(end).isCompletedExceptionally();
        assertThat(works).hasSize(2);
        assertThat(dropped).isEmpty();
    }

    private static UnreachableException cut() {
        return new UnreachableException(
                FailureFacts.of("downloadTo", "photos/small").because("cut", "closed"), null);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
