package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Locale;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {

    private static Endpoint endpoint(String text) {
        return Endpoint.of("endpoint", text);
    }

    @ParameterizedTest
    @CsvSource({
        "https://acct.table.core.windows.net, acct, acct",
        "https://acct.blob.core.windows.net/, acct, acct",
        "HTTPS://ACCT.BLOB.Core.Windows.Net, acct, acct",
        "https://acct.dfs.core.windows.net, acct, acct",
        "https://acct-secondary.table.core.chinacloudapi.cn, acct, acct",
        "https://acct-secondary-ipv6.table.core.windows.net, acct, acct",
        "https://acct.z01.queue.storage.azure.net, acct, acct",
        "https://acct.table.local.azurestack.external, , acct",
        "https://tables.example.com, , ",
        "https://example.com/acct, , ",
        "http://127.0.0.1:10002/acct, , acct",
        "http://127.0.0.1:10002/a/b, , ",
        "http://127.0.0.1:10002, , ",
        "http://[::1]:10002/acct, , acct",
        "http://localhost:10002/acct/, , acct",
        "http://azurite:10002/acct, , acct",
        "http://my_azurite:10002/acct, , acct",
        "http://my_azurite.corp.test:10002/acct, , "
    })
    void readsTheAccount(String text, String certain, String likely) {
        assertThat(endpoint(text).certainAccount()).isEqualTo(certain);
        assertThat(endpoint(text).likelyAccount()).isEqualTo(likely);
    }

    @ParameterizedTest
    @CsvSource({
        "https://acct.blob.core.windows.net, https://acct.table.core.windows.net",
        "https://acct.dfs.core.usgovcloudapi.net, https://acct.table.core.usgovcloudapi.net",
        "https://acct-secondary.blob.core.windows.net, https://acct-secondary.table.core.windows.net",
        "https://acct.z50.blob.storage.azure.net, https://acct.z50.table.storage.azure.net",
        "https://acct.blob.private.test, https://acct.table.private.test",
        "https://acct.blob.core.windows.net:443/, https://acct.table.core.windows.net",
        "http://acct.blob.localhost:10000, ",
        "https://blobs.example.com, ",
        "http://127.0.0.1:10000/acct, "
    })
    void findsTheSibling(String text, String tables) {
        Endpoint sibling = endpoint(text).sibling(Service.TABLE);

        assertThat(sibling == null ? null : sibling.root().toString()).isEqualTo(tables);
    }

    @ParameterizedTest
    @CsvSource({
        "https://acct.table.core.windows.net, https://acct-secondary.table.core.windows.net",
        "https://acct-ipv6.table.core.windows.net, https://acct-secondary-ipv6.table.core.windows.net",
        "https://acct.z01.table.storage.azure.net, https://acct-secondary.z01.table.storage.azure.net",
        "http://acct.table.localhost:10002, http://acct-secondary.table.localhost:10002",
        "http://localhost:10002/acct, http://localhost:10002/acct-secondary",
        "https://acct-secondary.table.core.windows.net, ",
        "https://other.table.core.windows.net, ",
        "https://tables.example.com, "
    })
    void findsTheSecondary(String text, String secondary) {
        Object found = endpoint(text).secondary("acct");

        assertThat(found == null ? null : found.toString()).isEqualTo(secondary);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://acct.table.cosmos.azure.com",
                "https://acct.table.cosmos.azure.com:443/",
                "https://acct.TABLE.Cosmos.Azure.Com",
                "https://acct.table.cosmosdb.azure.com",
                "https://acct-eastus.table.cosmos.azure.cn",
                "https://acct.table.cosmos.azure.us",
                "https://acct.documents.azure.com",
                "https://acct.documents.microsoftazure.de"
            })
    void refusesCosmosByName(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Endpoint.of("tableEndpoint", text))
                .withMessageContaining("tableEndpoint is an endpoint of Azure Cosmos DB")
                .withMessageContaining("other limits");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://cosmos.table.core.windows.net",
                "https://documents.example.com",
                "https://mycosmos.azure.example"
            })
    void doesNotTakeOthersForCosmos(String text) {
        assertThat(endpoint(text).root()).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://acct.blob.core.windows.net/photos | nothing may follow acct.blob.core.windows.net (what does"
                        + " is not shown)",
                "ftp://acct.test                           | must be http(s)",
                "https://acct.test?x=1                     | query not shown",
                "https://me:word@acct.test                 | user not shown",
                "acct.blob.core.windows.net                | not shown"
            })
    void refusesWhatIsNoRoot(String text, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> endpoint(text)).withMessageContaining(message);
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: of an endpoint that is refused its scheme and host are shown, nothing else")
    @CsvSource(
            delimiter = '|',
            value = {
                "https://user:PASS/WORD@acct.test          | https://… (the rest is not shown)",
                "https://user:PA@SS/WORD@acct.test         | https://… (the rest is not shown)",
                "https://user:PASS?WORD@acct.test          | https://… (the rest is not shown)",
                "https://user:PASSWORD                     | https://… (the rest is not shown)",
                "https://user:PASSWORD@acct.test/PASS      | https://acct.test (user not shown, what follows not"
                        + " shown)",
                "https://acct.test/a//PASSWORD             | its path has an empty step",
                "https://acct.test/../PASSWORD             | its path has an empty step, a dot step",
                "https://acct.test/%2e%2E/PASSWORD         | its path has an empty step, a dot step",
                "https://acct.test/PASSWORD/.%2e           | its path has an empty step, a dot step",
                "https://acct.test/PASSWORD/%2E/a          | its path has an empty step, a dot step",
                "https://acct.test/a%2F..%2FPASSWORD       | its path has an empty step, a dot step",
                "https://acct.test/a%2f%2e%2E/PASSWORD     | its path has an empty step, a dot step",
                "https://acct.test/PASSWORD%2F.            | its path has an empty step, a dot step",
                "https://acct.test/a%5C..%5CPASSWORD       | its path has an empty step, a dot step",
                "https://acct.test/..%2FPASSWORD           | its path has an empty step, a dot step",
                "https://acct.test/%252e%252E/PASSWORD     | its path has an empty step, a dot step",
                "https://acct.test/a%252F.%252EPASSWORD/%252E | its path has an empty step, a dot step",
                "https://acct.test/\u00fcPASSWORD           | or a character that is to be percent-encoded",
                "https://acct.test/a^PASSWORD              | it is not a URI",
                "https://[::1%25eth0]:10002/PASSWORD       | its host is no IPv6 address in brackets without a zone",
                "https://[::1:10002/PASSWORD               | its host is no IPv6 address",
                "https://stra\u00dfe.example/PASSWORD       | give its ASCII form, xn--...",
                "https://a..b/PASSWORD                     | its host is no name",
                "https:///PASSWORD                         | its host is no name",
                "https://acct.test#sig=PASSWORD            | https://acct.test (what follows not shown)",
                "https://acct.test/a#sig=PASSWORD          | https://acct.test (what follows not shown)",
                "https://acct.test/PASSWORD?sig=PASSWORD   | https://acct.test (query not shown)",
                "https://acct.test:99999/PASSWORD          | https://acct.test:99999 (what follows not shown)",
                "https://acct.test:0                       | https://acct.test:0",
                "ftp://acct.test/PASSWORD                  | ftp://acct.test (what follows not shown)",
                "PASS WORD://acct.test                     | a text without scheme:// (not shown)",
                "https://acct.test\\PASSWORD             | https://acct.test (what follows not shown)",
                "https://[::1]:10002/a?PASSWORD            | https://[::1]:10002 (query not shown)",
                "https://acct.blob.core.windows.net/PASSWORD | acct.blob.core.windows.net (what does is not shown)"
            })
    void showsSchemeAndHostOnly(String text, String shown) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoint(text))
                .withMessageContaining(shown)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("PASS", "WORD"))
                .withNoCause();
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: scheme and host have one spelling from here on")
    @CsvSource({
        "HTTPS://Acct.Table.Core.Windows.Net:443/, https://acct.table.core.windows.net",
        "http://acct.table.core.windows.net:80, http://acct.table.core.windows.net",
        "http://acct.table.core.windows.net:443, http://acct.table.core.windows.net:443",
        "https://tables.corp.example:8443/storage/acct//, https://tables.corp.example:8443/storage/acct",
        "http://my_azurite:10002/acct, http://my_azurite:10002/acct",
        "https://B\u00fccher.Example/a, https://xn--bcher-kva.example/a",
        "HtTp://LocalHost:10002/DevStore, http://localhost:10002/DevStore",
        "https://[2001:DB8::1]:10002/a, https://[2001:db8::1]:10002/a",
        "https://host:/a, https://host/a",
        "https://host/a%2Fb..c/..%2Ed, https://host/a%2Fb..c/..%2Ed",
        "https://host/.well%2E/...%2Fa, https://host/.well%2E/...%2Fa"
    })
    void oneSpelling(String text, String root) {
        assertThat(endpoint(text).root()).hasToString(root);
        assertThat(endpoint(text).encrypted()).isEqualTo(root.startsWith("https:"));
    }

    @Property
    @Label("every service's endpoint of an account leads to those of the others and back")
    void siblingsLeadBack(
            @ForAll @From("accounts") String account, @ForAll Service from, @ForAll Service to, @ForAll boolean https) {
        String text = (https ? "https" : "http") + "://" + account + "." + from.host() + ".core.windows.net";
        Endpoint there = endpoint(text).sibling(to);

        assertThat(there).isNotNull();
        assertThat(there.serves(to)).isTrue();
        assertThat(there.encrypted()).isEqualTo(https);
        assertThat(there.sibling(from).root()).hasToString(text.toLowerCase(Locale.ROOT));
    }

    @Provide
    Arbitrary<String> accounts() {
        return Arbitraries.strings()
                .withCharRange('a', 'z')
                .numeric()
                .ofMinLength(3)
                .ofMaxLength(24);
    }
}
