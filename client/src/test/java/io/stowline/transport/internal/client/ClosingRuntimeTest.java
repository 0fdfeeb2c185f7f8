package io.stowline.transport.internal.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.retry.RetrySettings;
import io.stowline.transport.internal.account.Bench;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.netty.HttpWire;
import io.stowline.transport.internal.netty.NettyTransport;
import io.stowline.transport.internal.netty.UserAgent;
import io.stowline.transport.internal.pipeline.StoragePipeline.TimeSources;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.test.scheduler.VirtualTimeScheduler;

@Timeout(60)
class ClosingRuntimeTest {

    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    @DisplayName("BATCH-9: a callback that blocks an I/O thread does not take the time of a close twice")
    void blockedThread() throws Exception {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        NettyTransport transport = NettyTransport.of("acct", 4, null);
        HttpWire wire = new HttpWire(transport.client(), WriteTracker::reporting, UserAgent.OWN, transport);
        ClientRuntime runtime = new ClientRuntime(
                Bench.account(),
                Bench.settings(8, RetrySettings.defaults()).with(Runnable::run),
                wire,
                new TimeSources(time, () -> 0L, Clock.systemUTC()),
                Runnable::run);
        CountDownLatch over = new CountDownLatch(1);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            block(transport, server, over);
            runtime.to(Service.TABLE).observer().inFlight().enter();

            CompletableFuture<Void> closed = runtime.close(HOUR).toFuture();
            time.advanceTimeBy(HOUR);

            assertThat(closed.get(30, TimeUnit.SECONDS)).isNull();
        } finally {
            over.countDown();
        }
    }

    /** Has a callback wait on an I/O thread. */
    private static void block(NettyTransport transport, ServerSocket server, CountDownLatch over) throws Exception {
        CountDownLatch blocked = new CountDownLatch(1);
        transport
                .client()
                .send(new HttpRequest(
                        HttpMethod.GET,
                        URI.create("http://127.0.0.1:" + server.getLocalPort() + "/")
                                .toURL()))
                .subscribe(response -> {
                    blocked.countDown();
                    await(over);
                });
        Socket client = server.accept();
        OutputStream out = client.getOutputStream();
        out.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        blocked.await();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
