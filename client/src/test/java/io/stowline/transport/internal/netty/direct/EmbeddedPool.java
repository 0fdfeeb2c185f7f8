package io.stowline.transport.internal.netty.direct;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpResponse;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import io.stowline.transport.internal.http.BodySink;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.netty.direct.ConnectionPool.Opening;
import io.stowline.transport.internal.netty.direct.DirectClient.ConnectionBounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.util.context.Context;

/** A pool whose connections are embedded channels, which the test opens and refuses, and for which it plays the server. */
final class EmbeddedPool implements ConnectionPool.PooledOpener {

    static final Duration IDLE = Duration.ofSeconds(30);
    static final Duration AGE = Duration.ofMinutes(10);
    static final Duration WAIT = Duration.ofSeconds(20);
    static final Duration PROMPT = Duration.ofMillis(1_700);

    final List<EmbeddedChannel> channels = new ArrayList<>();
    final ConnectionPool pool;
    long now;
    /** The connections on their way, which the test may end in any order. */
    final List<Opening> openings = new ArrayList<>();

    private final EmbeddedChannel home = new EmbeddedChannel();
    private int count;

    EmbeddedPool(int max) {
        home.freezeTime();
        pool = new ConnectionPool(
                HttpOrigin.of("http://server.test"),
                home.eventLoop(),
                this,
                new ConnectionBounds(max, IDLE, AGE, WAIT, PROMPT),
                () -> now);
    }

    /** A request and what became of it. */
    static final class Sent implements CoreSubscriber<HttpResponse> {

        final String id;
        final WriteTracker tracker = WriteTracker.reporting();

        @Nullable
        HttpResponse response;

        @Nullable
        Throwable error;

        boolean cancelled;
        int ends;
        Runnable whenOver = () -> {};
        private @Nullable Subscription subscription;

        Sent(String id) {
            this.id = id;
        }

        @Override
        public Context currentContext() {
            return Context.of(WriteTracker.class, tracker);
        }

        @Override
        public void onSubscribe(Subscription given) {
            subscription = given;
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(HttpResponse next) {
            response = next;
        }

        @Override
        public void onError(Throwable thrown) {
            error = thrown;
            ends++;
            whenOver.run();
        }

        @Override
        public void onComplete() {
            ends++;
            whenOver.run();
        }

        void cancel() {
            cancelled = true;
            Objects.requireNonNull(subscription, "sent").cancel();
            tracker.abandon();
        }

        boolean over() {
            return ends > 0 || cancelled;
        }
    }

    @Override
    public void open(EventLoop loop, Opening opening) {
        openings.add(opening);
    }

    /** Time goes by, also for the timers of the event loops. */
    void pass(long millis) {
        now += millis;
        home.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        channels.forEach(channel -> channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS));
        settle();
    }

    /** Does what has been handed to the event loops. */
    void settle() {
        home.runPendingTasks();
        for (EmbeddedChannel channel : List.copyOf(channels)) {
            channel.runPendingTasks();
        }
        home.runPendingTasks();
        openings.removeIf(opening -> !opening.wanted());
    }

    Sent send() {
        return send(new Sent("id-" + count++), HttpMethod.POST);
    }

    Sent send(Sent sent, HttpMethod method) {
        return send(sent, method, RequestBody.of("body".getBytes(ISO_8859_1)));
    }

    /** Sends a body. */
    Sent send(RequestBody body) {
        return send(new Sent("id-" + count++), HttpMethod.PUT, body);
    }

    /** Sends a read whose response goes into a sink. */
    Sent read(BodySink sink) {
        Sent sent = new Sent("id-" + count++);
        sent.tracker.feedTo(sink);
        return send(sent, HttpMethod.GET, null);
    }

    private Sent send(Sent sent, HttpMethod method, @Nullable RequestBody body) {
        String address = "http://server.test/a";
        DirectRequest request = new DirectRequest(
                method, address, new RequestHeaders().set(StorageResponse.CLIENT_REQUEST_ID, sent.id), body);
        sent.onSubscribe(new PendingResponse(request, address, pool, sent));
        settle();
        return sent;
    }

    /** The next connection opens. */
    EmbeddedChannel connect() {
        return connect(new EmbeddedChannel());
    }

    EmbeddedChannel connect(EmbeddedChannel channel) {
        assertThat(openings).as("connections that are being opened").isNotEmpty();
        Opening opening = openings.remove(0);
        opening.opened(connection(channel, opening));
        settle();
        return channel;
    }

    /** A connection of this opening begins, and is not open yet. */
    EmbeddedChannel begin(Opening opening) {
        EmbeddedChannel channel = new EmbeddedChannel();
        opening.begun(connection(channel, opening));
        settle();
        return channel;
    }

    private HttpConnection connection(EmbeddedChannel channel, Opening opening) {
        channel.freezeTime();
        HttpConnection connection = new HttpConnection(channel, opening.pool(), now);
        channel.pipeline().addLast(connection);
        channels.add(channel);
        return connection;
    }

    void refuse(Throwable cause) {
        openings.remove(0).failed(cause);
        settle();
    }

    /** Returns the bytes that were written to a connection since the last call. */
    static String written(EmbeddedChannel channel) {
        StringBuilder text = new StringBuilder();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            text.append(part.toString(ISO_8859_1));
            part.release();
        }
        return text.toString();
    }

    /** The server sends bytes, in one read. */
    void receive(EmbeddedChannel channel, String text) {
        ByteBuf bytes = Unpooled.copiedBuffer(text.replace("|", "\r\n"), ISO_8859_1);
        channel.writeInbound(bytes);
        settle();
        assertThat(bytes.refCnt()).as("references to what was read").isZero();
    }

    void close() {
        pool.close();
        settle();
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
        home.finishAndReleaseAll();
    }
}
