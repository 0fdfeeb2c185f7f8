package io.stowline.transport.internal.netty.direct;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.stowline.transport.internal.http.ResponseBounds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Compares the decoder of the direct client with Netty's on generated streams. {@code http.streams} sets their number, {@code http.first}
 * the first seed.
 */
class ResponseFuzzTest {

    private static final long STREAMS = Long.getLong("http.streams", 3_000);
    private static final long FIRST = Long.getLong("http.first", 1);

    /**
     * Reasons of the decoder for refusing streams that Netty's reads. A guess could make one response out of two, so
     * that nothing is guessed: lengths and encodings that differ or come twice, heads that ran together, lines and
     * names that others read otherwise, and protocols that no request wanted. The number of interim responses is
     * bounded, so that their flood ends.
     */
    private static final List<String> STRICTER = List.of(
            "more than 16 interim responses",
            "its head is the beginning of one response and the whole of another",
            "control character",
            "a header has no colon",
            "a header has no name",
            "does not end with CR LF",
            "it does not begin with a status line",
            "its status is",
            "it has two lengths",
            "its length is no number",
            "it turns to a protocol that was not requested",
            "its transfer encoding is not chunked",
            "the name of a header has a space",
            "the size of a chunk is no number");

    /**
     * Reasons of Netty's for refusing streams that the decoder reads. Netty's keeps the blanks around a folded line,
     * which are none of the value; reads trailers and extensions of chunks, which the decoder skips; and takes
     * blanks behind the size of a chunk for the beginning of an extension.
     */
    private static final List<String> QUIRKS = List.of(
            "Content-Length value is not a number",
            "Validation failed for header",
            "chunked must be the last encoding",
            "No colon found",
            "a header name can only contain",
            "Invalid chunk extension",
            "Invalid chunk size; expected extensions",
            "empty headers are not allowed",
            "bitIndex < 0");

    /** The end of a stream. */
    private enum Kind {
        WHOLE,
        CUT,
        REFUSED
    }

    private record Outcome(Kind kind, int status, List<String> headers, String body, String reason) {

        static Outcome cut() {
            return new Outcome(Kind.CUT, 0, List.of(), "", "");
        }

        static Outcome refused(Throwable why) {
            return new Outcome(Kind.REFUSED, 0, List.of(), "", String.valueOf(why.getMessage()));
        }
    }

    private static Outcome ours(ResponseStream stream, List<byte[]> pieces, int length) {
        ResponseDecoder decoder = new ResponseDecoder();
        try {
            return ours(decoder, stream, pieces);
        } catch (IOException refused) {
            return Outcome.refused(refused);
        } finally {
            assertThat(decoder.work()).isLessThanOrEqualTo(4L * length + 16);
            assertThat(decoder.memory()).isLessThanOrEqualTo(4 * HeadDecoder.MAX);
        }
    }

    private static Outcome ours(ResponseDecoder decoder, ResponseStream stream, List<byte[]> pieces)
            throws IOException {
        decoder.begin(stream.bodiless(), null, ResponseBounds.PAGE_BYTES);
        for (byte[] piece : pieces) {
            ByteBuf in = Unpooled.wrappedBuffer(piece);
            if ((decoder.pastHead() || decoder.readHead(in) != null) && decoder.readBody(in)) {
                return whole(decoder);
            }
            assertThat(in.isReadable()).isFalse();
        }
        return decoder.pastHead() && decoder.endOfStream() ? whole(decoder) : Outcome.cut();
    }

    private static Outcome whole(ResponseDecoder decoder) {
        List<String> headers = new ArrayList<>();
        for (HttpHeader header : decoder.head().all()) {
            header.getValuesList().forEach(value -> headers.add(field(header.getName(), value)));
        }
        return new Outcome(
                Kind.WHOLE, decoder.head().status(), sorted(headers), ByteBufUtil.hexDump(decoder.body()), "");
    }

