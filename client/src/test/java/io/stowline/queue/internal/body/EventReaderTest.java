package io.stowline.queue.internal.body;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.internal.MessageView;
import io.stowline.queue.internal.MessageView.MessageHeader;
import io.stowline.queue.internal.body.BodyFormat.DecodedBody;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("WORLD-3: an event of another program is opened or undecodable, and never a body of its own fields")
class EventReaderTest {

    record Order(String id, int n) {}

    private static final String START = "{\"specversion\":\"1.0\",\"id\":\"e-1\",\"source\":\"/q\",\"type\":\"t\"";
    private static final String ORDER = "\"data\":{\"id\":\"o-1\",\"n\":7}";

    private static <T> DecodedBody<T> read(MessageCodec<T> codec, String text) {
        EnvelopeFormat envelope =
                new EnvelopeFormat(QueueMessageEncoding.BASE64, "t", Integer.MAX_VALUE, 1 << 20, null);
        BodyFormat<T> format = new BodyFormat<>(codec, QueueMessageEncoding.BASE64, envelope);
        MessageHeader header = new MessageHeader("orders", "m-1", 1, Instant.EPOCH, Instant.MAX);
        return format.read(format.opened(new MessageView(header, text)));
    }

    /** The text as it is, in Base64, and behind and before what senders add. */
    private static List<String> spellings(String json) {
        List<String> all = new ArrayList<>();
        for (String plain : List.of(json, "\uFEFF" + json, " \t" + json, "\r\n" + json + "\n", json + "\0")) {
            String base64 = Base64.getEncoder().encodeToString(plain.getBytes(StandardCharsets.UTF_8));
            all.addAll(List.of(plain, base64, "\uFEFF" + base64, base64 + "\r\n"));
        }
        for (String charset : List.of("UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE")) {
            for (String plain : List.of(json, "\uFEFF" + json, " " + json + "\n")) {
                all.add(Base64.getEncoder().encodeToString(plain.getBytes(Charset.forName(charset))));
            }
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                START + "," + ORDER + "}",
                START + ",\"time\":\"2018-07-23T09:51:00Z\"," + ORDER + "}",
                START + ",\"time\":\"2018-07-23 09:51:00\"," + ORDER + "}",
                START + ",\"time\":\"2018-07-23T09:51:00\"," + ORDER + "}",
                START + ",\"time\":\"2018-07-23T09:51:00+0100\"," + ORDER + "}",
                START + ",\"time\":1532339460,\"subject\":{\"a\":[1]}," + ORDER + "}",
                "{\"specversion\":\"1.0\",\"id\":\"e-1\",\"type\":\"t\"," + ORDER + "}",
                "{\"specversion\":\"1.0\",\"id\":\"e-1\",\"source\":\"/q\"," + ORDER + "}",
                "{\"specversion\":\"1.0\",\"id\":null,\"source\":\"/q\",\"type\":\"t\"," + ORDER + "}",
                "{\"specversion\":1.0," + ORDER + "}",
                "{" + ORDER + ",\"specversion\":\"1.0\"}",
                START + ",\"data_base64\":\"eyJpZCI6Im8tMSIsIm4iOjd9\"}",
                START + ",\"data_base64\":\"eyJpZCI6Im8tMSIs\\r\\nIm4iOjd9\",\"data\":null}",
                START + ",\"datacontenttype\":\"text/plain\",\"data\":\"{\\\"id\\\":\\\"o-1\\\",\\\"n\\\":7}\"}",
                "{\"specversion\":\"0.3\",\"datacontentencoding\":\"Base64\",\"data\":\"eyJpZCI6Im8tMSIsIm4iOjd9\"}"
            })
    @DisplayName("one whose data can be read is opened, whatever else is missing or spelled in another way")
    void opened(String json) {
        assertThat(spellings(json)).allSatisfy(text -> assertThat(
                        read(MessageCodec.json(Order.class), text).value())
                .isEqualTo(new Order("o-1", 7)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                START + ",\"data\":\"text\"}",
                START + ",\"data\":[{\"id\":\"o-1\",\"n\":7}]}",
                START + ",\"data\":{\"n\":\"many\"}}",
                START + ",\"data\":null}",
                START + ",\"datacontenttype\":\"text/plain\",\"data\":\"text\"}",
                START + "}"
            })
    @DisplayName("one whose data does not fit the type is undecodable")
    void doesNotFit(String json) {
        assertThat(spellings(json)).allSatisfy(text -> assertThat(
                        read(MessageCodec.json(Order.class), text).why())
                .isNotNull());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                START + ",\"data_base64\":\"!!\"}",
                START + ",\"data_base64\":5}",
                START + ",\"data_base64\":{\"a\":1}}",
                START + ",\"data_base64\":\"AAAA\"," + ORDER + "}",
                START + ",\"dataref\":\"https://host/blob\"}",
                START + ",\"stowline\":2," + ORDER + "}",
                START + ",\"stowline\":1,\"dataencoding\":\"br\"," + ORDER + "}",
                START + ",\"stowline\":1,\"dataref\":\"q/e-1.1\",\"dataetag\":\"\\\"1\\\"\",\"datahash\":5}",
                START + ",\"stowline\":1,\"time\":\"2018-07-23 09:51:00\"," + ORDER + "}",
                START + ",\"data\":{\"id\":\"o-1\",\"n\":",
                START + "," + ORDER,
                START + "," + ORDER + "} more",
                START + "," + ORDER + "}{}",
                "{\"specversion\":\"1.0\"}",
                "{\"specversion\":\"1.0\",\"n\":7,\"id\":\"o-1\"}",
                "{\"specversion\":\"2.0\"," + ORDER + "}",
                "{\"specversion\":{}," + ORDER + "}",
                "{\"specversion\":null,\"id\":\"e-1\"," + ORDER + "}",
                "{\"\\u0073pecversion\":\"2.0\"," + ORDER + "}",
                "{\"a\":tru,\"specversion\":\"1.0\"," + ORDER + "}",
                "[" + START + "," + ORDER + "}]"
            })
    @DisplayName("one that cannot be opened is undecodable for every codec, those of text and bytes included")
    void damaged(String json) {
        assertThat(spellings(json)).allSatisfy(text -> {
            assertThat(read(MessageCodec.json(Order.class), text).why()).isNotNull();
            assertThat(read(MessageCodec.json(Order[].class), text).why()).isNotNull();
            assertThat(read(MessageCodec.text(), text).why()).isNotNull();
            assertThat(read(MessageCodec.bytes(), text).why()).isNotNull().doesNotContain("o-1");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "data\":{\"big\":12345678901234567890123,\"price\":1.10} | |"
                        + " {\"big\":12345678901234567890123,\"price\":1.10}",
                "data\":[1,2.50,null] | | [1,2.50,null]",
                "data\":-1.50e3 | | -1.50e3",
                "data\":true | | true",
                "data\":\"a \\\"b\\\" \\u00e9\\n\" | | \"a \\\"b\\\" é\\n\"",
                "data\":\"<a/>\" | application/xml | <a/>",
                "data\":\"x\" | application/JSON; charset=utf-8 | \"x\"",
                "data\":\"x\" | application/vnd.a+json | \"x\"",
                "data_base64\":\"aGk=\" | text/plain | hi",
                "subject\":\"s\" | | ''"
            })
    @DisplayName("data comes as the sender wrote it")
    void data(String member, String type, String expected) {
        String json = START + (type == null ? "" : ",\"datacontenttype\":\"" + type + "\"") + ",\"" + member + "}";

        assertThat(read(MessageCodec.text(), json).value()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                START + ",\"stowline\":1," + ORDER + "}",
                "{\"stowlinePoison\":1,\"queue\":\"q\",\"id\":\"m-1\",\"body\":\"x\"}",
                "{\"stowlinePoison\":null,\"id\":\"m-1\",\"body\":\"x\"}"
            })
    @DisplayName("WORLD-3: an envelope or a poison copy in any Unicode encoding is undecodable for a queue without"
            + " envelopes")
    void misplaced(String json) {
        BodyFormat<Order> base64 = new BodyFormat<>(MessageCodec.json(Order.class), QueueMessageEncoding.BASE64);
        assertThat(spellings(json)).allSatisfy(text -> {
            assertThat(base64.read(text).why()).isNotNull();
            assertThat(base64.with(QueueMessageEncoding.NONE).read(text).why()).isNotNull();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE"})
    @DisplayName("a plain JSON body in another Unicode encoding is still read")
    void plainInOtherEncodings(String charset) {
        String text = Base64.getEncoder().encodeToString("{\"id\":\"o-1\",\"n\":7}".getBytes(Charset.forName(charset)));

        assertThat(read(MessageCodec.json(Order.class), text).value()).isEqualTo(new Order("o-1", 7));
    }

    @Test
    @DisplayName("a plain body with the word, or with the member deeper inside, is none")
    void plainBodies() {
        for (String plain : List.of(
                "specversion",
                "{\"id\":\"specversion\",\"n\":1}",
                "{\"id\":\"o\",\"n\":1,\"inner\":{\"specversion\":\"1.0\"}}",
                "{\"id\":\"\\u0073\",\"n\":1}")) {
            assertThat(read(MessageCodec.text(), plain).value()).isEqualTo(plain);
        }
    }
}
