package io.stowline.transport.internal.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.transport.internal.account.Bench;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorBodyTest {

    @Test
    void readsTheTableServicesJson() {
        ErrorBody body = ErrorBody.parse(Bench.jsonError("TableNotFound", "The table specified does not exist."));

        assertThat(body).isEqualTo(new ErrorBody("TableNotFound", "The table specified does not exist.", -1, null));
    }

    @ParameterizedTest
    @CsvSource({
        "0:The specified entity already exists., 0",
        "7:One of the request inputs is not valid., 7",
        "99:text, 99",
        "The 7: text, -1",
        "7 text, -1",
        "123456:text, -1"
    })
    void findsTheIndexBeforeTheText(String message, int index) {
        assertThat(ErrorBody.parse(Bench.jsonError("EntityAlreadyExists", message))
                        .index())
                .isEqualTo(index);
    }

    @Test
    void readsJsonWhoseMessageIsPlainText() {
        assertThat(ErrorBody.parse("{\"code\":\"X\",\"message\":\"plain\"}"))
                .isEqualTo(new ErrorBody("X", "plain", -1, null));
        assertThat(ErrorBody.parse("{\"Message\":\"upper\",\"Code\":\"Y\"}"))
                .isEqualTo(new ErrorBody("Y", "upper", -1, null));
    }

    @Test
    void readsNestedJsonInAnyOrder() {
        String json =
                "{\"error\":{\"message\":{\"value\":\"3:text\",\"lang\":\"en\"},\"more\":[1,{\"a\":null}],\"code\":\"Z\"}}";

        assertThat(ErrorBody.parse(json)).isEqualTo(new ErrorBody("Z", "3:text", 3, null));
    }

    @Test
    @DisplayName("RETRY-7: XML where JSON was expected is read, and the signature in its details is left out")
    void readsXmlWithoutItsDetails() {
        String xml = "\uFEFF<?xml version=\"1.0\""
                + " encoding=\"utf-8\"?><Error><Code>AuthenticationFailed</Code><Message>Server failed to authenticate the"
                + " request.\n"
                + "RequestId:1\n"
                + "Time:2</Message><AuthenticationErrorDetail>The MAC signature 'c2lnbmF0dXJl'"
                + " differs</AuthenticationErrorDetail></Error>";

        assertThat(ErrorBody.parse(xml))
                .isEqualTo(
                        new ErrorBody("AuthenticationFailed", "Server failed to authenticate the request.", -1, null));
    }

    @Test
    void readsXmlWithNamespacesAndAttributes() {
        String xml = "<m:error xmlns:m=\"urn:m\"><m:code>InvalidInput</m:code>"
                + "<m:message xml:lang=\"en-US\">2:bad</m:message></m:error>";

        assertThat(ErrorBody.parse(xml)).isEqualTo(new ErrorBody("InvalidInput", "2:bad", 2, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\r\n"})
    void saysThatThereIsNoBody(String nothing) {
        assertThat(ErrorBody.parse(nothing)).isEqualTo(new ErrorBody(null, "the response has no body", -1, null));
    }

    @Test
    @DisplayName("a byte order mark belongs to no text")
    void passesOverTheByteOrderMark() {
        ErrorBody json = ErrorBody.parse(
                "\uFEFF{\"odata.error\":{\"code\":\"TableNotFound\",\"message\":{\"value\":\"No table.\"}}}");

        assertThat(json.code()).isEqualTo("TableNotFound");
        assertThat(json.message()).isEqualTo("No table.");
        assertThat(ErrorBody.parse("\uFEFFbad gateway").message()).doesNotContain("\uFEFF");
    }

    @Test
    void quotesHtmlOfAProxy() {
        ErrorBody body = ErrorBody.parse("<html>\n<body><h1>502 Bad\n Gateway</h1></body></html>");

        assertThat(body.code()).isNull();
        assertThat(body.message()).isEqualTo("the response says: <html> <body><h1>502 Bad Gateway</h1></body></html>");
    }

    @Test
    void quotesJsonWithoutCodeAndMessage() {
        assertThat(ErrorBody.parse("{\"a\":1}"))
                .isEqualTo(new ErrorBody(null, "the response says: {\"a\":1}", -1, null));
    }

    @Property(tries = 200)
    @Label("JSON that is cut anywhere is still told, and never throws")
    void survivesEveryCut(@ForAll @IntRange(max = 150) int cut) {
        String whole = Bench.jsonError("EntityAlreadyExists", "0:The specified entity already exists.");
        ErrorBody body = ErrorBody.parse(whole.substring(0, Math.min(cut, whole.length() - 1)));

        assertThat(body.message()).isNotEmpty();
    }

    @Test
    void keepsTheMessageShort() {
        ErrorBody body = ErrorBody.parse("x".repeat(5_000));

        assertThat(body.message()).hasSizeLessThan(400).endsWith("…");
    }

    @Test
    void findsTheRequestIdOfAFrontEnd() {
        String id = "b2376dd2-60f4-0161-73ad-fb71396acb9d";

        assertThat(ErrorBody.parse("<Error><Code>AuthenticationFailed</Code><Message>No.\nRequestId:" + id
                                + "\nTime:2026-01-01T00:00:00Z</Message></Error>")
                        .requestId())
                .isEqualTo(id);
        assertThat(ErrorBody.parse("{\"odata.error\":{\"code\":\"X\",\"message\":{\"value\":\"No.\\nRequestId:" + id
                                + "\\nTime:2026\"}}}")
                        .requestId())
                .isEqualTo(id);
        assertThat(ErrorBody.parse("<html>RequestId: " + id + "</html>").requestId())
                .isEqualTo(id);
        assertThat(ErrorBody.parse("RequestId:" + id + "0").requestId()).isNull();
        assertThat(ErrorBody.parse("RequestId:topsecret").requestId()).isNull();
    }

    @Test
    void namesTheHeaderThatIsRefused() {
        assertThat(ErrorBody.parse("<Error><Code>InvalidHeaderValue</Code><Message>Wrong.</Message>"
                                + "<HeaderName>x-ms-version</HeaderName><HeaderValue>1</HeaderValue></Error>")
                        .message())
                .isEqualTo("Wrong. (header x-ms-version)");
    }
}
