package io.stowline.queue.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.azure.storage.queue.QueueMessageEncoding;
import io.stowline.queue.MessageCodec;
import io.stowline.queue.internal.MessageEnvelope;
import io.stowline.queue.internal.MessageXml;
import io.stowline.queue.internal.body.BodyFormat.Base64Text;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyFormatTest {

    record Note(String text, long number, List<String> tags) {}

    private static <T> BodyFormat<T> format(MessageCodec<T> codec, QueueMessageEncoding encoding) {
        return new BodyFormat<>(codec, encoding);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Texts that XML can carry. */
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(200).filter(BodyFormatTest::legal),
                Arbitraries.strings()
                        .withCharRange('A', 'z')
                        .withChars("+/=\r\n ")
                        .ofMaxLength(40),
                Arbitraries.of("", "test", "null", "1234", "aGVsbG8=", "e30=", "\uD83D\uDE00"));
    }

    private static boolean legal(String text) {
        return text.codePoints()
                .allMatch(c -> c == 9 || c == 10 || c == 13 || (c >= 32 && c < 0xD800) || (c >= 0xE000 && c < 0xFFFE));
    }

    @Property
    @Label("whatever a codec writes comes back, in both encodings: text")
    void textRoundTrips(@ForAll("texts") String text, @ForAll QueueMessageEncoding encoding) {
        BodyFormat<String> format = format(MessageCodec.text(), encoding);

        assertThat(format.read(format.write(text)).value()).isEqualTo(text);
    }

    @Property
    @Label("whatever a codec writes comes back, in both encodings: bytes")
    void bytesRoundTrip(@ForAll byte[] bytes, @ForAll("texts") String text) {
        BodyFormat<byte[]> base64 = format(MessageCodec.bytes(), QueueMessageEncoding.BASE64);
        BodyFormat<byte[]> none = format(MessageCodec.bytes(), QueueMessageEncoding.NONE);
        byte[] readable = text.getBytes(StandardCharsets.UTF_8);

        assertThat(base64.read(base64.write(bytes)).value()).isEqualTo(bytes);
        assertThat(none.read(none.write(readable)).value()).isEqualTo(readable);
    }

    @Property
    @Label("whatever a codec writes comes back, in both encodings, read in either: JSON")
    void jsonRoundTrips(
            @ForAll("texts") String text,
            @ForAll long number,
            @ForAll("tags") List<String> tags,
            @ForAll QueueMessageEncoding written,
            @ForAll QueueMessageEncoding read) {
        Note note = new Note(text, number, tags);
        String message = format(MessageCodec.json(Note.class), written).write(note);

        assertThat(format(MessageCodec.json(Note.class), read).read(message).value())
                .isEqualTo(note);
    }

    @Provide
    Arbitrary<List<String>> tags() {
        return texts().list().ofMaxSize(3);
    }

    @Property
    @Label("plain JSON numbers, which can look like Base64, are read in both encodings")
    void foreignNumbers(@ForAll long number, @ForAll QueueMessageEncoding encoding) {
        assertThat(format(MessageCodec.json(Long.class), encoding)
                        .read(Long.toString(number))
                        .value())
                .isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "   ", "\t", "\n", "\r\n \r\n"})
    @DisplayName("WORLD-3: a text of nothing but blanks is no Base64 of nothing, and stays as it is")
    void blankText(String blank) {
        assertThat(format(MessageCodec.text(), QueueMessageEncoding.BASE64)
                        .read(blank)
                        .value())
                .isEqualTo(blank);
        assertThat(format(MessageCodec.bytes(), QueueMessageEncoding.BASE64)
                        .read(blank)
                        .value())
                .isEqualTo(blank.getBytes(StandardCharsets.UTF_8));
        assertThat(format(MessageCodec.text(), QueueMessageEncoding.BASE64)
                        .read("")
                        .value())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void foreignWords(boolean word) {
        for (QueueMessageEncoding encoding : QueueMessageEncoding.values()) {
            assertThat(format(MessageCodec.json(Boolean.class), encoding)
                            .read(String.valueOf(word))
                            .value())
                    .isEqualTo(word);
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("what others have sent is read: plain JSON, Base64 with and without padding and in lines")
    void foreignJson(QueueMessageEncoding encoding) {
        BodyFormat<Note> format = format(MessageCodec.json(Note.class), encoding);
        String json = "{ \"text\": \"é & <\",\n \"number\": 7, \"more\": true }";
        Note note = new Note("é & <", 7, null);

        assertThat(format.read(json).value()).isEqualTo(note);
        assertThat(format.read(base64(json)).value()).isEqualTo(note);
        assertThat(format.read(base64(json).replace("=", "")).value()).isEqualTo(note);
        assertThat(format.read(new StringBuilder(base64(json))
                                .insert(20, "\r\n")
                                .toString())
                        .value())
                .isEqualTo(note);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("WORLD-3: a text that the library has written around a body is no JSON body of its own members")
    void textsOfTheLibrary(QueueMessageEncoding encoding) {
        BodyFormat<Note> format = format(MessageCodec.json(Note.class), encoding);
        String enveloped = MessageEnvelope.of("e1", "orders", "t", "{}".getBytes(StandardCharsets.UTF_8), true, false)
                .json();
        String copy = "{\"stowlinePoison\":1,\"id\":\"1\",\"number\":2,\"body\":\"{}\"}";

        assertThat(format.read(enveloped).why()).contains("withEnvelope(..)");
        assertThat(format.read(copy).why()).contains("poison().redrive(..)");
        assertThat(format.read(base64(copy)).why()).isNotNull();
        for (String text : List.of(enveloped, base64(enveloped))) {
            assertThat(format.read(text).why()).isNotNull();
            assertThat(format(MessageCodec.text(), encoding).read(text).why()).isNull();
        }
        assertThat(format.read("{\"text\":\"stowline\",\"number\":1}").value())
                .isEqualTo(new Note("stowline", 1, null));
    }

    @ParameterizedTest
    @CsvSource({
        "BASE64, aGVsbG8=, hello",
        "BASE64, plain text!, plain text!",
        "BASE64, test, test",
        "BASE64, SGkh, Hi!",
        "NONE, aGVsbG8=, aGVsbG8=",
        "NONE, plain text!, plain text!"
    })
    @DisplayName("plain text is read as it is, but for Base64 of a text where Base64 is expected")
    void foreignText(QueueMessageEncoding encoding, String raw, String expected) {
        assertThat(format(MessageCodec.text(), encoding).read(raw).value()).isEqualTo(expected);
        assertThat(utf8(format(MessageCodec.text(), encoding).codec().encode(expected)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "BASE64, aGVsbG8=, hello",
        "BASE64, plain text!, plain text!",
        "NONE, aGVsbG8=, aGVsbG8=",
    })
    void foreignBytes(QueueMessageEncoding encoding, String raw, String expected) {
        assertThat(utf8(format(MessageCodec.bytes(), encoding).read(raw).value()))
                .isEqualTo(expected);
    }

    @Test
    @DisplayName("QUEUE-6: a codec that throws, gives null or runs out of stack leaves a reason without a quotation")
    void codecsThatFail() {
        String secret = base64("secret");

        assertThat(format(
                                decoding(bytes -> {
                                    throw new IllegalStateException("I saw " + utf8(bytes));
                                }),
                                QueueMessageEncoding.BASE64)
                        .read(secret))
                .satisfies(failed ->
                        assertThat(failed.why()).isEqualTo("the codec mine threw java.lang.IllegalStateException"))
                .satisfies(failed -> assertThat(failed.cause()).hasMessageNotContaining("secret"));
        assertThat(format(decoding(bytes -> null), QueueMessageEncoding.NONE)
                        .read(secret)
                        .why())
                .isEqualTo("the codec mine gave null");
        assertThat(format(
                                decoding(bytes -> {
                                    throw new NoClassDefFoundError("secret");
                                }),
                                QueueMessageEncoding.NONE)
                        .read(secret)
                        .why())
                .isEqualTo("the codec mine threw java.lang.NoClassDefFoundError");
        assertThat(format(
                                decoding(bytes -> {
                                    throw new AssertionError("secret");
                                }),
                                QueueMessageEncoding.BASE64)
                        .read(secret)
                        .why())
                .isEqualTo("the codec mine threw java.lang.AssertionError");
        assertThat(catchThrowable(() -> format(
                                decoding(bytes -> {
                                    throw new InternalError("the machine's own");
                                }),
                                QueueMessageEncoding.BASE64)
                        .read(secret)))
                .isInstanceOf(InternalError.class);
        assertThat(format(decoding(BodyFormatTest::endless), QueueMessageEncoding.NONE)
                        .read(secret)
                        .why())
                .isEqualTo("the codec mine threw java.lang.StackOverflowError");
    }

    @SuppressWarnings("InfiniteRecursion") // that is what is tested
    private static String endless(byte[] bytes) {
        return endless(bytes) + "x";
    }

    private interface Decode {
        String decode(byte[] bytes);
    }

    private static MessageCodec<String> decoding(Decode decode) {
        return new MessageCodec<>() {
            @Override
            public byte[] encode(String value) {
                throw new IllegalStateException("I saw " + value);
            }

            @Override
            public String decode(byte[] bytes) {
                return decode.decode(bytes);
            }

            @Override
            public String toString() {
                return "mine";
            }
        };
    }

    @Test
    void aCodecThatCannotWriteIsNotQuoted() {
        BodyFormat<String> nothing = format(
                new MessageCodec<String>() {
                    @Override
                    public byte[] encode(String value) {
                        return null;
                    }

                    @Override
                    public String decode(byte[] bytes) {
                        return "";
                    }

                    @Override
                    public String toString() {
                        return "nothing";
                    }
                },
                QueueMessageEncoding.NONE);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> nothing.write("secret"))
                .withMessage("the codec nothing wrote null");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        format(decoding(bytes -> ""), QueueMessageEncoding.NONE).write("secret"))
                .withMessage("the codec mine cannot write the body of type java.lang.String:"
                        + " java.lang.IllegalStateException")
                .satisfies(e -> assertThat(e.getCause()).hasMessageNotContaining("secret"));
    }

    @Test
    @DisplayName("a text is at most 65,536 bytes on the wire, which is 49,152 before Base64")
    void limitsOfText() {
        BodyFormat<byte[]> base64 = format(MessageCodec.bytes(), QueueMessageEncoding.BASE64);
        BodyFormat<String> none = format(MessageCodec.text(), QueueMessageEncoding.NONE);

        assertThat(base64.write(new byte[49_152])).hasSize(65_536);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> base64.write(new byte[49_153]))
                .withMessage("the message of 49153 bytes has 65540 bytes in BASE64; the limit is 65536,"
                        + " which is 49152 before BASE64");
        assertThat(none.write("é".repeat(32_768))).hasSize(32_768);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> none.write("é".repeat(32_768) + "x"))
                .withMessage("the message has 65537 bytes with QueueMessageEncoding.NONE; the limit is 65536");
    }

    @Test
    @DisplayName("the whole XML is at most 131,584 bytes, escapes included")
    void limitOfTheBody() {
        BodyFormat<String> none = format(MessageCodec.text(), QueueMessageEncoding.NONE);
        int envelopeBytes = MessageXml.body("").length();
        int max = (BodyFormat.MAX_BODY - envelopeBytes) / 5;

        assertThat(MessageXml.body(none.write("&".repeat(max))).length()).isLessThanOrEqualTo(BodyFormat.MAX_BODY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> none.write("&".repeat(max + 1)))
                .withMessage("the message of " + (max + 1) + " bytes has " + (envelopeBytes + 5 * (max + 1))
                        + " bytes as XML with QueueMessageEncoding.NONE, where < and & grow; the limit is 131584;"
                        + " QueueMessageEncoding.BASE64 takes " + Base64Text.length(max + 1));
        assertThat(none.write(">".repeat(65_536))).hasSize(65_536);
    }

    @Test
    @DisplayName("WORLD-3: a text with a half of a character is undecodable, and gets no question mark")
    void halfOfACharacter() {
        for (QueueMessageEncoding encoding : QueueMessageEncoding.values()) {
            assertThat(format(MessageCodec.text(), encoding).read("a\uD800b").why())
                    .contains("half of a character");
            assertThat(format(MessageCodec.text(), encoding).read("a\u0001b").value())
                    .isEqualTo("a\u0001b");
        }
    }

    @Test
    void noneCarriesOnlyText() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        format(MessageCodec.bytes(), QueueMessageEncoding.NONE).write(new byte[] {65, -1}))
                .withMessage("the 2 bytes are no text in UTF-8, and QueueMessageEncoding.NONE carries only such;"
                        + " QueueMessageEncoding.BASE64 carries any");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        format(MessageCodec.text(), QueueMessageEncoding.NONE).write("ab\u0001"))
                .withMessage(
                        "the message has U+0001 at index 2, which XML 1.0 cannot carry; QueueMessageEncoding.BASE64"
                                + " can");
        assertThat(format(MessageCodec.text(), QueueMessageEncoding.BASE64).write("ab\u0001"))
                .isEqualTo("YWIB");
    }
}
