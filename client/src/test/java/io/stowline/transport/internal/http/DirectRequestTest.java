package io.stowline.transport.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DirectRequestTest {

    private final DirectRequest request = new DirectRequest(
            HttpMethod.GET,
            "http://h/a",
            new RequestHeaders(),
            RequestBody.of("body".getBytes(StandardCharsets.UTF_8)));

    @Test
    void hasAUrlForThoseWhoAsk() {
        assertThat(request.getUrl()).hasToString("http://h/a");
        assertThat(request.getUrl()).isSameAs(request.getUrl());
    }

    @Test
    void goesWhereItWasSentLast() throws Exception {
        assertThat(request.getUrl()).hasToString("http://h/a");
        request.setUrl("http://h/b?c=d");
        assertThat(DirectRequest.address(request)).isEqualTo("http://h/b?c=d");
        assertThat(request.getUrl()).hasToString("http://h/b?c=d");
        request.setUrl(new java.net.URL("http://h/e"));
        assertThat(DirectRequest.address(request)).isEqualTo("http://h/e");
    }

    @Test
    void namesWhatIsNoUrl() {
        request.setUrl("h/a");
        assertThatIllegalArgumentException().isThrownBy(request::getUrl).withMessageContaining("h/a");
    }

    @Test
    void aCopyIsOnItsOwn() {
        request.setHeader(HttpHeaderName.ETAG, "1");
        HttpRequest copy = request.copy();
        copy.setUrl("http://h/other").setHeader(HttpHeaderName.ETAG, "2");

        assertThat(DirectRequest.address(request)).isEqualTo("http://h/a");
        assertThat(request.getHeaders().getValue(HttpHeaderName.ETAG)).isEqualTo("1");
        assertThat(copy.getBodyAsBinaryData()).hasToString("body");
        assertThat(copy.getHttpMethod()).isEqualTo(HttpMethod.GET);
    }

    @Test
    @SuppressWarnings("deprecation") // policies of others may set a header by its text
    void hasAMapOfItsHeadersForOtherCode() {
        request.setHeader(HttpHeaderName.ETAG, "1").setHeader("x-ms-date", "2");
        assertThat(request.headers().value(HttpHeaderName.ETAG)).isEqualTo("1");
        assertThat(request.headers()).isSameAs(request.headers());

        assertThat(request.getHeaders().toMap()).isEqualTo(Map.of("ETag", "1", "x-ms-date", "2"));
        assertThat(request.getHeaders()).isSameAs(request.getHeaders());
    }

    @Test
    void aMapThatOtherCodeHasChangedIsSent() {
        request.setHeader(HttpHeaderName.ETAG, "1").setHeader(HttpHeaderName.ACCEPT, "2");
        request.getHeaders().set(HttpHeaderName.ETAG, "3").remove(HttpHeaderName.ACCEPT);
        request.setHeader(HttpHeaderName.HOST, "4");

        assertThat(request.headers().value(HttpHeaderName.ETAG)).isEqualTo("3");
        assertThat(request.headers().has(HttpHeaderName.ACCEPT)).isFalse();
        assertThat(request.headers().value(HttpHeaderName.HOST)).isEqualTo("4");
        assertThat(DirectRequest.header(request, HttpHeaderName.ETAG)).isEqualTo("3");
        assertThat(((DirectRequest) request.copy()).headers().value(HttpHeaderName.HOST))
                .isEqualTo("4");

        request.setHeaders(new HttpHeaders());
        assertThat(request.headers().size()).isZero();
    }

    @Test
    void noValueRemovesAHeader() {
        request.setHeader(HttpHeaderName.ETAG, "1").setHeader(HttpHeaderName.ETAG, null);

        assertThat(DirectRequest.header(request, HttpHeaderName.ETAG)).isNull();
        assertThat(request.headers().has(HttpHeaderName.ETAG)).isFalse();
    }

    @Test
    void aHeaderOfAnyRequestIsThatOfItsMap() {
        HttpRequest other = new HttpRequest(HttpMethod.GET, "http://h/a").setHeader(HttpHeaderName.ETAG, "1");

        assertThat(DirectRequest.header(other, HttpHeaderName.ETAG)).isEqualTo("1");
        assertThat(DirectRequest.header(other, HttpHeaderName.ACCEPT)).isNull();
    }

    @Test
    void aBodyOfOtherCodeSetsItsLength() {
        request.setBody("longer");

        assertThat(request.getBodyAsBinaryData()).hasToString("longer");
        assertThat(request.headers().value(HttpHeaderName.CONTENT_LENGTH)).isEqualTo("6");
    }

    @Test
    void hasItsBodyForThoseWhoAsk() {
        assertThat(request.getBodyAsBinaryData()).hasToString("body");
        assertThat(request.getBodyAsBinaryData()).isSameAs(request.getBodyAsBinaryData());
        assertThat(request.getBody()).isNotNull();
        DirectRequest bare = new DirectRequest(HttpMethod.GET, "http://h/a", new RequestHeaders(), null);
        assertThat(bare.getBodyAsBinaryData()).isNull();
        assertThat(bare.getBody()).isNull();
    }

    @Test
    void theAddressOfAnyRequestIsItsUrl() {
        assertThat(DirectRequest.address(new HttpRequest(HttpMethod.GET, "http://h/a?b=c")))
                .isEqualTo("http://h/a?b=c");
    }
}
