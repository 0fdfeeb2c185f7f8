package io.stowline.testkit.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.testkit.internal.wire.XmlDocument.XmlElement;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.CharRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XmlDocumentTest {

    @Property
    @Label("a text that was written is read back")
    void readsTextsBack(@ForAll @AlphaChars @CharRange(from = ' ', to = '~') String text) {
        XmlDocument document = read("<a>" + XmlDocument.element("b", text + "\r\n&") + "</a>");

        assertThat(document.wellFormed()).isTrue();
        assertThat(document.text("b")).contains(text + "\r\n&");
    }

    @Test
    void namesEachElementByItsPath() {
        XmlDocument document = read("\n<a> <b>1<!-- 2 --><c/>3</b><b><![CDATA[<4>]]></b></a>\n");

        assertThat(document.elements())
                .containsExactly(
                        new XmlElement("/a/b/c", ""),
                        new XmlElement("/a/b", "13"),
                        new XmlElement("/a/b", "<4>"),
                        new XmlElement("/a", " "));
        assertThat(document.count("b", "c")).isEqualTo(3);
        assertThat(document.text("d")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "<a><b>1</b>",
                "<a/><b/>",
                "<!DOCTYPE a><a/>",
                "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>"
            })
    void findsWhatIsNoSmallDocument(String xml) {
        assertThat(read(xml).wellFormed()).isFalse();
    }

    @Test
    void keepsTheElementsBeforeTheBreak() {
        assertThat(read("<a><b>1</b><c>").text("b")).contains("1");
    }

    private static XmlDocument read(String xml) {
        return XmlDocument.read(Bytes.all(xml.getBytes(StandardCharsets.UTF_8)));
    }
}
