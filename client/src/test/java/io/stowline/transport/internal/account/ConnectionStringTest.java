package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionStringTest {

    private static final String KEY = Bench.KEY;
    private static final String ACCOUNT = "AccountName=acct;AccountKey=" + KEY;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                        | https://acct.table.core.windows.net",
                "DefaultEndpointsProtocol=https                            | https://acct.table.core.windows.net",
                "DefaultEndpointsProtocol=HTTP                             | http://acct.table.core.windows.net",
                "EndpointSuffix=core.chinacloudapi.cn                      | https://acct.table.core.chinacloudapi.cn",
                "DefaultEndpointsProtocol=http;EndpointSuffix=local.test   | http://acct.table.local.test",
                "EndpointSuffix=.core.windows.net                          | https://acct.table.core.windows.net",
                "TableEndpoint=https://tables.example.com                  | https://tables.example.com",
                "TableEndpoint=http://127.0.0.1:10002/acct/                | http://127.0.0.1:10002/acct",
                "TABLEENDPOINT=https://tables.example.com                  | https://tables.example.com",
                "EndpointSuffix=a.test;TableEndpoint=https://explicit.test | https://explicit.test",
                " TableEndpoint = https://spaces.test ;;                   | https://spaces.test",
                "BlobEndpoint=https://b.test;EndpointSuffix=a.test         | https://acct.table.a.test"
            })
    void findsTheTableEndpoint(String settings, String endpoint) {
        assertThat(ConnectionString.parse(ACCOUNT + ";" + settings).endpoint(Service.TABLE))
                .isEqualTo(URI.create(endpoint));
    }

    @Test
    void readsAccountAndKeyInAnyCaseAndOrder() {
        StorageAccount account = ConnectionString.parse("accountkey=" + KEY + ";ACCOUNTNAME=acct");

        assertThat(account.name()).isEqualTo("acct");
        assertThat(((SharedKeyCredential) account.credential()).current().getKey())
                .isEqualTo(KEY);
    }

    @Test
    void takesTheByteOrderMarkOfAFile() {
        assertThat(ConnectionString.parse("\ufeff" + ACCOUNT).name()).isEqualTo("acct");
    }

    @Test
    void impliesAllThreeServices() {
        assertThat(ConnectionString.parse(ACCOUNT).endpoints())
                .containsOnlyKeys(Service.TABLE, Service.QUEUE, Service.BLOB)
                .containsEntry(Service.QUEUE, URI.create("https://acct.queue.core.windows.net"))
                .containsEntry(Service.BLOB, URI.create("https://acct.blob.core.windows.net"));
    }

    @Test
    void explicitEndpointsAloneImplyNoOthers() {
        StorageAccount account = ConnectionString.parse(ACCOUNT + ";TableEndpoint=https://t.test");

        assertThat(account.endpoints()).containsOnlyKeys(Service.TABLE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> account.endpoint(Service.QUEUE))
                .withMessageContaining("QueueEndpoint")
                .withMessageContaining("EndpointSuffix");
    }

    @ParameterizedTest
    @CsvSource({
        "UseDevelopmentStorage=true, http://127.0.0.1:10002/devstoreaccount1",
        "usedevelopmentstorage=TRUE;, http://127.0.0.1:10002/devstoreaccount1",
        "UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://azurite, http://azurite:10002/devstoreaccount1",
        "UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://azurite/, http://azurite:10002/devstoreaccount1"
    })
    void expandsTheEmulatorsShortForm(String text, String endpoint) {
        StorageAccount account = ConnectionString.parse(text);

        assertThat(account.name()).isEqualTo("devstoreaccount1");
        assertThat(account.endpoint(Service.TABLE)).isEqualTo(URI.create(endpoint));
        assertThat(account.endpoint(Service.QUEUE).getPort()).isEqualTo(10001);
        assertThat(account.endpoint(Service.BLOB).getPort()).isEqualTo(10000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                                   | no AccountName",
                "AccountName=acct                                     | no AccountKey",
                "AccountName=acct;AccountKey=                         | no AccountKey",
                "AccountName=;AccountKey=QUJD                         | no AccountName",
                "AccountName=My_Acct;AccountKey=QUJD                  | AccountName has 3 to 24 lower-case letters and"
                        + " digits",
                "AccountName=a;AccountName=b;AccountKey=QUJD          | AccountName twice",
                "AccountName=a;accountname=b;AccountKey=QUJD          | accountname twice",
                "AccountName=a;AccountKey=QUJD;Colour=red             | unknown setting: Colour",
                "AccountName=a;AccountKey=QUJD;plain                  | without 'Name=value'",
                "AccountName=a;AccountKey=QUJD;=x                     | without 'Name=value'",
                "AccountName=a;AccountKey=QUJD;SharedAccessSignature=sv=1&sig=x | both AccountKey and"
                        + " SharedAccessSignature",
                "AccountName=a;SharedAccessSignature=sv=1             | SharedAccessSignature is not a shared access"
                        + " signature",
                "AccountName=a;SharedAccessSignature=https://a.blob.core.windows.net?sig=1 | SharedAccessSignature is"
                        + " not",
                "SharedAccessSignature=sv=1&sig=x                     | no AccountName and no endpoint",
                "AccountName=a;AccountKey=QUJD;TableSecondaryEndpoint=https://s.test |"
                        + " TableSecondaryEndpoint without TableEndpoint",
                "AccountName=a;AccountKey=QUJD;FileEndpoint=https://f.test |"
                        + " has an AccountName, but no endpoint of tables, queues or blobs",
                "AccountKey=QUJD;TableEndpoint=https://t.test         | AccountKey but no AccountName",
                "SharedAccessSignature=sig=x;TableEndpoint=https://t.test | give accountName",
                "TableEndpoint=https://acct.table.core.windows.net    | no AccountKey and no SharedAccessSignature",
                "AccountName=a;AccountKey=QUJD;BlobEndpoint=https://b.test;TableSecondaryEndpoint=https://s.test |"
                        + " TableSecondaryEndpoint is given without TableEndpoint",
                "AccountName=abc;AccountKey=QUJD;TableEndpoint=https://other.table.core.windows.net | of the account"
                        + " other, not of abc",
                "AccountName=abc;AccountKey=QUJD;TableEndpoint=https://abc.blob.core.windows.net | not an endpoint of"
                        + " the table service",
                "AccountName=abc;AccountKey=QUJD;TableEndpoint=https://abc.table.cosmos.azure.com:443/ | Cosmos DB",
                "AccountName=abc;AccountKey=QUJD;EndpointSuffix=cosmos.azure.com | Cosmos DB",
                "AccountEndpoint=https://abc.documents.azure.com:443/;AccountKey=QUJD | Cosmos DB",
                "AccountEndpoint=https://abc.test;AccountKey=QUJD     | unknown setting: AccountEndpoint",
                "UseDevelopmentStorage=true;DevelopmentStorageProxyUri=http://p:10 | without port and path",
                "AccountName=a;AccountKey=QUJD;DefaultEndpointsProtocol=ftp | DefaultEndpointsProtocol is http or"
                        + " https, not ftp",
                "AccountName=a;AccountKey=QUJD;TableEndpoint=ftp://x  | TableEndpoint must be http(s)",
                "AccountName=a;AccountKey=QUJD;TableEndpoint=x.test   | TableEndpoint must be http(s)",
                "AccountName=a;AccountKey=QUJD;TableEndpoint=https:/x | TableEndpoint must be http(s)",
                "AccountName=a;AccountKey=QUJD;TableEndpoint=https://x y | its host is no name of",
                "AccountName=a;SharedAccessSignature=sv=1&amp;sig=x   | has &amp; (the rest is not shown): a copy out"
                        + " of XML",
                "AccountName=a;SharedAccessSignature=sv=1\\u0026sig=x | has \\u0026 (the rest is not shown)",
                "AccountName=a;AccountKey=QUJD;TableEndpoint=https://x#f | TableEndpoint must be http(s)",
                "UseDevelopmentStorage=false                          | UseDevelopmentStorage can only be true",
                "UseDevelopmentStorage=true;AccountName=a             | accountname is given too"
            })
    void refusesAndNamesTheSetting(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ConnectionString.parse(text))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sv=2024&ss=t&sig=a%2Bb%3D", "?sv=2024&ss=t&sig=a%2Bb%3D", " sv=2024&ss=t&sig=a%2Bb%3D "})
    void takesASharedAccessSignature(String signature) {
        StorageAccount account = ConnectionString.parse(
                "SharedAccessSignature=" + signature
                        + ";BlobEndpoint=https://acct.blob.core.windows.net/;TableEndpoint=https://acct.table.core.windows.net/;");
        HttpRequest request = new HttpRequest(HttpMethod.GET, "https://acct.table.core.windows.net/Tables?timeout=30");
        account.credential()
                .authorizer(Service.TABLE)
                .authorize(request, Bench.START)
                .block();

        assertThat(account.name()).isEqualTo("acct");
        assertThat(account.endpoints()).containsOnlyKeys(Service.BLOB, Service.TABLE);
        assertThat(request.getUrl())
                .hasToString("https://acct.table.core.windows.net/Tables?timeout=30&sv=2024&ss=t&sig=a%2Bb%3D");
    }

    @Test
    void impliesEndpointsForANamedSignature() {
        StorageAccount account = ConnectionString.parse(
                "AccountName=acct;EndpointSuffix=core.usgovcloudapi.net;SharedAccessSignature=sv=1&sig=x");

        assertThat(account.endpoint(Service.QUEUE)).hasToString("https://acct.queue.core.usgovcloudapi.net");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                                          | https://acct-secondary.table.core.windows.net",
                "EndpointSuffix=core.chinacloudapi.cn        | https://acct-secondary.table.core.chinacloudapi.cn",
                "DefaultEndpointsProtocol=http;EndpointSuffix=a.test | http://acct-secondary.table.a.test",
                "TableEndpoint=https://acct.table.core.windows.net/ | https://acct-secondary.table.core.windows.net",
                "TableEndpoint=http://127.0.0.1:10002/acct   | http://127.0.0.1:10002/acct-secondary",
                "TableEndpoint=http://[::1]:10002/acct/      | http://[::1]:10002/acct-secondary",
                "TableEndpoint=https://t.test;TableSecondaryEndpoint=https://s.test/ | https://s.test",
                "TableSecondaryEndpoint=https://s.test;EndpointSuffix=a.test | https://s.test"
            })
    void findsTheSecondaryEndpoint(String settings, String endpoint) {
        assertThat(ConnectionString.parse(ACCOUNT + ";" + settings).secondary(Service.TABLE))
                .hasValue(URI.create(endpoint));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TableEndpoint=https://tables.example.com",
                "TableEndpoint=https://example.com/acct",
                "TableEndpoint=http://127.0.0.1:10002/other",
                "TableEndpoint=https://acct-secondary.table.core.windows.net"
            })
    void impliesNoSecondaryWhereNoConventionSaysSo(String settings) {
        assertThat(ConnectionString.parse(ACCOUNT + ";" + settings).secondaries())
                .isEmpty();
    }

    @Test
    void emulatorsHaveASecondaryPath() {
        assertThat(ConnectionString.parse("UseDevelopmentStorage=true").secondary(Service.BLOB))
                .hasValue(URI.create("http://127.0.0.1:10000/devstoreaccount1-secondary"));
    }

    @Property
    @Label("settings are found in any order, case and spacing, whatever stands in their values")
    void orderCaseAndSpacingDoNotMatter(
            @ForAll long seed,
            @ForAll @Size(min = 1, max = 64) byte[] key,
            @ForAll boolean upper,
            @ForAll boolean spaced) {
        String secret = Base64.getEncoder().encodeToString(key);
        List<String> parts = new ArrayList<>(List.of(
                "AccountName=acct", "AccountKey=" + secret, "EndpointSuffix=a.test", "DefaultEndpointsProtocol=https"));
        Collections.shuffle(parts, new Random(seed));
        String text = parts.stream()
                .map(part -> {
                    int equals = part.indexOf('=');
                    String name = part.substring(0, equals);
                    String space = spaced ? " " : "";
                    return (upper ? name.toUpperCase(Locale.ROOT) : name) + space + "=" + space
                            + part.substring(equals + 1);
                })
                .collect(Collectors.joining(spaced ? " ; " : ";", "", spaced ? " ; " : ""));
        StorageAccount account = ConnectionString.parse(text);

        assertThat(((SharedKeyCredential) account.credential()).current().getKey())
                .isEqualTo(secret);
        assertThat(account.endpoint(Service.BLOB)).hasToString("https://acct.blob.a.test");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: a key that is not Base64 is refused without being shown")
    @ValueSource(strings = {"not*base64", "QUJD QUJD", "QUJDR", "===="})
    void refusesAKeyThatIsNotBase64(String key) {
        assertNothingLeaks("AccountName=acct;AccountKey=" + key, key, "AccountKey");
    }

    @ParameterizedTest
    @DisplayName("RETRY-7: no message ever shows the key, wherever in the text it stands")
    @ValueSource(
            strings = {
                "%s",
                "AccountName=acct;%s",
                "AccountName=acct;AccountKey=QUJD;%s",
                "AccountName=acct;AccountKey=%s;AccountKey=%s",
                "AccountName=acct;AccountKey=*%s",
                "AccountKey=%s",
                "AccountName=acct;AccountKey=%s;Colour=red",
                "AccountName=acct;AccountKey=%s;TableEndpoint=nowhere",
                "UseDevelopmentStorage=true;AccountKey=%s",
                "AccountName=acct;AccountKey=QUJD;TableEndpoint=%s",
                "AccountName=acct;AccountKey=QUJD;TableEndpoint=%s b",
                "AccountName=acct;AccountKey=QUJD;TableEndpoint=https://user:%s@host/",
                "AccountName=acct;AccountKey=%s;SharedAccessSignature=sig=%s",
                "AccountName=acct;SharedAccessSignature=%s",
                "SharedAccessSignature=sig=%s",
                "AccountEndpoint=%s;AccountKey=%s",
                "AccountEndpoint=https://abc.documents.azure.com/?%s;AccountKey=%s"
            })
    void neverShowsTheKey(String text) {
        String key = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3JldA==";

        assertNothingLeaks(text.replace("%s", key), "c2VjcmV0", "");
    }

    @ParameterizedTest
    @DisplayName(
            "RETRY-7: an endpoint with a query is refused, and the query, which may hold a signature, is not shown")
    @ValueSource(strings = {"https://t.test?sig=topsecret", "https://t.test/?sv=1&sig=topsecret b", "?sig=topsecret"})
    void neverShowsAnEndpointsQuery(String endpoint) {
        assertNothingLeaks(ACCOUNT + ";TableEndpoint=" + endpoint, "topsecret", "TableEndpoint");
    }

    private static void assertNothingLeaks(String text, String secret, String named) {
        IllegalArgumentException refusal =
                catchThrowableOfType(IllegalArgumentException.class, () -> ConnectionString.parse(text));
        StringWriter everything = new StringWriter();
        refusal.printStackTrace(new PrintWriter(everything));

        assertThat(refusal).hasMessageContaining(named);
        assertThat(everything.toString()).doesNotContain(secret);
    }
}
