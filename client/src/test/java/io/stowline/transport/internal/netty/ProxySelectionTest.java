package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpClient;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import com.azure.core.util.ConfigurationBuilder;
import io.stowline.transport.internal.netty.HttpWire.ProxySelection;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

class ProxySelectionTest {

    private static final ProxyOptions GIVEN =
            new ProxyOptions(ProxyOptions.Type.HTTP, InetSocketAddress.createUnresolved("given.test", 1));

    private static Configuration configuration(Map<String, String> properties, Map<String, String> environment) {
        return new ConfigurationBuilder(path -> Map.of(), path -> properties, path -> environment).build();
    }

    private static ProxyOptions of(Map<String, String> properties, Map<String, String> environment) {
        return ProxySelection.of(HttpSettings.DEFAULT.configuration(configuration(properties, environment)));
    }

    @Test
    void nothingGivenIsNoProxy() {
        assertThat(of(Map.of(), Map.of())).isNull();
        assertThat(ProxySelection.of(HttpSettings.DEFAULT.configuration(Configuration.NONE)))
                .isNull();
    }

    @Test
    void theEnvironmentCountsWithoutAnyPermission() {
        ProxyOptions proxy = of(Map.of(), Map.of("HTTPS_PROXY", "http://me:word@proxy.test:3128"));

        assertThat(proxy.getAddress().getHostString()).isEqualTo("proxy.test");
        assertThat(proxy.getAddress().getPort()).isEqualTo(3128);
        assertThat(proxy.getUsername()).isEqualTo("me");
    }

    @Test
    void httpsProxyComesFirst() {
        assertThat(of(Map.of(), Map.of("HTTP_PROXY", "http://one.test:1", "HTTPS_PROXY", "http://two.test:2"))
                        .getAddress()
                        .getHostString())
                .isEqualTo("two.test");
        assertThat(of(Map.of(), Map.of("HTTP_PROXY", "http://one.test:1"))
                        .getAddress()
                        .getHostString())
                .isEqualTo("one.test");
    }

    @Test
    void theJvmsPropertiesComeBeforeTheEnvironment() {
        assertThat(of(Map.of("https.proxyHost", "jvm.test"), Map.of("HTTPS_PROXY", "http://env.test:1"))
                        .getAddress()
                        .getHostString())
                .isEqualTo("jvm.test");
    }

    @Test
    void theGivenProxyComesFirst() {
        Configuration other = configuration(Map.of(), Map.of("HTTPS_PROXY", "http://env.test:1"));

        assertThat(ProxySelection.of(HttpSettings.DEFAULT.proxy(GIVEN).configuration(other)))
                .isSameAs(GIVEN);
    }

    @ParameterizedTest
    @CsvSource({
        "acct.table.core.windows.net, false",
        "internal.corp.test, true",
        "a.b.corp.test, true",
        "corp.other, false",
        "exact.test, true",
        "localhost, true",
        "127.0.0.1, true",
        "127.1.2.3, true",
        "::1, true",
        "0:0:0:0:0:0:0:1, true",
        "10.1.2.3, false"
    })
    void someHostsAreReachedDirectly(String host, boolean direct) {
        ProxyOptions proxy =
                of(Map.of(), Map.of("HTTPS_PROXY", "http://env.test:1", "NO_PROXY", ".corp.test, exact.test"));

        assertThat(Pattern.compile(proxy.getNonProxyHosts(), Pattern.CASE_INSENSITIVE)
                        .matcher(host)
                        .matches())
                .isEqualTo(direct);
    }

    @Test
    void aClientOfOnesOwnHasItsOwnProxy() {
        HttpClient own = request -> Mono.never();

        assertThat(HttpSettings.DEFAULT.client(own).checked().client()).isSameAs(own);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpSettings.DEFAULT.client(own).proxy(GIVEN).checked())
                .withMessageContaining("httpClient is given, and proxy too");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HttpSettings.DEFAULT
                        .client(own)
                        .configuration(Configuration.NONE)
                        .checked())
                .withMessageContaining("httpClient is given, and configuration too");
    }
}
