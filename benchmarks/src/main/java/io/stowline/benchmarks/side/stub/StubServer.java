package io.stowline.benchmarks.side.stub;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.stowline.benchmarks.side.work.Sockets;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A table service that is faster than any client: it reads just enough of a request to respond correctly, from memory, and makes next
 * to no garbage. Runs in a separate process so that its cost is not the client's.
 */
public final class StubServer implements AutoCloseable {

    private final EventLoopGroup loop;
    private final Channel channel;
    private final ChannelGroup connections;

    private StubServer(EventLoopGroup loop, Channel channel, ChannelGroup connections) {
        this.loop = loop;
        this.channel = channel;
        this.connections = connections;
    }

    /**
     * Serves until its standard input ends; prints its port first.
     *
     * @param args the delay of each response in milliseconds, 0 unless given; entities per second beyond which requests wait and are refused, without
     *     a bound unless given
     * @throws Exception if it cannot be started
     */
    public static void main(String[] args) throws Exception {
        Duration delay = Duration.ofMillis(args.length == 0 ? 0 : Long.parseLong(args[0]));
        try (StubServer server = start(delay, args.length < 2 ? 0 : Integer.parseInt(args[1]))) {
            System.out.println(server.port());
            while (System.in.read() >= 0) {
                // It lives as long as the process that started it.
            }
        }
    }

    /** Starts on a free port of the loopback interface. */
    public static StubServer start(Duration delay) throws InterruptedException {
        return start(delay, 0);
    }

    /** Starts on a free port of the loopback interface, with a target in entities per second; 0 is none. */
    public static StubServer start(Duration delay, int entitiesPerSecond) throws InterruptedException {
        EventLoopGroup loop = Sockets.loop("stub");
        StubResponses responses = new StubResponses();
        EntityTarget target = new EntityTarget(entitiesPerSecond);
        // Closes one that is accepted beside the end, too: an event loop may end without it and leave it open.
        ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
        Channel channel = new ServerBootstrap()
                .group(loop)
                .channel(Sockets.server())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new AdaptiveRecvByteBufAllocator(4_096, 65_536, 262_144))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connections.add(connection);
                        connection.pipeline().addLast(new StubConnection(responses, delay.toNanos(), target));
                    }
                })
                .bind("127.0.0.1", 0)
                .sync()
                .channel();
        return new StubServer(loop, channel, connections);
    }

    public int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        connections.close().awaitUninterruptibly();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
