package io.stowline.queue.internal.poison;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.rule.QueueTimeLimits;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PoisonEnvelopeTest {

    private static final Instant SENT = Instant.parse("2026-11-20T01:02:03Z");
    private static final Duration KEPT = QueueTimeLimits.NEVER;
    private static final Instant NOW = Instant.parse("2026-11-23T01:02:03.004Z");
    private static final int MAX = 65_536;

    private static PoisonEnvelope envelope(String body) {
        MessageHeader header = new MessageHeader("orders", "id-1", 7, SENT, Instant.MAX);
        PoisonNote note = new PoisonNote(
                new MessageView(header, body), "failed 5 times", PoisonNote.text(new Exception("a \"cause\" <&>")), 5);
        return PoisonEnvelope.of(note, NOW);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "{\"id\":1}",
                "eyJpZCI6MX0=",
                "é < & \" \\ \uD83D\uDE00\t\n",
                "{\"stowlinePoison\":1}"
            })
    @DisplayName("QUEUE-3: a copy keeps body, id, origin, reason, error, counts and times")
    void keepsEverything(String body) {
        PoisonEnvelope read = PoisonEnvelope.read(envelope(body).text());

        assertThat(read).isEqualTo(envelope(body));
        assertThat(read)
                .isEqualTo(new PoisonEnvelope(
                        "orders",
                        "id-1",
                        "failed 5 times",
                        "java.lang.Exception: a \"cause\" <&>",
                        7,
                        5,
                        SENT,
                        KEPT,
                        NOW,
                        body,
                        false));
    }

    @Test
    @DisplayName("QUEUE-3: texts of a copy of any sender fit into one line of a log")
    void oneLine() {
        PoisonEnvelope read =
                PoisonEnvelope.read("{\"stowlinePoison\":1,\"queue\":\"o\\u001b[31m\",\"id\":\"i\\u202e\","
                        + "\"reason\":\"r\\r\\nERROR forged\",\"error\":\"e\\nline\",\"body\":\"b\\n\"}");

        assertThat(read.queue()).isEqualTo("o\\u001B[31m");
        assertThat(read.id()).isEqualTo("i\\u202E");
        assertThat(read.reason()).isEqualTo("r\\r\\nERROR forged");
        assertThat(read.error()).isEqualTo("e\\nline");
        assertThat(read.body()).isEqualTo("b\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "-PT5S", "P99999D", "soon"})
    @DisplayName("QUEUE-3: a time to live that no queue takes is none")
    void noTimeToLive(String time) {
        assertThat(PoisonEnvelope.read("{\"stowlinePoison\":1,\"timeToLive\":\"" + time + "\",\"body\":\"b\"}")
                        .timeToLive())
                .isNull();
    }

    @Test
    @DisplayName("QUEUE-3: a body that leaves no room for the rest is compressed")
    void compresses() {
        String body = "abc \" ".repeat(10_000);
        String text = envelope(body).text();

        assertThat(text.getBytes(StandardCharsets.UTF_8)).hasSizeLessThan(MAX / 10);
        assertThat(PoisonEnvelope.read(text)).isEqualTo(envelope(body));
    }

    @Test
    @DisplayName("QUEUE-3: the largest body that cannot be compressed is copied as it is, without the rest")
    void copiesTheRest() {
        byte[] bytes = new byte[MAX / 4 * 3];
        new Random(3).nextBytes(bytes);
        String body = Base64.getEncoder().encodeToString(bytes);
        String text = envelope(body).text();

        assertThat(text).isEqualTo(body);
        assertThat(PoisonEnvelope.read(text).body()).isEqualTo(body);
        assertThat(PoisonEnvelope.read(text).reason()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "{",
                "{\"id\":\"stowlinePoison\"}",
                "{\"body\":\"x\"}",
                "[1,2]",
                "{\"a\":{\"b\":[1]},\"c\":null}"
            })
    @DisplayName("QUEUE-3: what others have put into a poison queue is a body without the rest")
    void readsOthers(String text) {
        assertThat(PoisonEnvelope.read(text))
                .isEqualTo(new PoisonEnvelope(null, null, null, null, 0, 0, null, null, null, text, false));
    }

    @Test
    @DisplayName("QUEUE-3: fields of another version are left out, and damaged ones too")
    void readsWhatItCan() {
        PoisonEnvelope read = PoisonEnvelope.read("{\"stowlinePoison\":2,\"new\":{\"x\":[1]},\"deliveries\":\"many\","
                + "\"insertedAt\":\"yesterday\",\"reason\":\"r\",\"body\":\"b\"}");

        assertThat(read).isEqualTo(new PoisonEnvelope(null, null, "r", null, 0, 0, null, null, null, "b", false));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"stowlinePoison\":1}",
                "{\"stowlinePoison\":1,\"id\":\"id-1\",\"body\":{\"a\":1}}",
                "{\"stowlinePoison\":1,\"body\":\"!!\",\"bodyEncoding\":\"gzip\"}",
                "{\"stowlinePoison\":1,\"body\":\"b\",\"bodyEncoding\":\"br\"}",
                "{\"stowlinePoison\":1,\"id\":\"id-1\",\"body\":\"{\\\"id"
            })
    @DisplayName("WORLD-3: a damaged copy is no body of its own members, and stays in the queue")
    void damaged(String text) {
        assertThat(PoisonEnvelope.read(text).damaged()).isTrue();
        assertThat(PoisonEnvelope.read(text).body()).isEqualTo(text);
    }

    @Test
    @DisplayName("WORLD-3: a copy that a tool has put there again is read, in Base64 and behind a byte order mark")
    void putThereAgain() {
        String text = envelope("{\"id\":1}").text();
        String base64 = Base64.getEncoder().encodeToString(("\uFEFF" + text + "\n").getBytes(StandardCharsets.UTF_8));

        assertThat(PoisonEnvelope.read(base64)).isEqualTo(envelope("{\"id\":1}"));
        assertThat(PoisonEnvelope.read("\uFEFF " + text)).isEqualTo(envelope("{\"id\":1}"));
    }

    @Test
    @DisplayName("WORLD-3: a copy in another Unicode encoding, or with another kind of mark, is read as a copy")
    void otherSpellings() {
        String text = "{\"stowlinePoison\":1,\"queue\":\"q\",\"id\":\"m-1\",\"failures\":99999999999,\"body\":\"hi\"}";
        for (String charset : List.of("UTF-16", "UTF-16LE", "UTF-32")) {
            PoisonEnvelope read =
                    PoisonEnvelope.read(Base64.getEncoder().encodeToString(text.getBytes(Charset.forName(charset))));

            assertThat(read.body()).isEqualTo("hi");
            assertThat(read.id()).isEqualTo("m-1");
            assertThat(read.failures()).isEqualTo(Integer.MAX_VALUE);
        }
        assertThat(PoisonEnvelope.read(text.replace("Poison\":1", "Poison\":null"))
                        .body())
                .isEqualTo("hi");
    }

    @Test
    void showsNoBody() {
        assertThat(envelope("secret")).asString().doesNotContain("secret").contains("orders(id-1)");
    }

    @Test
    void cutsLongErrors() {
        assertThat(PoisonNote.text(new Exception("x".repeat(5_000))))
                .hasSize(1_003)
                .endsWith("...");
        assertThat(PoisonNote.text(null)).isNull();
    }
}
