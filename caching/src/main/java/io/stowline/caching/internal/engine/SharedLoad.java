package io.stowline.caching.internal.engine;

import io.stowline.caching.CacheOutcome;
import io.stowline.caching.internal.entry.CacheClock.ClockReading;
import io.stowline.caching.internal.entry.CachedBody;
import io.stowline.caching.internal.entry.EntryHead;
import io.stowline.caching.internal.entry.InvalidationLog.InvalidationStamp;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * One load and those who wait for it. A reader who leaves leaves the others alone; the load is cancelled when the last has left. A failure
 * that is the leader's own, such as its interrupt, fails the leader and is {@link LeaderFailedException} to the others. Thread-safe.
 */
public final class SharedLoad {

    private final InvalidationStamp stamp;
    private final Terms terms;
    private final Consumer<SharedLoad> ended;
    private final Map<MonoSink<LoadShare>, Duration> seats = new LinkedHashMap<>();
    private final Disposable.Swap load = Disposables.swap();
    private @Nullable MonoSink<LoadShare> leader;
    private boolean over;
    private volatile long received;

    /**
     * The terms under which the leader loads.
     *
     * @param patience for how long its loader tries
     * @param once whether its loader tries no second time
     * @param unavailable whether a failure means that the service is unavailable
     */
    record Terms(Duration patience, boolean once, Predicate<Throwable> unavailable) {

        static final Duration ENDLESS = ChronoUnit.FOREVER.getDuration();

        /** All readers have the same patience. */
        static final Terms ALIKE = new Terms(ENDLESS, false, failure -> false);

        private boolean isNotOf(Duration reader, Throwable failure) {
            return isInterrupt(failure) || (unavailable.test(failure) && (once || reader.compareTo(patience) > 0));
        }
    }

    /** A flight that is not on its way yet; {@code ended} is called before any reader is notified of its end. */
    public SharedLoad(InvalidationStamp stamp, Consumer<SharedLoad> ended) {
        this(stamp, Terms.ALIKE, ended);
    }

    SharedLoad(InvalidationStamp stamp, Terms terms, Consumer<SharedLoad> ended) {
        this.stamp = stamp;
        this.terms = terms;
        this.ended = ended;
        this.received = stamp.begun().nanos();
    }

    InvalidationStamp stamp() {
        return stamp;
    }

    /** Records that the load has received something. */
    void received(ClockReading now) {
        received = now.nanos();
    }

    /** Returns the time at which the load last received something, or began. */
    long lastReceived() {
        return received;
    }

    public boolean board(MonoSink<LoadShare> reader) {
        return board(reader, Terms.ENDLESS);
    }

    /** Adds a reader if there is still room: not after the landing, nor after the last reader has left. */
    synchronized boolean board(MonoSink<LoadShare> reader, Duration patience) {
        if (over || seats.putIfAbsent(reader, patience) != null) {
            return false;
        }
        leader = leader == null ? reader : leader;
        return true;
    }

    void leave(MonoSink<LoadShare> reader) {
        synchronized (this) {
            if (seats.remove(reader) == null || !seats.isEmpty()) {
                return;
            }
            over = true;
        }
        ended.accept(this);
        load.dispose();
    }

    /**
     * Starts the load. Reactor throws some errors out of a subscription instead of passing them on: they end the
     * flight, too.
     */
    public void start(Mono<LoadCompletion> landing, ContextView context) {
        try {
            load.update(landing.switchIfEmpty(
                            Mono.error(() -> new IllegalStateException("the load has ended without a response")))
                    .doOnNext(this::land)
                    .contextWrite(context)
                    .subscribe(landed -> {}, this::crash));
        } catch (VirtualMachineError e) {
            crash(e);
            throw e;
        } catch (Throwable e) {
            crash(e);
        }
    }

    private void land(LoadCompletion landing) {
        boolean first = true;
        for (MonoSink<LoadShare> seat : disembark().keySet()) {
            LoadShare ticket = new LoadShare(landing, first);
            notifyWaiting(() -> seat.success(ticket));
            first &= !ticket.claimed();
        }
        if (first) {
            landing.close();
        }
    }

    private void crash(Throwable failure) {
        disembark().forEach((seat, patience) -> {
            boolean other = seat != leader && terms.isNotOf(patience, failure);
            notifyWaiting(() -> seat.error(other ? new LeaderFailedException(failure) : failure));
        });
    }

    /** A throwing reader must not keep others waiting. */
    private static void notifyWaiting(Runnable event) {
        try {
            event.run();
        } catch (Throwable e) {
            Operators.onErrorDropped(e, Context.empty());
        }
    }

    private Map<MonoSink<LoadShare>, Duration> disembark() {
        ended.accept(this);
        synchronized (this) {
            over = true;
            Map<MonoSink<LoadShare>, Duration> left = new LinkedHashMap<>(seats);
            seats.clear();
            return left;
        }
    }

    private static boolean isInterrupt(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            boolean ofInput = cause instanceof InterruptedIOException
                    && !(cause instanceof SocketTimeoutException)
                    && !"timeout".equals(cause.getMessage());
            if (ofInput || cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
                return true;
            }
        }
        return false;
    }

    /**
     * The end of a load for its readers.
     *
     * @param outcome what it was to the reader who is served first
     * @param head the response without its body; null if the result of the load cannot be shared
     * @param body the body; null likewise. If it is not shared, only the first has it.
     * @param onShelf whether the others find it on the shelf; if they do not and the body is not shared, each of them
     * loads alone
     */
    public record LoadCompletion(
            CacheOutcome outcome,
            @Nullable EntryHead head,
            @Nullable CachedBody body,
            boolean onShelf) {

        static LoadCompletion of(CacheOutcome outcome, EntryHead head, CachedBody body) {
            return new LoadCompletion(outcome, head, body, false);
        }

        /** Returns the completion of a load whose result was lost on the way to the shelf. */
        public static LoadCompletion lost(CacheOutcome outcome) {
            return new LoadCompletion(outcome, null, null, false);
        }

        LoadCompletion shelved() {
            return new LoadCompletion(outcome, head, body, true);
        }

        void close() {
            if (body != null) {
                body.close();
            }
        }
    }

    /** A reader's share in a load that has ended. */
    public static final class LoadShare {

        private final LoadCompletion landing;
        private final boolean first;
        private final AtomicBoolean claimed = new AtomicBoolean();

        LoadShare(LoadCompletion landing, boolean first) {
            this.landing = landing;
            this.first = first;
        }

        LoadCompletion landing() {
            return landing;
        }

        /** Returns whether the load counts for this reader. */
        boolean first() {
            return first;
        }

        /** Claims the body for a reader, which closes it. */
        LoadShare claim() {
            claimed.set(true);
            return this;
        }

        boolean claimed() {
            return claimed.get();
        }
    }

    /** The load of another reader has failed for a reason that is not this reader's; it looks again. */
    static final class LeaderFailedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        LeaderFailedException(Throwable failure) {
            super("the load of another reader has failed", failure, false, false);
        }
    }
}
