package io.stowline.caching.internal;

import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
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
 * that is the leader's own, such as its interrupt, fails the leader and is {@link HandedOver} to the others. Thread-safe.
 */
final class Flight {

    private final Stamp stamp;
    private final Terms terms;
    private final Consumer<Flight> ended;
    private final Map<MonoSink<Ticket>, Duration> seats = new LinkedHashMap<>();
    private final Disposable.Swap load = Disposables.swap();
    private @Nullable MonoSink<Ticket> leader;
    private boolean over;

    /**
     * How the leader asks.
     *
     * @param patience for how long its loader tries
     * @param once whether its loader tries no second time
     * @param unavailable whether a failure says that the service cannot be asked
     */
    record Terms(Duration patience, boolean once, Predicate<Throwable> unavailable) {

        static final Duration ENDLESS = ChronoUnit.FOREVER.getDuration();

        /** All readers have the same patience. */
        static final Terms ALIKE = new Terms(ENDLESS, false, failure -> false);

        private boolean isNotOf(Duration reader, Throwable failure) {
            return isInterrupt(failure) || (unavailable.test(failure) && (once || reader.compareTo(patience) > 0));
        }
    }

    /** A flight that is not on its way yet; {@code ended} is told before any reader is told of its end. */
    Flight(Stamp stamp, Consumer<Flight> ended) {
        this(stamp, Terms.ALIKE, ended);
    }

    Flight(Stamp stamp, Terms terms, Consumer<Flight> ended) {
        this.stamp = stamp;
        this.terms = terms;
        this.ended = ended;
    }

    Stamp stamp() {
        return stamp;
    }

    boolean board(MonoSink<Ticket> reader) {
        return board(reader, Terms.ENDLESS);
    }

    /** Whether there is still room: not after the landing, nor after the last has left. The first one leads. */
    synchronized boolean board(MonoSink<Ticket> reader, Duration patience) {
        if (over || seats.putIfAbsent(reader, patience) != null) {
            return false;
        }
        leader = leader == null ? reader : leader;
        return true;
    }

    void leave(MonoSink<Ticket> reader) {
        synchronized (this) {
            if (seats.remove(reader) == null || !seats.isEmpty()) {
                return;
            }
            over = true;
        }
        ended.accept(this);
        load.dispose();
    }

    /** Reactor throws some errors out of a subscription instead of passing them on: they end the flight, too. */
    void start(Mono<Landing> landing, ContextView context) {
        try {
            load.update(landing.switchIfEmpty(
                            Mono.error(() -> new IllegalStateException("the load has ended without an answer")))
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

    private void land(Landing landing) {
        boolean first = true;
        for (MonoSink<Ticket> seat : disembark().keySet()) {
            Ticket ticket = new Ticket(landing, first);
            tell(() -> seat.success(ticket));
            first &= !ticket.claimed();
        }
        if (first) {
            landing.close();
        }
    }

    private void crash(Throwable failure) {
        disembark().forEach((seat, patience) -> {
            boolean other = seat != leader && terms.isNotOf(patience, failure);
            tell(() -> seat.error(other ? new HandedOver(failure) : failure));
        });
    }

    /** A reader that throws keeps no other one waiting. */
    private static void tell(Runnable event) {
        try {
            event.run();
        } catch (Throwable e) {
            Operators.onErrorDropped(e, Context.empty());
        }
    }

    private Map<MonoSink<Ticket>, Duration> disembark() {
        ended.accept(this);
        synchronized (this) {
            over = true;
            Map<MonoSink<Ticket>, Duration> left = new LinkedHashMap<>(seats);
            seats.clear();
            return left;
        }
    }

    /** Whether the thread that ran the load was interrupted. A socket's or a call's time-out has a type below that of an interrupt. */
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
}
