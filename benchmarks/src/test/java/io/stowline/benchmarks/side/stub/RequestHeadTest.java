package io.stowline.benchmarks.side.stub;

import static org.assertj.core.api.Assertions.assertThat;

import io.stowline.benchmarks.side.work.Metadata;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RequestHeadTest {

    @Test
    void endsWithAnEmptyLine() {
        RequestHead head = new RequestHead();

        assertThat(take(head, "GET / HTTP/1.1\r\nHost: x\r\n\r")).isFalse();
        assertThat(head.endsWith((byte) '\n')).isTrue();
    }

    @Test
    void knowsMethodAndPath() {
        RequestHead head = head("POST /acct/$batch HTTP/1.1\r\nReferer: /other()\r\n");

        assertThat(head.is("POST ")).isTrue();
        assertThat(head.is("GET ")).isFalse();
        assertThat(head.pathContains("/$batch")).isTrue();
        assertThat(head.pathContains("/other()")).isFalse();
    }

    @Test
    void findsHeadersInAnyCase() {
        assertThat(head("PUT / HTTP/1.1\r\nX: content-length: 9\r\nContent-Length: 1234\r\n")
                        .contentLength())
                .isEqualTo(1_234);
        assertThat(head("PUT / HTTP/1.1\r\ncontent-length:77\r\n").contentLength())
                .isEqualTo(77);
        assertThat(head("GET / HTTP/1.1\r\nHost: x\r\n").contentLength()).isZero();
        assertThat(head("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n").chunked())
                .isTrue();
    }

    @Test
    void takesTheLevelOfMetadataFromTheOptionBeforeTheHeader() {
        String none = "Accept: application/json;odata=nometadata\r\n";

        assertThat(head("GET /t() HTTP/1.1\r\n" + none).accepts()).isEqualTo(Metadata.NONE);
        assertThat(head("GET /t()?$format=application%2Fjson%3Bodata%3Dfullmetadata HTTP/1.1\r\n" + none)
                        .accepts())
                .isEqualTo(Metadata.FULL);
        assertThat(head("GET /t() HTTP/1.1\r\n").accepts()).isEqualTo(Metadata.MINIMAL);
    }

    @Test
    void findsOptionsOfTheQuery() {
        RequestHead head = head("GET /t()?$select=a%2Cb&NextPartitionKey=1!12!7 HTTP/1.1\r\n");

        assertThat(head.option("$select")).isEqualTo("a%2Cb");
        assertThat(head.option("NextPartitionKey")).isEqualTo("1!12!7");
        assertThat(head.option("$top")).isEmpty();
    }

    @Test
    void growsWithALongHead() {
        assertThat(head("GET /" + "x".repeat(10_000) + "?a=1 HTTP/1.1\r\n").option("a"))
                .isEqualTo("1");
    }

    @Test
    void forgetsTheLastRequest() {
        RequestHead head = head("PUT / HTTP/1.1\r\nContent-Length: 5\r\n");
        head.clear();
        take(head, "GET / HTTP/1.1\r\n\r\n");

        assertThat(head.contentLength()).isZero();
    }

    private static RequestHead head(String text) {
        RequestHead head = new RequestHead();
        assertThat(take(head, text + "\r\n")).isTrue();
        return head;
    }

    private static boolean take(RequestHead head, String text) {
        boolean ended = false;
        for (byte next : text.getBytes(StandardCharsets.US_ASCII)) {
            ended = head.endsWith(next);
        }
        return ended;
    }
}
