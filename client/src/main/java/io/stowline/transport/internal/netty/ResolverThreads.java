package io.stowline.transport.internal.netty;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.resolver.InetSocketAddressResolver;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import io.stowline.transport.internal.concurrent.NamedThreads;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks hosts up by the JDK, whose answers follow the machine's own settings, but on threads kept for it: a look-up blocks, and on an
 * event loop would hold up the connections to all other hosts.
 */
final class ResolverThreads extends AddressResolverGroup<InetSocketAddress> {

    static final ResolverThreads GROUP = new ResolverThreads(InetAddress::getAllByName);

    /** Finds the addresses of a host, and blocks while it does. */
    @FunctionalInterface
    interface LookUp {
        InetAddress[] addresses(String host) throws UnknownHostException;
    }

    /** The JDK asks for each host once, however many threads wait for it. */
    private static final int THREADS = 4;

    private final LookUp lookUp;
    private final ThreadPoolExecutor threads;

    ResolverThreads(LookUp lookUp) {
        this.lookUp = lookUp;
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
        return new InetSocketAddressResolver(executor, new Names(executor));
    }

    private final class Names extends InetNameResolver {

        Names(EventExecutor executor) {
            super(executor);
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) {
            look(promise, () -> lookUp.addresses(host)[0]);
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
            look(promise, () -> List.of(lookUp.addresses(host)));
        }

        private <T> void look(Promise<T> promise, Callable<T> found) {
            threads.execute(() -> {
                try {
                    promise.trySuccess(found.call());
                } catch (Exception | Error failed) {
                    promise.tryFailure(failed);
                }
            });
        }
    }
}
