package io.stowline.transport.internal.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * Handler of one connect that gives a {@link CandidateAddress} its time. A candidate with another one behind it gets less than the last,
 * since an address that swallows connects must not use up the time of the others. The handler leaves the pipeline with the connect. Runs
 * on its event loop.
 */
final class CandidateConnect extends ChannelOutboundHandlerAdapter {

    /** Enough for the first SYN and its repetition, which TCP sends after a second. */
    static final int FOLLOWED_MILLIS = 2_000;

    /**
     * Longer than a round trip between continents, in milliseconds: a candidate that needs longer counts as late, but
     * may still connect.
     */
    static final int LATE_MILLIS = 1_000;

    private CandidateConnect() {}

    /** Watches the connect of a channel that is about to be opened, once. */
    static void watch(ChannelPipeline pipeline) {
        if (pipeline.get(CandidateConnect.class) == null) {
            pipeline.addLast(new CandidateConnect());
        }
    }

    @Override
    public void connect(
            ChannelHandlerContext context, SocketAddress remote, SocketAddress local, ChannelPromise promise)
            throws Exception {
        if (remote instanceof CandidateAddress candidate) {
            limit(context, candidate, promise);
        }
        super.connect(context, remote, local, promise);
        context.pipeline().remove(this);
    }

    private static void limit(ChannelHandlerContext context, CandidateAddress candidate, ChannelPromise promise) {
        if (candidate.followed()) {
            int given = context.channel().config().getConnectTimeoutMillis();
            context.channel()
                    .config()
                    .setConnectTimeoutMillis(given > 0 ? Math.min(given, FOLLOWED_MILLIS) : FOLLOWED_MILLIS);
        }
        ScheduledFuture<?> late = context.executor().schedule(candidate::late, LATE_MILLIS, TimeUnit.MILLISECONDS);
        promise.addListener(ended -> {
            late.cancel(false);
            if (ended.isSuccess()) {
                candidate.connected();
            } else {
                candidate.late();
            }
        });
    }
}
