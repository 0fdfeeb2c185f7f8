package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.netty.channel.DefaultEventLoop;
import io.netty.resolver.AddressResolver;
import io.netty.util.concurrent.Future;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.RequestHeaders;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ResolverThreadsTest {

    private final DefaultEventLoop loop = new DefaultEventLoop();

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the inner one is what is looked at
    private Future<List<InetSocketAddress>> look(ResolverThreads threads) throws Exception {
        return look(threads, loop);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the inner one is what is looked at
    private static Future<List<InetSocketAddress>> look(ResolverThreads threads, DefaultEventLoop on) throws Exception {
        AddressResolver<InetSocketAddress> resolver = threads.getResolver(on);
        return on.submit(() -> resolver.resolveAll(InetSocketAddress.createUnresolved("host.example", 443)))
                .get(20, TimeUnit.SECONDS);
    }

    @Test
    @DisplayName("RETRY-2: a look-up that blocks does not hold up the event loop")
    void aSlowLookUpLeavesTheLoopFree() throws Exception {
        CountDownLatch responded = new CountDownLatch(1);
        try (ResolverThreads threads = new ResolverThreads(
                host -> {
                    awaited(responded);
                    return new InetAddress[] {InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1})};
                },
                System::nanoTime)) {
            Future<List<InetSocketAddress>> found = look(threads);
            assertThat(loop.submit(() -> "free").get(20, TimeUnit.SECONDS)).isEqualTo("free");
            assertThat(found.isDone()).isFalse();

            responded.countDown();
            assertThat(found.get(20, TimeUnit.SECONDS))
                    .singleElement()
                    .satisfies(address -> assertThat(address.getPort()).isEqualTo(443));
        }
    }

    @Test
    @DisplayName("RETRY-2: a host that is unknown is an unknown host")
    void unknownHost() throws Exception {
        try (ResolverThreads threads = new ResolverThreads(
                host -> {
                    throw new UnknownHostException(host);
                },
                System::nanoTime)) {
            assertThat(look(threads).await().cause()).isInstanceOf(UnknownHostException.class);
        }
    }

    @Test
    @DisplayName("a look-up that ends after its client has closed leaves its promise alone, whose loop is gone")
    void closedDuringALookUp() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (ResolverThreads threads = new ResolverThreads(
                host -> {
                    awaited(ended);
                    return new InetAddress[] {InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1})};
                },
                System::nanoTime)) {
            Future<List<InetSocketAddress>> found = look(threads);
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
            ended.countDown();

            // the next lookups of the same threads come after the end of the first one
            DefaultEventLoop other = new DefaultEventLoop();
            try {
                for (int i = 0; i < 8; i++) {
                    assertThat(look(threads, other).get(20, TimeUnit.SECONDS)).hasSize(1);
                }
            } finally {
                other.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
            }
            assertThat(found.isDone()).isFalse();
        }
    }

    private static void awaited(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @DisplayName(
            "RETRY-2: an address that did not connect is tried last by requests of our own and by those of SDK clients")
    @ValueSource(booleans = {true, false})
    void lateAddressesComeLast(boolean ours) throws Exception {
        InetAddress listening = InetAddress.getLoopbackAddress();
        InetAddress silent = InetAddress.getByName(listening instanceof Inet4Address ? "::1" : "127.0.0.1");
        String response = "HTTP/1.1 204 No Content\r\n\r\n";
        try (ResolverThreads threads =
                        new ResolverThreads(host -> new InetAddress[] {silent, listening}, System::nanoTime);
                ScriptedServer server = new ScriptedServer(received -> response)) {
            NettyTransport transport = NettyTransport.of("acct", 2, null, client -> client.resolver(threads));
            try {
                String url = "http://host.example:" + server.port() + "/a";
                HttpRequest request = ours
                        ? new DirectRequest(HttpMethod.GET, url, new RequestHeaders(), null)
                        : new HttpRequest(HttpMethod.GET, url);
                assertThat(transport.client().send(request).block(Duration.ofSeconds(30)))
                        .satisfies(sent -> assertThat(sent.getStatusCode()).isEqualTo(204));

                assertThat(found(threads, server.port())).containsExactly(listening, silent);
            } finally {
                transport.close(Duration.ofSeconds(5)).block();
            }
        }
    }

    private List<InetAddress> found(ResolverThreads threads, int port) throws Exception {
        AddressResolver<InetSocketAddress> resolver = threads.getResolver(loop);
        return resolver
                .resolveAll(InetSocketAddress.createUnresolved("host.example", port))
                .get(20, TimeUnit.SECONDS)
                .stream()
                .map(InetSocketAddress::getAddress)
                .toList();
    }
}
