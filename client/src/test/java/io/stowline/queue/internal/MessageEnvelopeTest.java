package io.stowline.queue.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.models.CloudEvent;
import io.stowline.queue.internal.MessageEnvelope.Claim;
import io.stowline.queue.internal.body.EventReader;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A message in an envelope is a CloudEvent")
class MessageEnvelopeTest {

    private static final String JSON = "{\"big\":12345678901234567890123,\"price\":1.10,\"none\":null}";

    private static MessageEnvelope envelope() {
        return MessageEnvelope.of("e1", "orders", "test", JSON.getBytes(UTF_8), true, false);
    }

    private static MessageEnvelope reread(MessageEnvelope envelope) {
        return Objects.requireNonNull(EventReader.read(envelope.json()));
    }

    @Test
    @DisplayName("a reader of CloudEvents finds id, source, type and the JSON as it was written")
    void foreignReader() {
        MessageEnvelope envelope = envelope();

        CloudEvent event = CloudEvent.fromString(envelope.json()).get(0);

        assertThat(event.getId()).isEqualTo(envelope.id());
        assertThat(event.getSource()).isEqualTo("orders");
        assertThat(event.getType()).isEqualTo("test");
        assertThat(event.getData()).hasToString(JSON);
    }

    @Test
    @DisplayName("body, checkpoint, counts and claim come back")
    void comesBack() {
        MessageEnvelope fresh = envelope();
        Claim claim = new Claim(Claim.nameFor("orders", fresh.id()), "\"0x1\"", "aGFzaA==");
        MessageEnvelope noted =
                reread(fresh.withCheckpoint("page \"42\"").noting(3, 7).withClaim(claim));

        assertThat(noted.isOwn()).isTrue();
        assertThat(noted.data()).isEqualTo(JSON.getBytes(UTF_8));
        assertThat(noted.checkpoint()).isEqualTo("page \"42\"");
        assertThat(noted.failures()).isEqualTo(3);
        assertThat(noted.releases()).isEqualTo(7);
        assertThat(noted.claim()).isEqualTo(claim);
    }

    @Test
    @DisplayName("bytes come back, also in a rewritten envelope")
    void bytes() {
        byte[] bytes = {0, 1, -1, 127};

        MessageEnvelope noted = reread(
                reread(MessageEnvelope.of("e1", "q", "t", bytes, false, false)).noting(1, 0));

        assertThat(noted.data()).isEqualTo(bytes);
    }

    @Test
    @DisplayName("attributes of later versions stay in a rewritten envelope")
    void keepsAttributes() {
        String later = envelope().json().replace("\"stowline\":1", "\"stowline\":1,\"priority\":\"high\"");

        MessageEnvelope noted = Objects.requireNonNull(EventReader.read(later)).noting(1, 0);

        assertThat(noted.json()).contains("\"priority\":\"high\"");
    }

    @Test
    @DisplayName("an event of another program is read and is not the library's")
    void foreignSender() {
        MessageEnvelope foreign = Objects.requireNonNull(EventReader.read(
                "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/q\",\"type\":\"t\",\"data\":{\"a\":1}}"));

        assertThat(foreign.isOwn()).isFalse();
        assertThat(foreign.data()).isEqualTo("{\"a\":1}".getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "{",
                "[]",
                "{\"a\":1}",
                "{\"a\":{\"specversion\":\"1.0\",\"data\":1}}",
                "{\"a\":\"\\u0073\"",
                "[]",
                "[{\"a\":1}]",
                "[\"specversion\"]",
                "specversion"
            })
    @DisplayName("any other text is no envelope")
    void noEnvelope(String text) {
        assertThat(EventReader.read(text)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "99999999999", "\"x\"", "null", "{}"})
    @DisplayName("counts that another program has damaged do no harm")
    void damagedCounts(String count) {
        String damaged = envelope().json().replace("\"stowline\":1", "\"stowline\":1,\"failures\":" + count);

        assertThat(Objects.requireNonNull(EventReader.read(damaged)).failures()).isBetween(0, Integer.MAX_VALUE);
    }
}
