package io.stowline.benchmarks.side.bare;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.stowline.benchmarks.side.work.Account;
import io.stowline.benchmarks.side.work.Sockets;
import io.stowline.benchmarks.side.work.Task;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A client that knows nothing but one exchange: no retry, no signature, no pipeline, everything on one event loop. It shows how little
 * the same work could cost.
 */
public final class BareClient implements Task, AutoCloseable {

    private final EventLoopGroup loop = Sockets.loop("bare");
    private final List<BareConnection> connections = new ArrayList<>();

    public BareClient(Account account, int inFlight, BareExchange exchange) throws InterruptedException {
        URI endpoint = URI.create(account.endpoint());
        for (int i = 0; i < inFlight; i++) {
            BareConnection connection = new BareConnection(exchange);
            new Bootstrap()
                    .group(loop)
                    .channel(Sockets.client())
                    .option(ChannelOption.TCP_NODELAY, true)
                    .handler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel channel) {
                            channel.pipeline().addLast(connection);
                        }
                    })
                    .connect(endpoint.getHost(), endpoint.getPort())
                    .sync();
            connections.add(connection);
        }
    }

    @Override
    public Done run(long nanos) throws Exception {
        BareRound round = new BareRound(connections.size(), System.nanoTime() + nanos);
        loop.execute(() -> connections.forEach(connection -> connection.begin(round)));
        return round.await();
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
