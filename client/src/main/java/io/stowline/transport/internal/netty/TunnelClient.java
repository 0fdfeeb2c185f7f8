package io.stowline.transport.internal.netty;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.util.Context;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.stream.ChunkedInput;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.stowline.transport.internal.http.BodySlices;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import io.stowline.transport.internal.http.RelaySubscriber;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.http.response.AggregateBodyMono;
import io.stowline.transport.internal.http.response.BufferedResponse;
import io.stowline.transport.internal.http.response.WriteTracker;
import io.stowline.transport.internal.netty.direct.HttpOrigin;
import io.stowline.transport.internal.netty.direct.HttpOrigin.OriginMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.NettyOutbound;
import reactor.netty.NettyPipeline;
import reactor.netty.http.client.HttpClient.RequestSender;
import reactor.netty.http.client.HttpClientRequest;
import reactor.netty.http.client.HttpClientResponse;

/**
 * A client that sends the library's requests through the tunnel of a proxy, straight over Reactor Netty, which makes
 * the tunnel: their bodies lie in memory and their responses are read whole or into their sinks. All others take
 * azure-core's client. Both share the connections. Thread-safe.
 */
final class TunnelClient implements HttpClient {

    private final reactor.netty.http.client.HttpClient netty;
    private final HttpClient others;
    private final OriginMap<SenderSet> origins = new OriginMap<>(this::sendersTo);

    /** The senders to one origin, by method. */
    private static final class SenderSet {

        private final reactor.netty.http.client.HttpClient client;
        private final Map<com.azure.core.http.HttpMethod, RequestSender> senders = new ConcurrentHashMap<>();

        SenderSet(reactor.netty.http.client.HttpClient client) {
            this.client = client;
        }

        /**
         * Kept, as a sender is immutable: one made for each request would copy the client's configuration once more.
         */
        RequestSender sender(com.azure.core.http.HttpMethod method) {
            return senders.computeIfAbsent(method, known -> client.request(HttpMethod.valueOf(known.name())));
        }
    }

    TunnelClient(reactor.netty.http.client.HttpClient netty, HttpClient others) {
        this.netty = netty;
        this.others = others;
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request) {
        return send(request, Context.NONE);
    }

    @Override
    public Mono<HttpResponse> send(HttpRequest request, Context context) {
        return request instanceof DirectRequest own ? direct(own) : others.send(request, context);
    }

    private Mono<HttpResponse> direct(DirectRequest request) {
        String address = DirectRequest.address(request);
        int path = HttpOrigin.pathOf(address);
        return new SingleResponseMono(origins.of(address, path)
                .sender(request.getHttpMethod())
                .uri(address.startsWith("/", path) ? address.substring(path) : "/" + address.substring(path))
                .send((head, out) -> written(request, head, out))
                .response((response, body) -> read(request, response, body)));
    }

    /** Kept for each origin, as Reactor Netty takes an absolute address apart by a regular expression, each time. */
    private SenderSet sendersTo(HttpOrigin origin) {
        reactor.netty.http.client.HttpClient client = netty.remoteAddress(origin::address);
        if (!origin.encrypted()) {
            return new SenderSet(client.noSSL());
        }
        return new SenderSet(client.configuration().sslProvider() == null ? client.secure() : client);
    }

    private static Publisher<Void> written(DirectRequest request, HttpClientRequest head, NettyOutbound out) {
        io.netty.handler.codec.http.HttpHeaders headers = head.requestHeaders();
        for (HttpHeader header : request.getHeaders()) {
            headers.set(header.getName(), header.getValue());
        }
        RequestBody body = request.content();
        if (body == null) {
            return out;
        }
        if (!body.sliced()) {
            return out.send(Mono.fromSupplier(() -> pooled(body, out.alloc())));
        }
        headers.set(HttpHeaderNames.CONTENT_LENGTH, body.length());
        WriteTracker tracker = head.currentContextView().getOrDefault(WriteTracker.class, null);
        return out.sendUsing(
                () -> new SlicedInput(body, out.alloc(), tracker == null ? () -> {} : tracker::moved),
                (connection, slices) -> {
                    connection.addHandlerLast(NettyPipeline.ChunkedWriter, new ChunkedWriteHandler());
                    slices.over(connection.channel());
                    return slices;
                },
                SlicedInput::close);
    }

    /** The memory goes back to the pool when it has left, or when its attempt is given up. */
    private static ByteBuf pooled(RequestBody body, ByteBufAllocator memory) {
        int length = body.length();
        ByteBuf buffer = memory.heapBuffer(length, length);
        body.write(buffer.array(), buffer.arrayOffset());
        return buffer.writerIndex(length);
    }

