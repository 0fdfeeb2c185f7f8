package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.credential.AzureSasCredential;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.Stowline;
import io.stowline.transport.internal.request.OperationType;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
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

    /** Returns texts that are no signature, with the reasons. */
    static Stream<Arguments> wrong() {
        return Stream.of(
                Arguments.of("topsecret", "it has no parameter sig with a value"),
                Arguments.of(" ", "it has no parameter sig with a value"),
                Arguments.of("?", "it has no parameter sig with a value"),
                Arguments.of("sv=1&se=topsecret", "it has no parameter sig with a value"),
                Arguments.of("sv=topsecret&sig=", "it has no parameter sig with a value"),
                Arguments.of("sv=topsecret&sig=&se=2", "it has no parameter sig with a value"),
                Arguments.of("sv=1&xsig=topsecret", "it has no parameter sig with a value"),
                Arguments.of("sv=sig=topsecret", "it has no parameter sig with a value"),
                Arguments.of("https://a.test/?sig=topsecret", "it is a whole address"),
                Arguments.of("sv=1&amp;sig=topsecret", "it has &amp;, a copy out of XML or JSON: give & in its place"),
                Arguments.of(
                        "sv=1\\u0026sig=topsecret", "it has \\u0026, a copy out of XML or JSON: give & in its place"),
                Arguments.of("sv=1 &sig=topsecret", "it has blanks or line ends within"),
                Arguments.of("sv=1&sig=topsecret b", "it has blanks or line ends within"),
                Arguments.of("sv=1&\r\nsig=topsecret", "it has blanks or line ends within"),
                Arguments.of("sv=1&sig=top\tsecret", "it has blanks or line ends within"),
                Arguments.of("sv=1&sig=topsecret#1", "it has a character that no query of an address has"),
                Arguments.of("\"sv=1&sig=topsecret\"", "it has a character that no query of an address has"),
                Arguments.of("sv=1&sig=top\u00a0secret", "it has a character that no query of an address has"),
                Arguments.of("sv=1&sig=topsecr\u00e9t", "it has a character that no query of an address has"));
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: what is no signature is refused without being shown, wherever it is given")
    @MethodSource("wrong")
    void refusesWhatIsNone(String text, String why) {
        AzureSasCredential given = new AzureSasCredential(text);

        refused("credential", why, () -> Stowline.builder().credential(given));
        refused("SharedAccessSignature", why, () -> new SasCredential("SharedAccessSignature", given));
        if (!text.replace("?", "").isBlank() && SasCredential.foreignEscape(text) == null) {
            refused(
                    "SharedAccessSignature",
                    why,
                    () -> Stowline.connect("AccountName=acct;SharedAccessSignature=" + text));
        }
    }

    private static void refused(String setting, String why, ThrowingCallable given) {
        assertThatIllegalArgumentException()
                .isThrownBy(given)
                .withMessage(setting + " is not a shared access signature: " + why + " (its value is not shown)")
                .withNoCause();
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: an endpoint with a signature is refused without it being shown")
    @ValueSource(strings = {"?sv=1&sig=topsecret", "/?sv=1&sig=topsecret b", "?sv=topsecret", "/photos?sig=topsecret"})
    void refusesAnEndpointWithASignature(String query) {
        String address = "https://acct.table.core.windows.net" + query;
        Map<String, ThrowingCallable> ways = Map.of(
                "endpoint", () -> Stowline.builder().endpoint(address),
                "tableEndpoint", () -> Stowline.builder().tableEndpoint(address),
                "queueEndpoint", () -> Stowline.builder().queueEndpoint(address),
                "blobEndpoint", () -> Stowline.builder().blobEndpoint(address),
                "TableEndpoint", () -> Stowline.connect("AccountName=acct;TableEndpoint=" + address),
                "TableSecondaryEndpoint",
                        () -> Stowline.connect(
                                "AccountName=acct;TableEndpoint=https://a.test;TableSecondaryEndpoint=" + address));

        assertThat(ways).allSatisfy((setting, way) -> assertThatIllegalArgumentException()
                .isThrownBy(way)
                .withMessageStartingWith(setting + " ")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("topsecret"))
                .withNoCause());
    }

    @Test
    @DisplayName("RETRY-7: a signature that is exchanged for none fails the next operation before it is sent")
    void exchangedForNone() {
        Bench bench = new Bench(access);
        credential.update("sv=1&sig=topsecret b");

        assertThat(bench.start(OperationType.WRITE).error())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "credential is not a shared access signature: it has blanks or line ends within (its value is"
                                + " not shown)");
        assertThat(bench.wire().sent()).isEmpty();
    }

    @ParameterizedTest
    @DisplayName("what Azure issues is taken")
    @ValueSource(
            strings = {
                "sv=2024-11-04&ss=bqt&srt=sco&sp=rwdlacu&se=2030-01-01T00:00:00Z&st=2024-01-01T00%3A00%3A00Z&spr=https"
                        + "&sip=168.1.5.60-168.1.5.70&sig=a%2Bb%2Fc%3D",
                "sig=a+b/c==",
                "SIG=x&si=policy",
                "sv=1&spk=%27a%20b%27&sig=x&rscd=file;%20attachment"
            })
    void takesWhatIsOne(String text) {
        credential.update(text);

        assertThat(url("https://a.test")).isEqualTo("https://a.test?" + text);
    }

    @ParameterizedTest
    @DisplayName("a signature that was decoded on its way is encoded again")
    @CsvSource({
        "AbC+/fghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ=, AbC%2B%2FfghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ%3D",
        "AbC+/fghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ, AbC%2B%2FfghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ%3D",
        "AbC%2b%2FfghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ%3d, AbC%2B%2FfghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ%3D",
        "AbC%2B/fghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ=, AbC%2B%2FfghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ%3D",
        "AbC+/fghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPR, AbC+/fghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPR",
        "AbC%, AbC%"
    })
    void encodesTheSignature(String given, String sent) {
        credential.update("?sv=1&sig=" + given + "&se=2030-01-01T00:00:00Z");
        assertThat(url("https://a.test")).isEqualTo("https://a.test?sv=1&sig=" + sent + "&se=2030-01-01T00:00:00Z");

        credential.update("sv=1&sig=" + given);
        assertThat(url("https://a.test")).isEqualTo("https://a.test?sv=1&sig=" + sent);
    }

    @Test
    @DisplayName("RETRY-7: a signature does not show itself")
    void doesNotShowItself() {
        assertThat(access).hasToString("SharedAccess(not shown)");
    }
}
