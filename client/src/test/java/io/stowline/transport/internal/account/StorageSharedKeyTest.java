package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import java.util.Base64;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StorageSharedKeyTest {

    private static final String NEW_KEY = Base64.getEncoder().encodeToString(new byte[] {1, 2, 3});
    private static final String TO_SIGN = String.join(
            "\n",
            "GET" + "\n".repeat(11),
            "x-ms-date:Thu, 29 Feb 2024 12:00:00 GMT",
            "/acct/photos",
            "comp:list",
            "restype:container",
            "timeout:30");

    private final AzureNamedKeyCredential key = new AzureNamedKeyCredential("acct", Bench.KEY);
    private final SharedKeyCredential credential = new SharedKeyCredential(key);
    private final HttpRequest request = new HttpRequest(
            HttpMethod.GET, "https://acct.blob.core.windows.net/photos?restype=container&comp=list&timeout=30");

    private String authorization() {
        request.setHeader(HttpHeaderName.CONTENT_LENGTH, "0");
        credential.authorizer(Service.BLOB).authorize(request, Bench.START).block();
        return request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION);
    }

    @Test
    void signsDateAndResource() {
        assertThat(authorization()).isEqualTo("SharedKey acct:" + IndependentHmac.of(Bench.KEY, TO_SIGN));
    }

    @Test
    void signsWithTheKeyThatIsHeldNow() {
        credential.authorizer(Service.QUEUE);
        key.update("acct", NEW_KEY);

        assertThat(authorization()).isEqualTo("SharedKey acct:" + IndependentHmac.of(NEW_KEY, TO_SIGN));
    }

    @Test
    @DisplayName("RETRY-7: a key does not show itself")
    void doesNotShowItself() {
        assertThat(credential).hasToString("NamedKey[acct, not shown]");
    }
}
