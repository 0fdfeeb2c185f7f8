package io.stowline.transport.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class WholeBodyTest {

    @Property(tries = 300)
    @Label("the bytes are those of the parts, whatever length was announced")
    void takesAllParts(
            @ForAll @Size(max = 500) byte[] body, @ForAll @IntRange(min = 1, max = 90) int part, @ForAll int said) {
        for (String announced :
                Arrays.asList(null, "", "much", Integer.toString(body.length), Integer.toString(said % 2_000))) {
            assertThat(new WholeBody(parts(body, part), announced).block()).isEqualTo(body);
        }
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
        StepVerifier.create(new WholeBody(cut, "20")).verifyErrorMessage("cut");
    }

    @Test
    void givesUpWithItsReader() {
        TestPublisher<ByteBuf> parts = TestPublisher.create();
        StepVerifier.create(new WholeBody(parts.flux(), nothing())).thenCancel().verify();
        parts.assertCancelled();
    }

    private static @Nullable String nothing() {
        return null;
    }
}