    private static Outcome nettys(ResponseStream stream, List<byte[]> pieces) {
        HttpDecoderConfig config = new HttpDecoderConfig()
                .setMaxInitialLineLength(1 << 20)
                .setMaxHeaderSize(1 << 20)
                .setAllowDuplicateContentLengths(true)
                .setUseRfc9112TransferEncoding(false)
                .setStrictLineParsing(true);
        EmbeddedChannel channel = new EmbeddedChannel(new HttpResponseDecoder(config) {
            @Override
            protected boolean isContentAlwaysEmpty(HttpMessage message) {
                boolean interim =
                        message instanceof HttpResponse head && head.status().code() / 100 == 1;
                return super.isContentAlwaysEmpty(message) || (stream.bodiless() && !interim);
            }
        });
        try {
            for (byte[] piece : pieces) {
                channel.writeInbound(Unpooled.copiedBuffer(piece));
            }
            channel.finish();
            return nettys(channel);
        } finally {
            channel.releaseInbound();
        }
    }

    private static Outcome nettys(EmbeddedChannel channel) {
        HttpResponse head = null;
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
            Throwable failure =
                    next instanceof HttpObject object ? object.decoderResult().cause() : null;
            if (failure != null) {
                ReferenceCountUtil.release(next);
                return failure instanceof PrematureChannelClosureException ? Outcome.cut() : Outcome.refused(failure);
            }
            if (next instanceof HttpResponse begun) {
                head = begun.status().code() / 100 == 1 && begun.status().code() != 101 ? null : begun;
            }
            if (next instanceof HttpContent content) {
                body.writeBytes(ByteBufUtil.getBytes(content.content()));
                content.release();
            }
            if (next instanceof LastHttpContent && head != null) {
                List<String> headers = new ArrayList<>();
                head.headers().forEach(header -> headers.add(field(header.getKey(), header.getValue())));
                return new Outcome(
                        Kind.WHOLE, head.status().code(), sorted(headers), ByteBufUtil.hexDump(body.toByteArray()), "");
            }
        }
        return Outcome.cut();
    }

    /** Drops lengths and encodings, which show in the body: Netty's merges them, and drops those that do not count. */
    private static List<String> sorted(List<String> headers) {
        return headers.stream()
                .filter(each -> !each.startsWith("content-length:") && !each.startsWith("transfer-encoding:"))
                .sorted()
                .toList();
    }

    private static String field(String name, String value) {
        return name.toLowerCase(Locale.ROOT) + ":"
                + value.replaceAll("[ \t]+", " ").strip();
    }

    /** True if one of the two is right to differ from the other. */
    private static boolean agree(Outcome ours, Outcome nettys) {
        if (ours.kind() != Kind.WHOLE && nettys.kind() != Kind.WHOLE) {
            return true;
        }
        return ours.equals(nettys)
                || (ours.kind() == Kind.REFUSED && STRICTER.stream().anyMatch(ours.reason()::contains))
                || (nettys.kind() == Kind.REFUSED && QUIRKS.stream().anyMatch(nettys.reason()::startsWith));
    }

    @Test
    @DisplayName("OUTCOME-0: whatever bytes come, the decoder reads what Netty's reads, or refuses")
    void readsWhatNettyReads() {
        int whole = 0;
        for (long seed = FIRST; seed < FIRST + STREAMS; seed++) {
            ResponseStream stream = new ResponseStream(seed);
            byte[] bytes = stream.bytes();
            Outcome ours = ours(stream, stream.cut(bytes), bytes.length);
            Outcome nettys = nettys(stream, stream.cut(bytes));
            whole += ours.kind() == Kind.WHOLE ? 1 : 0;
            assertThat(agree(ours, nettys))
                    .as("http.first=%s http.streams=1, bytes %s: %s, but Netty: %s", seed, text(bytes), ours, nettys)
                    .isTrue();
        }
        assertThat(whole).isGreaterThan((int) (STREAMS / 3));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, ISO_8859_1).replace("\r", "\\r").replace("\n", "\\n");
    }
}
