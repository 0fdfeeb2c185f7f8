package io.stowline.transport.internal.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.azure.core.http.HttpClient;
import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import com.azure.core.util.ConfigurationBuilder;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

class ProxySelectionTest {

    private static final ProxyOptions GIVEN =
            new ProxyOptions(ProxyOptions.Type.HTTP, InetSocketAddress.createUnresolved("given.test", 1));

    private static Configuration configuration(Map<String, String> properties, Map<String, String> environment) {
        return new ConfigurationBuilder(path -> Map.of(), path -> properties, path -> environment).build();
    }

    private static ProxySelection selection(Map<String, String> properties, Map<String, String> environment) {
        return ProxySelection.of(HttpSettings.DEFAULT.configuration(configuration(properties, environment)));
    }

    private static ProxyOptions of(Map<String, String> properties, Map<String, String> environment) {
        ProxySelection selection = selection(properties, environment);
        return selection == null ? null : selection.proxy();
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

        assertThat(ProxySelection.of(HttpSettings.DEFAULT.proxy(GIVEN).configuration(other))
                        .proxy())
                .isSameAs(GIVEN);
    }

    @Test
    void theVariablesMayBeWrittenInLowerCase() {
        ProxySelection selection = selection(
                Map.of(),
                Map.of("https_proxy", "http://low.test:3128", "no_proxy", "corp.test", "HTTP_PROXY", "other"));

        assertThat(selection.proxy().getAddress().getHostString()).isEqualTo("low.test");
        assertThat(selection.direct().contain("a.corp.test", 443)).isTrue();
        assertThat(of(Map.of(), Map.of("http_proxy", "low.test:3128", "https_proxy", " "))
                        .getAddress()
                        .getPort())
                .isEqualTo(3128);
    }

