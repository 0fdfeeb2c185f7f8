package io.stowline.transport.internal.http.response;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.stowline.transport.internal.http.CollectingSink;
import io.stowline.transport.internal.http.ResponseBounds;
import io.stowline.transport.internal.http.ResponseBounds.ResponseTooLongException;
import io.stowline.transport.internal.http.StorageResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class AggregateBodyMonoTest {

    @Property(tries = 300)
    @Label("the bytes are those of the parts, whatever length was announced")
    void takesAllParts(
            @ForAll @Size(max = 500) byte[] body, @ForAll @IntRange(min = 1, max = 90) int part, @ForAll int stated) {
        for (String announced :
                Arrays.asList(null, "", "much", Integer.toString(body.length), Integer.toString(stated % 2_000))) {
            assertThat(read(200, parts(body, part), announced).block()).isEqualTo(body);
            assertThat(read(400, parts(body, part), announced).block()).isEqualTo(body);
        }
    }

    private static Mono<byte[]> read(int status, Flux<ByteBuf> parts, @Nullable String announced) {
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.CONTENT_LENGTH, announced);
        return new AggregateBodyMono(
                status, StorageResponse.Headers.of(headers), parts, ResponseBounds.PAGE_BYTES, false, null);
    }

    private static Flux<ByteBuf> parts(byte[] body, int size) {
        List<ByteBuf> parts = new ArrayList<>();
        for (int at = 0; at < body.length; at += size) {
            parts.add(Unpooled.wrappedBuffer(Arrays.copyOfRange(body, at, Math.min(body.length, at + size))));
        }
        return Flux.fromIterable(parts);
    }

    @Test
    void aBodyThatBreaksOffIsAnError() {
        Flux<ByteBuf> cut = Flux.concat(parts(new byte[10], 5), Flux.error(new IOException("cut")));
        StepVerifier.create(read(200, cut, "20")).verifyErrorMessage("cut");
    }

    @Test
    void givesUpWithItsReader() {
        TestPublisher<ByteBuf> parts = TestPublisher.create();
        StepVerifier.create(read(200, parts.flux(), nothing())).thenCancel().verify();
        parts.assertCancelled();
    }

    private static @Nullable String nothing() {
        return null;
    }

    private static Flux<ByteBuf> endless(AtomicLong given, AtomicBoolean cancelled) {
        byte[] part = new byte[10_000];
        return Flux.<ByteBuf>generate(sink -> {
                    given.addAndGet(part.length);
                    sink.next(Unpooled.wrappedBuffer(part));
                })
                .doOnCancel(() -> cancelled.set(true));
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: an endless error is cut off at 64 KiB, and the rest is not read")
    @NullSource
    @ValueSource(strings = {"10", "999999999999", "-1"})
    void cutsAnEndlessError(@Nullable String announced) {
        AtomicLong given = new AtomicLong();
        AtomicBoolean cancelled = new AtomicBoolean();

        assertThat(read(400, endless(given, cancelled), announced).block()).hasSize(64 << 10);
        assertThat(cancelled).isTrue();
        assertThat(given.get()).isLessThan((64 << 10) + 20_000);
    }

    @ParameterizedTest
    @DisplayName("RETRY-3: an endless answer is refused at 16 MiB, with the bound in the message")
    @NullSource
    @ValueSource(strings = {"10", "16777216", "-1"})
    void refusesAnEndlessResponse(@Nullable String announced) {
        AtomicLong given = new AtomicLong();
        AtomicBoolean cancelled = new AtomicBoolean();

        StepVerifier.create(read(200, endless(given, cancelled), announced)).verifyErrorSatisfies(e -> assertThat(e)
                .isInstanceOf(ResponseTooLongException.class)
                .hasMessage("the response is longer than 16777216 bytes, the most that is read of one"));
        assertThat(cancelled).isTrue();
        assertThat(given.get()).isLessThan((16 << 20) + 20_000);
    }

    @Test
    @DisplayName("RETRY-3: a response that announces more than 16 MiB is refused before its body")
    void refusesAnAnnouncedLength() {
        StepVerifier.create(read(200, Flux.never(), "16777217")).verifyErrorSatisfies(e -> assertThat(e)
                .isInstanceOf(ResponseTooLongException.class)
                .hasMessageContaining("16777216 bytes"));
    }

    @Test
    @DisplayName("to HEAD the length is that of what is stored")
    void announcesWhatIsStored() {
        HttpHeaders headers = new HttpHeaders().set(HttpHeaderName.CONTENT_LENGTH, "999999999999");

        assertThat(new AggregateBodyMono(
                                200,
                                StorageResponse.Headers.of(headers),
                                Flux.<ByteBuf>empty(),
                                ResponseBounds.PAGE_BYTES,
                                true,
                                null)
                        .block())
                .isEmpty();
    }

    @Test
    void takesAResponseOfExactlyTheBound() {
        byte[] part = new byte[1 << 20];
        Flux<ByteBuf> body = Flux.range(0, 16).map(i -> Unpooled.wrappedBuffer(part));

        assertThat(read(200, body, null).block()).hasSize(16 << 20);
    }

    @Test
    @DisplayName("TRANSFER-3: a body for a sink is requested part by part, and not while the sink has enough")
    void asksTheSink() {
        CollectingSink sink = new CollectingSink();
        WriteTracker tracker = WriteTracker.reporting();
        tracker.feedTo(sink);
        TestPublisher<ByteBuf> parts = TestPublisher.create();
        List<Long> requested = new ArrayList<>();
        Mono<byte[]> body = read(200, parts.flux().doOnRequest(requested::add), "20")
                .contextWrite(context -> context.put(WriteTracker.class, tracker));
        StepVerifier.create(body)
                .then(() -> parts.next(part()))
                .then(sink::fill)
                .then(() -> parts.next(part()))
                .then(() -> assertThat(requested).containsExactly(1L, 1L))
                .then(sink::drain)
                .then(() -> assertThat(requested).containsExactly(1L, 1L, 1L))
                .then(() -> parts.next(part()))
                .then(parts::complete)
                .assertNext(none -> assertThat(none).isEmpty())
                .verifyComplete();
        assertThat(sink.bytes()).hasSize(15);
    }

    private static ByteBuf part() {
        return Unpooled.wrappedBuffer(new byte[5]);
    }
}
