package io.stowline.queue.internal.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.stowline.queue.internal.MessageXml;
import io.stowline.queue.internal.QueueBench;
import io.stowline.queue.internal.body.BodyFormat.XmlText;
import io.stowline.transport.internal.account.Bench;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xml.sax.InputSource;

class XmlTextTest {

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<Integer> any = Arbitraries.integers().between(0x20, 0x10FFFF).filter(c -> c < 0xD800 || c > 0xFFFF);
        Arbitrary<Integer> awkward = Arbitraries.of(9, 10, 13, 0x7F, 0x85, 0x9F, 0x2028, 0xFFFD, 0xE000);
        Arbitrary<Integer> markup = Arbitraries.of((int) '<', (int) '&', (int) '>', (int) ']', (int) '"', (int) ' ');
        return Arbitraries.frequencyOf(Tuple.of(3, any), Tuple.of(2, awkward), Tuple.of(3, markup))
                .list()
                .ofMaxSize(1_500)
                .map(points -> {
                    StringBuilder text = new StringBuilder();
                    points.forEach(text::appendCodePoint);
                    return text.toString();
                });
    }

    @Property(tries = 100)
    @Label("any text that is let through stands in the XML that is sent, unchanged, and is as large as was said")
    void whatIsSentIsWhatWasGiven(@ForAll("texts") String text) throws Exception {
        QueueBench bench = new QueueBench(new Bench());
        bench.responds(201, QueueBench.sent("7"));
        bench.start(bench.client().send(XmlText.check(text), null, null)).value();
        String body = bench.wire().last().body();

        assertThat(parsed(body)).isEqualTo(text);
        assertThat(MessageXml.body(text).bytes()).isEqualTo(body.getBytes(StandardCharsets.UTF_8));
    }

    /** Read by a parser that has nothing to do with the one that wrote it. */
    private static String parsed(String xml) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(xml)))
                .getElementsByTagName("MessageText")
                .item(0)
                .getTextContent();
    }

    @Property
    @Label("what is refused is named by code point and index")
    void refusesWhatXmlCannotCarry(@ForAll("illegal") int c) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> XmlText.check("\uD83D\uDE00" + Character.toString(c) + "b"))
                .withMessageStartingWith(String.format("the message has U+%04X at index 2,", c));
    }

    @Provide
    Arbitrary<Integer> illegal() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(0, 31).filter(c -> c != 9 && c != 10 && c != 13),
                Arbitraries.integers().between(0xD800, 0xDFFF),
                Arbitraries.of(0xFFFE, 0xFFFF));
    }

    @ParameterizedTest
    @CsvSource({"a, 0", "&, 4", "<, 3", "é, 0"})
    void sizesCountBytes(String text, int more) {
        assertThat(MessageXml.body(text).length() - MessageXml.body("").length())
                .isEqualTo(utf8(text) + more);
    }

    private static int utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