    @ParameterizedTest
    @CsvSource({
        "http://me:p%40w+x@proxy.test:3128, me, p@w+x, proxy.test, 3128, HTTP",
        "http://do%3Amain:a%25b:c@proxy.test/, do:main, a%b:c, proxy.test, 80, HTTP",
        "https://me:a@b@proxy.test, me, a@b, proxy.test, 443, HTTP",
        "socks5://[2001:db8::1]:1080, , , 2001:db8::1, 1080, SOCKS5",
        "my_proxy:3128, , , my_proxy, 3128, HTTP"
    })
    void readsTheVariable(String value, String user, String password, String host, int port, ProxyOptions.Type type) {
        ProxyOptions proxy = of(Map.of(), Map.of("HTTPS_PROXY", value));

        assertThat(proxy.getUsername()).isEqualTo(user);
        assertThat(proxy.getPassword()).isEqualTo(password);
        assertThat(proxy.getAddress().getHostString()).isEqualTo(host);
        assertThat(proxy.getAddress().getPort()).isEqualTo(port);
        assertThat(proxy.getType()).isEqualTo(type);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://topsecret", "http://top:secret%@host", "http://topsecret:x", "http://"})
    void refusesAVariableThatNamesNoProxyWithoutShowingIt(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of(), Map.of("HTTPS_PROXY", value)))
                .withMessageStartingWith("HTTPS_PROXY of the environment is no address of a proxy")
                .withMessageNotContaining("secret")
                .withNoCause();
    }

    @ParameterizedTest
    @CsvSource({
        "acct.table.core.windows.net, 443, false",
        "127acct.table.core.windows.net, 443, false",
        "10acct.table.core.windows.net, 443, false",
        "internal.corp.test, 443, true",
        "corp.test, 443, true",
        "a.b.corp.test, 443, true",
        "A.B.Corp.TEST, 443, true",
        "notcorp.test, 443, false",
        "corp.other, 443, false",
        "exact.test, 443, true",
        "below.exact.test, 443, true",
        "exactXtest, 443, false",
        "star.test, 443, true",
        "a.star.test, 443, true",
        "port.test, 8443, true",
        "port.test, 443, false",
        "[2001:db8:1::9], 443, true",
        "[2001:db8:2::9], 443, false",
        "[2001:db8:2::9], 8443, true",
        "10.1.2.3, 443, true",
        "10.2.2.3, 443, false",
        "192.168.7.8, 443, true",
        "192.169.7.8, 443, false",
        "172.16.0.5, 443, true",
        "172.16.0.6, 443, false",
        "1.2.3.4, 443, false",
        "localhost, 443, true",
        "acct.blob.localhost, 10000, true",
        "127.0.0.1, 443, true",
        "127.1.2.3, 443, true",
        "::1, 443, true",
        "[::1], 443, true",
        "0:0:0:0:0:0:0:1, 443, true"
    })
    void someHostsAreReachedDirectly(String host, int port, boolean direct) {
        String list =
                ".corp.test, exact.test *.star.test,port.test:8443,10.1.*,192.168.0.0/16,172.16.0.5,2001:db8:1::/48,"
                        + "[2001:db8:2::9]:8443,1.2.3.0/x,1.2.3.0/33,";
        assertThat(selection(Map.of(), Map.of("HTTPS_PROXY", "http://env.test:1", "NO_PROXY", list))
                        .direct()
                        .contain(host, port))
                .isEqualTo(direct);
    }

    @ParameterizedTest
    @CsvSource({
        "127acct.blob.core.windows.net, false",
        "127.0.0.1, true",
        "[::1], true",
        "a.corp.test, true",
        "corp.test, false",
        "build7.test, true",
        "buildX7Xtest, false",
        "exact.test, true",
        "below.exact.test, false",
        "10.1.2.3, true",
        "10.example.com, false"
    })
    void theJvmsNonProxyHostsAreNoRegularExpressions(String host, boolean direct) {
        String list = "localhost|127.*|[::1]|*.corp.test|build*.test|exact.test|10.*";
        assertThat(selection(Map.of("https.proxyHost", "jvm.test", "http.nonProxyHosts", list), Map.of())
                        .direct()
                        .contain(host, 443))
                .isEqualTo(direct);
    }

    @Test
    void everythingCanBeReachedDirectly() {
        assertThat(selection(Map.of(), Map.of("HTTPS_PROXY", "http://env.test:1", "NO_PROXY", "*"))
                        .direct()
                        .contain("acct.table.core.windows.net", 443))
                .isTrue();
    }

    @Test
    void readsTheJvmsProperties() {
        ProxyOptions proxy = of(
                Map.of(
                        "http.proxyHost", "jvm.test",
                        "http.proxyPort", "3128",
                        "http.proxyUser", "me",
                        "http.proxyPassword", "a+b%40"),
                Map.of());

        assertThat(proxy.getAddress().getPort()).isEqualTo(3128);
        assertThat(proxy.getPassword()).isEqualTo("a+b%40");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of(Map.of("https.proxyHost", "jvm.test", "https.proxyPort", "x"), Map.of()))
                .withMessage("the property https.proxyPort is no number: x");
    }

    @Test
    void aGivenProxyKeepsItsOwnHosts() {
        ProxyOptions given = new ProxyOptions(ProxyOptions.Type.HTTP, InetSocketAddress.createUnresolved("p.test", 1))
                .setNonProxyHosts("*.corp.test|[::1]|127.*|10.1.*|10.9.8.7|exact.test");
        DirectHosts direct = ProxySelection.of(given).direct();

        assertThat(direct.contain("a.corp.test", 443)).isTrue();
        assertThat(List.of("[::1]", "127.0.0.1", "10.1.2.3", "10.9.8.7", "exact.test", "EXACT.test"))
                .allSatisfy(host -> assertThat(direct.contain(host, 443)).isTrue());
        assertThat(List.of(
                        "127acct.blob.core.windows.net", "127.evil.test", "10.2.3.4", "exactXtest", "localhost", "1"))
                .allSatisfy(host -> assertThat(direct.contain(host, 443)).isFalse());
        assertThat(ProxySelection.of(GIVEN).direct().contain("localhost", 443)).isFalse();
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