    /** A long body, of which as much is written as is there and the connection has room for. */
    private static final class SlicedInput implements ChunkedInput<ByteBuf> {

        private final BodySlices slices;
        private final int length;
        private final Runnable moved;
        private volatile @Nullable Channel channel;
        private long written;

        SlicedInput(RequestBody body, ByteBufAllocator memory, Runnable moved) {
            this.slices = body.slices(memory, this::ready);
            this.length = body.length();
            this.moved = moved;
        }

        void over(Channel given) {
            channel = given;
        }

        /** Wakes the writer, as a slice has become available. */
        private void ready() {
            Channel carrier = channel;
            ChunkedWriteHandler writer =
                    carrier == null ? null : carrier.pipeline().get(ChunkedWriteHandler.class);
            if (carrier == null || writer == null) {
                return;
            }
            try {
                carrier.eventLoop().execute(writer::resumeTransfer);
            } catch (RejectedExecutionException closed) {
                // The loop has closed its connections with its own end.
            }
        }

        @Override
        public boolean isEndOfInput() {
            return !slices.hasNext();
        }

        /** Called when bytes have left, so that there is room again. */
        @Override
        public @Nullable ByteBuf readChunk(ByteBufAllocator memory) {
            ByteBuf slice = slices.next();
            if (slice != null) {
                moved.run();
                written += slice.readableBytes();
            }
            return slice;
        }

        @Override
        @Deprecated
        @SuppressWarnings("InlineMeSuggester") // of the interface
        public @Nullable ByteBuf readChunk(ChannelHandlerContext context) {
            return readChunk(context.alloc());
        }

        @Override
        public long length() {
            return length;
        }

        @Override
        public long progress() {
            return written;
        }

        @Override
        public void close() {
            slices.close();
        }
    }

    private static Mono<HttpResponse> read(DirectRequest request, HttpClientResponse response, ByteBufFlux body) {
        io.netty.handler.codec.http.HttpHeaders headers = response.responseHeaders();
        // Unlike the iterator of strings, this one copies no names.
        Iterator<Map.Entry<CharSequence, CharSequence>> each = headers.iteratorCharSequence();
        while (each.hasNext()) {
            int length = each.next().getValue().length();
            if (length > ResponseBounds.HEADER) {
                return Mono.error(ResponseTooLongException.header(length));
            }
        }
        StorageResponse.Headers lookup = new NettyHeaders(headers);
        return AggregateBodyMono.of(request.getHttpMethod(), response.status().code(), lookup, body)
                .map(bytes -> new BufferedResponse(request, response.status().code(), lookup, bytes));
    }

    private record NettyHeaders(io.netty.handler.codec.http.HttpHeaders headers) implements StorageResponse.Headers {

        @Override
        public @Nullable String value(HttpHeaderName name) {
            return headers.get(name.getCaseInsensitiveName());
        }

        @Override
        public HttpHeaders all() {
            HttpHeaders copy = new HttpHeaders();
            for (Map.Entry<String, String> header : headers) {
                copy.add(HttpHeaderName.fromString(header.getKey()), header.getValue());
            }
            return copy;
        }
    }

    /** The single response to a direct request, which Reactor Netty sends in the context {@link AttemptContext#ofConnection}. */
    private static final class SingleResponseMono extends Mono<HttpResponse> {

        private final Flux<HttpResponse> responses;

        SingleResponseMono(Flux<HttpResponse> responses) {
            this.responses = responses;
        }

        @Override
        public void subscribe(CoreSubscriber<? super HttpResponse> actual) {
            responses.subscribe(new Run(actual));
        }

        /** One subscriber's response, emitted with its end. */
        private static final class Run extends RelaySubscriber<HttpResponse, HttpResponse> {

            private final reactor.util.context.Context context;
            private @Nullable HttpResponse response;

            Run(CoreSubscriber<? super HttpResponse> actual) {
                super(actual);
                this.context = AttemptContext.ofConnection(actual.currentContext());
            }

            @Override
            public reactor.util.context.Context currentContext() {
                return context;
            }

            @Override
            public void request(long n) {
                upstream().request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(HttpResponse next) {
                response = next;
            }

            @Override
            public void onComplete() {
                if (response == null) {
                    actual.onError(new NoSuchElementException("the HTTP client gave no response"));
                    return;
                }
                actual.onNext(response);
                actual.onComplete();
            }
        }
    }
}
