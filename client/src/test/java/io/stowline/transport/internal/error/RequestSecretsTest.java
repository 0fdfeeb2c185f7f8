package io.stowline.transport.internal.error;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestSecretsTest {

    private static final String MAC = "aB3+/xSECRETxyz0123456789abcdefghijklmnopqr=";
    private static final String ENCODED = "aB3%2B%2FxSECRETxyz0123456789abcdefghijklmnopqr%3D";

    private static HttpRequest request(String query) {
        return new HttpRequest(HttpMethod.GET, "https://acct.table.core.windows.net/t" + query);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                MAC,
                ENCODED,
                "aB3%2b%2fxSECRETxyz0123456789abcdefghijklmnopqr%3d",
                "aB3%252B%252FxSECRETxyz0123456789abcdefghijklmnopqr%253D",
                "aB3 /xSECRETxyz0123456789abcdefghijklmnopqr=",
                "aB3+\\/xSECRETxyz0123456789abcdefghijklmnopqr=",
                "aB3\\u002B\\u002FxSECRETxyz0123456789abcdefghijklmnopqr\\u003D",
                "aB3&#43;&#x2F;xSECRETxyz0123456789abcdefghijklmnopqr&#61;",
                "aB3+/xSECRETxyz0123456789abcdefghijklmnopqr"
            })
    @DisplayName("RETRY-7: the signature of a request is masked wherever a response repeats it, in each escape")
    void masked(String form) {
        RequestSecrets ofAddress = RequestSecrets.of(request("?sv=1&sig=" + ENCODED + "&timeout=30"));
        RequestSecrets ofHeader =
                RequestSecrets.of(request("").setHeader(HttpHeaderName.AUTHORIZATION, "SharedKey acct:" + MAC));

        assertThat(ofAddress.maskedIn("found '" + form + "' here")).isEqualTo("found '***' here");
        assertThat(ofHeader.maskedIn("sig=" + form + "&a=" + form)).isEqualTo("sig=***&a=***");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x-ms-encryption-key", "x-ms-source-encryption-key", "x-ms-copy-source-authorization"})
    @DisplayName("RETRY-7: the key of an encryption is masked as a signature is")
    void keys(String header) {
        RequestSecrets secrets = RequestSecrets.of(request("").setHeader(HttpHeaderName.fromString(header), MAC));

        assertThat(secrets.maskedIn("no key '" + MAC + "'")).isEqualTo("no key '***'");
    }

    @Test
    @DisplayName("a request without a proof masks nothing")
    void nothing() {
        assertThat(RequestSecrets.of(null).maskedIn(MAC)).isEqualTo(MAC);
        assertThat(RequestSecrets.of(request("?sig=abc")).maskedIn("abc")).isEqualTo("abc");
    }
}
