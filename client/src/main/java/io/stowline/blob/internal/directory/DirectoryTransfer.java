package io.stowline.blob.internal.directory;

import io.stowline.blob.DirectorySettings;
import io.stowline.blob.TransferFailedException;
import io.stowline.blob.TransferProgress;
import io.stowline.blob.TransferReport;
import io.stowline.blob.TransferReport.Action;
import io.stowline.blob.TransferReport.Item;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlockingTask.TaskGroup;
import io.stowline.blob.internal.transfer.ProgressMeter;
import io.stowline.blob.internal.transfer.TransferSlots;
import io.stowline.error.ClosedException;
import io.stowline.error.OutcomeUnknownException;
import io.stowline.error.UnreachableException;
import io.stowline.transport.internal.concurrent.UserCode;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One transfer of many blobs. It reads the plan ahead of the work, so that the totals of up to {@link #AHEAD} names are known early, and does
 * the work of several names at a time. Serves one subscription. Thread-safe.
 */
public final class DirectoryTransfer {

    /** The number of names that are known before their turn comes. */
    static final int AHEAD = 10_000;

    private final String what;
    private final BlobContext context;
    private final DirectorySettings settings;
    private final Flux<TransferStep> plan;
    private final Flux<TransferStep> last;
    private final LongSupplier clock;
    private final TransferTally tally;
    private final TransferSlots slots;
    private final TaskGroup tasks = new TaskGroup();
    private final ProgressMeter meter;
    private final Optional<ItemListener> listener;
    private volatile long begun;

    private final AtomicReference<ClosedException> closed = new AtomicReference<>();

    /** True after a fatal error or the end of the client: errors of other blobs at the same time have no reader. */
    private final AtomicBoolean endedByError = new AtomicBoolean();

    /**
     * A transfer that has not begun.
     *
     * @param what the verb and the directory, for errors
     * @param context the container, whose client ends the transfer when it is closed
     * @param plan what is to be done
     */
    DirectoryTransfer(String what, BlobContext context, DirectorySettings settings, Flux<TransferStep> plan) {
        this(what, context, settings, plan, new TransferTally());
    }

    /** Makes a transfer with a plan that does some of the work itself, and counts it. */
    DirectoryTransfer(
            String what,
            BlobContext context,
            DirectorySettings settings,
            Flux<TransferStep> plan,
            TransferTally tally) {
        this(what, context, settings, plan, Flux.empty(), tally);
    }

    /** Makes a transfer with a last part, done one by one if nothing has failed. */
    DirectoryTransfer(
            String what,
            BlobContext context,
            DirectorySettings settings,
            Flux<TransferStep> plan,
            Flux<TransferStep> last,
            TransferTally tally) {
        this.tally = tally;
        this.last = last;
        this.what = what;
        this.context = context;
        this.settings = settings;
        this.plan = plan;
        this.clock = () -> context.service().timer().now(TimeUnit.NANOSECONDS);
        this.slots = new TransferSlots(settings.parallelism());
        this.listener = settings.items().map(ItemListener::new);
        this.meter = new ProgressMeter(settings.progress().orElse(null), clock, context.callbacks());
    }

    /** Begins the transfer. Cancelling it cancels what is in flight. */
    public Mono<TransferReport> run() {
        return Mono.defer(() -> {
            long start = clock.getAsLong();
            begun = start;
            return ends().doOnNext(this::check)
                    .then()
                    .onErrorMap(error -> failure(error, start))
                    .materialize()
                    .delayUntil(end -> Mono.fromFuture(meter.finish(), true))
                    .<Void>dematerialize()
                    .doOnCancel(this::cancelled)
                    .then(Mono.fromSupplier(() -> tally.report(since(start))));
        });
    }

    /** Calls the listener elsewhere, so that it does not hold up the caller that cancels. */
    private void cancelled() {
        List<Item> rest = tally.over(cancelledByCaller());
        CompletableFuture<Void> unused = meter.finish();
        listener.ifPresent(present -> context.callbacks().execute(() -> present.acceptTheRest(rest)));
    }

    private CancellationException cancelledByCaller() {
        return new CancellationException(what + " was cancelled");
    }

    private Flux<Item> ends() {
        Flux<Item> ends = plan.doOnNext(this::expect)
                .doOnComplete(meter::allExpected)
                .onErrorResume(ClosedException.class, this::refused)
                .limitRate(AHEAD)
                .takeWhile(step -> closed.get() == null || step.weight() == 0)
                .flatMap(this::end, settings.parallelism(), 1)
                .concatWith(Flux.defer(this::lastEnds))
                .takeUntilOther(context.service().whenGivenUp().then(Mono.error(this::cutShort)));
        return listener.map(present -> context.delivered(ends).doOnNext(present::accept))
                .orElse(ends);
    }

    private <T> Mono<T> refused(ClosedException refusal) {
        closed.compareAndSet(null, refusal);
        return Mono.empty();
    }

    /** A blocked disk operation does not delay the end of the transfer. */
    private ClosedException cutShort() {
        endedByError.set(true);
        return new ClosedException("this Stowline was closed before the transfer had ended");
    }

    private void expect(TransferStep step) {
        meter.expect(step.bytes());
        for (int others = step.blobs() - 1; others > 0; others--) {
            meter.expect(0);
        }
    }

    private Flux<Item> lastEnds() {
        ClosedException refusal = closed.get();
        if (refusal != null) {
            return Flux.error(refusal);
        }
        return tally.failed() ? Flux.empty() : last.concatMap(this::lastEnd, 1);
    }

    private Flux<Item> lastEnd(TransferStep step) {
        return step.ends()
                .onErrorResume(error -> fatal(error) ? Mono.error(error) : Mono.just(List.of(failed(step, error))))
                .flatMapIterable(items -> items)
                .doOnNext(this::ended);
    }

    private void ended(Item item) {
        if (tally.ended(item)) {
            listener.ifPresent(present -> present.expect(item));
        }
    }

    private Flux<Item> end(TransferStep step) {
        ProgressMeter.BlobMeter counted = meter.new BlobMeter(step.bytes());
        return slots.with(step.weight(), counted(step).flatMap(this::unlessCut))
                .contextWrite(context -> tasks.in(counted.in(context)))
                .defaultIfEmpty(List.of())
                .onErrorResume(error -> {
                    if (error instanceof ClosedException refusal) {
                        tally.dropped(step.changes());
                        return refused(refusal);
                    }
                    if (fatal(error)) {
                        return endedByError.compareAndSet(false, true) ? Mono.error(error) : Mono.empty();
                    }
                    return Mono.just(List.of(failed(step, error)));
                })
                .doOnNext(ends -> ended(step, ends, counted))
                .flatMapIterable(ends -> ends);
    }

    /** Some blobs have their ends in a group that the close of the client cuts short. */
    private Mono<List<Item>> unlessCut(List<Item> ends) {
        for (Item item : ends) {
            if (isCut(item)) {
                ends.stream().filter(other -> !isCut(other)).forEach(this::ended);
                return Mono.error(Objects.requireNonNull(item.error()));
            }
        }
        return Mono.just(ends);
    }

    private boolean isCut(Item item) {
        return item.error() != null && fatal(item.error());
    }

    private void ended(TransferStep step, List<Item> ends, ProgressMeter.BlobMeter counted) {
        counted.end(ending(step.blobs() > 1 || ends.isEmpty() ? null : ends.get(0)));
        for (int others = step.blobs() - 1; others > 0; others--) {
            meter.blobDone();
        }
        ends.forEach(this::ended);
        tally.dropped(step.changes());
    }

    /** Work that is cancelled has no end: it stays in flight, and the report counts it there. */
    private Mono<List<Item>> counted(TransferStep step) {
        if (step.weight() == 0) {
            return step.ends();
        }
        Mono<List<Item>> work = tally.unlessOver(step::changes, step.ends());
        return Mono.defer(() -> {
            ClosedException refusal = closed.get();
            return refusal == null ? work : Mono.error(refusal);
        });
    }

    private static ProgressMeter.TransferEnding ending(@Nullable Item item) {
        if (item == null) {
            return ProgressMeter.TransferEnding.NOT_NEEDED;
        }
        return switch (item.action()) {
            case TRANSFERRED, COPIED -> ProgressMeter.TransferEnding.ARRIVED;
            case FAILED -> ProgressMeter.TransferEnding.FAILED;
            default -> ProgressMeter.TransferEnding.NOT_NEEDED;
        };
    }

    private static Item failed(TransferStep step, Throwable error) {
        return new Item(step.name(), Action.FAILED, 0, error);
    }

    /**
     * Errors that end the transfer whatever its settings are: no later blob could succeed. A blob that the close of the
     * client cuts short stays in flight: its file may have got its name just before.
     */
    private boolean fatal(Throwable error) {
        return error instanceof ClosedException
                || ((error instanceof UnreachableException || error instanceof OutcomeUnknownException)
                        && context.service().hasGivenUp());
    }

    private void check(Item item) {
        Throwable error = item.error();
        if (error != null && item.action() == Action.FAILED && !settings.collectsFailures()) {
            throw new FirstFailureException(item.name(), error);
        }
    }

    /** Returns the end of a transfer that its caller has cancelled. */
    public TransferFailedException cancellation() {
        TransferReport report = tally.report(since(begun));
        return new TransferFailedException(
                what + " was cancelled, after " + counts(report), cancelledByCaller(), report);
    }

    private Throwable failure(Throwable error, long start) {
        Throwable cause = error;
        String at = "";
        if (error instanceof FirstFailureException first) {
            cause = first.failure;
            at = " at " + first.name;
        }
        List<Item> rest = tally.over(cause);
        listener.ifPresent(present -> present.acceptTheRest(rest));
        TransferReport report = tally.report(since(start));
        return new TransferFailedException(
                what + " failed" + at + ", after " + counts(report) + ": " + UserCode.text(cause), cause, report);
    }

    private static String counts(TransferReport report) {
        return report.transferred() + " blobs or files were transferred, " + report.unchanged() + " unchanged and "
                + report.deleted() + " deleted, with " + report.cancelled() + " in flight";
    }

    private Duration since(long start) {
        return Duration.ofNanos(clock.getAsLong() - start);
    }

    /** Returns whether this thread runs a listener of the transfer, which waits for it at its end. */
    public boolean isInListener() {
        return meter.isCurrent() || listener.map(ItemListener::isCurrent).orElse(false);
    }

    /** Returns its progress. */
    public TransferProgress progress() {
        return meter.snapshot();
    }

    /** A carrier of the first failure, which ends the plan. */
    private static final class FirstFailureException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final String name;
        private final Throwable failure;

        FirstFailureException(String name, Throwable failure) {
            super(null, failure, false, false);
            this.name = name;
            this.failure = failure;
        }
    }
}
