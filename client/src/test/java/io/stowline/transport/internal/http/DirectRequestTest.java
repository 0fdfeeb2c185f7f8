package io.stowline.transport.internal.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.transport.internal.http.DirectRequest.RequestBody;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class DirectRequestTest {

    private final DirectRequest request = new DirectRequest(
            HttpMethod.GET, "http://h/a", new HttpHeaders(), RequestBody.of("body".getBytes(StandardCharsets.UTF_8)));

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
    void hasItsBodyForThoseWhoAsk() {
        assertThat(request.getBodyAsBinaryData()).hasToString("body");
        assertThat(request.getBodyAsBinaryData()).isSameAs(request.getBodyAsBinaryData());
        assertThat(request.getBody()).isNotNull();
        DirectRequest bare = new DirectRequest(HttpMethod.GET, "http://h/a", new HttpHeaders(), null);
        assertThat(bare.getBodyAsBinaryData()).isNull();
        assertThat(bare.getBody()).isNull();
    }

    @Test
    void theAddressOfAnyRequestIsItsUrl() {
        assertThat(DirectRequest.address(new HttpRequest(HttpMethod.GET, "http://h/a?b=c")))
                .isEqualTo("http://h/a?b=c");
    }
}
