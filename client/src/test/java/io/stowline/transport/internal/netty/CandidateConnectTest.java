package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // the connect's promise is that of the network
class CandidateConnectTest {

    private static final int GIVEN = 10_000;

    private final List<String> reports = new ArrayList<>();
    private final Network network = new Network();
    private final EmbeddedChannel channel = new EmbeddedChannel(network);

    /** A network that swallows each connect until the test ends it. */
    private static final class Network extends ChannelOutboundHandlerAdapter {

        private @Nullable ChannelPromise pending;

        @Override
        public void connect(
                ChannelHandlerContext context, SocketAddress remote, SocketAddress local, ChannelPromise promise) {
            pending = promise;
        }

        ChannelPromise pending() {
            return Objects.requireNonNull(pending, "no connect has come");
        }
    }

    private final class Reports extends LateAddresses {

        Reports() {
            super(System::nanoTime);
        }

        @Override
        void late(InetSocketAddress address) {
            reports.add("late " + address.getPort());
        }

        @Override
        void connected(InetSocketAddress address) {
            reports.add("connected " + address.getPort());
        }
    }

    @BeforeEach
    void prepare() {
        channel.freezeTime();
        channel.config().setConnectTimeoutMillis(GIVEN);
        CandidateConnect.watch(channel.pipeline());
    }

    @AfterEach
    void close() {
        channel.close();
    }

    private void connect(boolean followed) {
        channel.connect(new CandidateAddress(InetAddress.getLoopbackAddress(), 443, followed, new Reports()));
    }

    private void pass(long millis) {
        channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channel.runScheduledPendingTasks();
    }

    @Test
    @DisplayName("RETRY-2: an address with another one behind it gets the time of two SYNs, and the last one all of it")
    void time() {
        connect(true);
        assertThat(channel.config().getConnectTimeoutMillis()).isEqualTo(CandidateConnect.FOLLOWED_MILLIS);

        channel.config().setConnectTimeoutMillis(GIVEN);
        CandidateConnect.watch(channel.pipeline());
        connect(false);
        assertThat(channel.config().getConnectTimeoutMillis()).isEqualTo(GIVEN);
    }

    @Test
    @DisplayName("RETRY-2: a connect that takes long is reported before it ends, and once more when it has connected")
    void lateAndConnected() {
        connect(true);
        pass(CandidateConnect.LATE_MILLIS - 1);
        assertThat(reports).isEmpty();
        pass(1);
        assertThat(reports).containsExactly("late 443");

        network.pending().setSuccess();
        assertThat(reports).containsExactly("late 443", "connected 443");
    }

    @Test
    @DisplayName("RETRY-2: a connect that fails or is given up is reported as late")
    void failed() {
        connect(false);
        network.pending().setFailure(new IOException("given up"));

        assertThat(reports).containsExactly("late 443");
        pass(GIVEN);
        assertThat(reports).hasSize(1);
    }

    @Test
    @DisplayName("a prompt connect is reported as that only, and the handler leaves with it")
    void prompt() {
        connect(true);
        network.pending().setSuccess();
        pass(GIVEN);

        assertThat(reports).containsExactly("connected 443");
        assertThat(channel.pipeline().get(CandidateConnect.class)).isNull();
    }

    @Test
    @DisplayName("an address that is no candidate, such as that of a proxy, keeps its time")
    void others() {
        channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), 443));
        pass(GIVEN);

        assertThat(channel.config().getConnectTimeoutMillis()).isEqualTo(GIVEN);
        assertThat(reports).isEmpty();
    }
}
