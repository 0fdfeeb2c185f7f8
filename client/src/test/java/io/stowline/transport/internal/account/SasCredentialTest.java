package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SasCredentialTest {

    private final AzureSasCredential credential = new AzureSasCredential("?sv=1&sig=a%2Bb%3D");
    private final SasCredential access = new SasCredential("credential", credential);

    private String url(String before) {
        HttpRequest request = new HttpRequest(HttpMethod.GET, before);
        access.authorizer(Service.BLOB).authorize(request, Bench.START).block();
        return request.getUrl().toString();
    }

    @ParameterizedTest
    @CsvSource({
        "https://a.test, https://a.test?",
        "https://a.test/, https://a.test/?",
        "https://a.test/c/b?comp=block&blockid=AA%3D%3D, https://a.test/c/b?comp=block&blockid=AA%3D%3D&",
        "https://a.test/t(PartitionKey='a%20b')?timeout=3, https://a.test/t(PartitionKey='a%20b')?timeout=3&"
    })
    void goesBehindWhatIsThere(String before, String after) {
        assertThat(url(before)).isEqualTo(after + "sv=1&sig=a%2Bb%3D");
    }

    @Test
    void followsTheCredential() {
        credential.update("sv=2&sig=new");

        assertThat(url("https://a.test")).isEqualTo("https://a.test?sv=2&sig=new");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: what is no signature is refused without being shown")
    @ValueSource(strings = {"topsecret", "sv=1&se=topsecret", "https://a.test/?sig=topsecret"})
    void refusesWhatIsNone(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SasCredential("credential", new AzureSasCredential(text)))
                .withMessageStartingWith("credential is not a shared access signature")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("topsecret"));
    }

    @Test
    @DisplayName("RETRY-7: a signature does not show itself")
    void doesNotShowItself() {
        assertThat(access).hasToString("SharedAccess(not shown)");
    }
}
