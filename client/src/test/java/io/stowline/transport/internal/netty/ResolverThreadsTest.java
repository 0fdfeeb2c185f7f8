package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.netty.resolver.AddressResolver;
import io.netty.util.concurrent.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ResolverThreadsTest {

    private final DefaultEventLoop loop = new DefaultEventLoop();

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the inner one is what is looked at
    private Future<List<InetSocketAddress>> look(ResolverThreads threads) throws Exception {
        AddressResolver<InetSocketAddress> resolver = threads.getResolver(loop);
        return loop.submit(() -> resolver.resolveAll(InetSocketAddress.createUnresolved("host.example", 443)))
                .get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("RETRY-2: a look-up that blocks does not hold up the event loop")
    void aSlowLookUpLeavesTheLoopFree() throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        try (ResolverThreads threads = new ResolverThreads(host -> {
            try {
                answered.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return new InetAddress[] {InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1})};
        })) {
            Future<List<InetSocketAddress>> found = look(threads);
            assertThat(loop.submit(() -> "free").get(20, TimeUnit.SECONDS)).isEqualTo("free");
            assertThat(found.isDone()).isFalse();

            answered.countDown();
            assertThat(found.get(20, TimeUnit.SECONDS))
                    .singleElement()
                    .satisfies(address -> assertThat(address.getPort()).isEqualTo(443));
        }
    }

    @Test
    @DisplayName("RETRY-2: a host that is unknown is an unknown host")
    void unknownHost() throws Exception {
        try (ResolverThreads threads = new ResolverThreads(host -> {
            throw new UnknownHostException(host);
        })) {
            assertThat(look(threads).await().cause()).isInstanceOf(UnknownHostException.class);
        }
    }
}
