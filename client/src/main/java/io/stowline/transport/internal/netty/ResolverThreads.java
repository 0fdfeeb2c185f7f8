package io.stowline.transport.internal.netty;

import io.netty.resolver.AbstractAddressResolver;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import io.stowline.transport.internal.thread.NamedThreads;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A resolver of host names by the JDK, whose addresses follow the machine's settings, but on separate threads: a lookup
 * blocks, and on an event loop would hold up the connections to all other hosts. Addresses that did not connect in time
 * come last, see {@link LateAddresses}.
 */
final class ResolverThreads extends AddressResolverGroup<InetSocketAddress> {

    static final ResolverThreads GROUP = new ResolverThreads(InetAddress::getAllByName, System::nanoTime);

    private static final Logger LOG = LoggerFactory.getLogger("io.stowline.endpoints");

    /** A function that finds the addresses of a host, and blocks while it does. */
    @FunctionalInterface
    interface LookUp {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /** The JDK looks each host up once, however many threads wait for it. */
    private static final int THREADS = 4;

    private final LookUp lookUp;
    private final LateAddresses late;
    private final ThreadPoolExecutor threads;

    ResolverThreads(LookUp lookUp, LongSupplier nanos) {
        this.lookUp = lookUp;
        this.late = new LateAddresses(nanos);
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                30,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new NamedThreads("shared", "resolver"));
        threads.allowCoreThreadTimeOut(true);
    }

    @Override
    protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
        return new Names(executor);
    }

    private final class Names extends AbstractAddressResolver<InetSocketAddress> {

        Names(EventExecutor executor) {
            super(executor, InetSocketAddress.class);
        }

        @Override
        protected boolean doIsResolved(InetSocketAddress address) {
            return !address.isUnresolved();
        }

        @Override
        protected void doResolve(InetSocketAddress named, Promise<InetSocketAddress> promise) {
            find(named, promise, candidates -> candidates.get(0));
        }

        @Override
        protected void doResolveAll(InetSocketAddress named, Promise<List<InetSocketAddress>> promise) {
            find(named, promise, Function.identity());
        }

        private <T> void find(
                InetSocketAddress named, Promise<T> promise, Function<List<InetSocketAddress>, T> wanted) {
            threads.execute(() -> {
                Runnable end;
                try {
                    InetAddress[] found = lookUp.addresses(named.getHostString());
                    T result = wanted.apply(late.candidates(found, named.getPort()));
                    end = () -> promise.trySuccess(result);
                } catch (Exception | Error failed) {
                    end = () -> promise.tryFailure(failed);
                }
                ended(named, end);
            });
        }

        /**
         * Completed on the loop itself: a promise that another thread completes logs an error with a stack once the
         * loop has ended.
         */
        private void ended(InetSocketAddress named, Runnable end) {
            try {
                executor().execute(end);
            } catch (RejectedExecutionException closed) {
                LOG.debug("the client was closed while the addresses of {} were looked up", named.getHostString());
            }
        }
    }
}
