package io.stowline.caching.internal.engine;

import io.stowline.caching.internal.engine.SharedLoad.LoadShare;
import io.stowline.caching.internal.entry.CacheClock;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.MonoSink;

/**
 * The limits of a reader's wait for a load.
 *
 * @param standstill the wait while the load receives nothing
 */
record WaitLimit(Duration longest, Duration standstill) {

    static final WaitLimit NONE = new WaitLimit(SharedLoad.Terms.ENDLESS, SharedLoad.Terms.ENDLESS);

    /** Fails the reader when its time is over. */
    Disposable set(SharedLoad flight, MonoSink<LoadShare> reader, CacheClock watch) {
        return equals(NONE) ? Disposables.disposed() : new Alarm(this, flight, reader, watch).set();
    }

    private static long nanos(Duration duration) {
        return duration.equals(SharedLoad.Terms.ENDLESS) ? Long.MAX_VALUE : duration.toNanos();
    }

    /**
     * An alarm that checks the wait when its time might be over, and is set again when the load has received something
     * since.
     */
    private static final class Alarm implements Disposable {

        private final WaitLimit limit;
        private final SharedLoad flight;
        private final MonoSink<LoadShare> reader;
        private final CacheClock watch;
        private final long begun;
        private final Disposable.Swap timer = Disposables.swap();

        Alarm(WaitLimit limit, SharedLoad flight, MonoSink<LoadShare> reader, CacheClock watch) {
            this.limit = limit;
            this.flight = flight;
            this.reader = reader;
            this.watch = watch;
            this.begun = watch.now().nanos();
        }

        Alarm set() {
            try {
                timer.update(watch.timer().schedule(this::check, left(), TimeUnit.NANOSECONDS));
            } catch (RejectedExecutionException closing) {
                timer.dispose();
            }
            return this;
        }

        private void check() {
            if (left() > 0) {
                set();
            } else {
                reader.error(new TimeoutException("no response within the time of this reader"));
            }
        }

        /** A late reader's wait begins with its arrival. */
        private long left() {
            long now = watch.now().nanos();
            long quiet = now - Math.max(begun, flight.lastReceived());
            return Math.min(nanos(limit.longest) - (now - begun), nanos(limit.standstill) - quiet);
        }

        @Override
        public void dispose() {
            timer.dispose();
        }
    }
}
