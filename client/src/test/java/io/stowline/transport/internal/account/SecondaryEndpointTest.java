package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import io.stowline.Stowline;
import io.stowline.transport.ReadFrom;
import java.net.URI;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecondaryEndpointTest {

    private static final String EMULATOR = "http://127.0.0.1:10002/acct";

    @ParameterizedTest
    @DisplayName("RETRY-10: the same path and query at the other root, for hosts and for paths")
    @CsvSource({
        "https://acct.table.core.windows.net, https://acct-secondary.table.core.windows.net,"
                + " /t(PartitionKey='a%20b')?$top=5",
        "https://acct.table.core.windows.net, https://acct-secondary.table.core.windows.net, ?restype=service",
        "https://acct.table.core.windows.net, https://acct-secondary.table.core.windows.net, ''",
        "http://127.0.0.1:10002/acct, http://127.0.0.1:10002/acct-secondary, /t()?x=/acct",
        "http://127.0.0.1:10002/acct, http://127.0.0.1:10002/acct-secondary, ''",
        "https://tables.corp.example, https://copy.corp.example:444/there, /t?a=b"
    })
    void keepsPathAndQuery(URI primary, URI copy, String rest) {
        assertThat(new SecondaryEndpoint(primary, copy).url(primary + rest)).isEqualTo(copy + rest);
    }

    @Test
    void refusesAnAddressOfAnotherAccount() {
        SecondaryEndpoint secondary = new SecondaryEndpoint(URI.create(EMULATOR), URI.create(EMULATOR + "-secondary"));

        assertThatThrownBy(() -> secondary.url("http://127.0.0.1:10002/other/t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(EMULATOR);
    }

    /** The suffix in a path is a part of the resource; in a host it is not signed. */
    @ParameterizedTest
    @DisplayName("RETRY-10: the primary's name signs, with the path as it is sent")
    @CsvSource({
        "https://acct.table.core.windows.net, https://acct-secondary.table.core.windows.net, /acct/t()",
        "http://127.0.0.1:10002/acct, http://127.0.0.1:10002/acct-secondary, /acct/acct-secondary/t()"
    })
    void signsAsThePrimary(URI primary, URI copy, String resource) {
        HttpRequest request =
                new HttpRequest(HttpMethod.GET, new SecondaryEndpoint(primary, copy).url(primary + "/t()?timeout=30"));

        new TableSharedKey(new SharedKeyCredential(new AzureNamedKeyCredential("acct", Bench.KEY)))
                .authorize(request, Bench.START)
                .block();

        String signature = IndependentHmac.of(Bench.KEY, "GET\n\n\nThu, 29 Feb 2024 12:00:00 GMT\n" + resource);
        assertThat(request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION))
                .isEqualTo("SharedKey acct:" + signature);
    }

    @Test
    @DisplayName("RETRY-10: blobs and queues sign a request without a body as one without a length")
    void signsTheStatsRequest() {
        HttpRequest request = new HttpRequest(
                HttpMethod.GET, "https://acct-secondary.blob.core.windows.net/?restype=service&comp=stats&timeout=1");

        new StorageSharedKey(new SharedKeyCredential(new AzureNamedKeyCredential("acct", Bench.KEY)))
                .authorize(request, Bench.START)
                .block();

        String signature = IndependentHmac.of(
                Bench.KEY,
                "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:Thu, 29 Feb 2024 12:00:00 GMT\n"
                        + "/acct/\ncomp:stats\nrestype:service\ntimeout:1");
        assertThat(request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION))
                .isEqualTo("SharedKey acct:" + signature);
    }

    @Test
    @DisplayName(
            "RETRY-10: an account without a known secondary is refused by build() and by each view, with the remedy")
    void refusesAnAccountWithoutCopy() {
        Stowline.Builder custom = Stowline.builder()
                .tableEndpoint("https://tables.corp.example")
                .credential(new AzureNamedKeyCredential("acct", Bench.KEY));

        assertThatThrownBy(
                        () -> custom.readFrom(ReadFrom.SECONDARY_AFTER_PRIMARY).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("secondary table endpoint", "readFrom", "TableSecondaryEndpoint");
        try (Stowline storage = custom.readFrom(ReadFrom.PRIMARY).build()) {
            assertThatThrownBy(() -> storage.table("people").withReadPreference(ReadFrom.SECONDARY_AFTER_PRIMARY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("TableSecondaryEndpoint");
            assertThat(storage.table("people")
                            .withReadPreference(ReadFrom.PRIMARY)
                            .name())
                    .isEqualTo("people");
        }
    }

    @Test
    @DisplayName("RETRY-10: each service of the account is asked for its copy, and one that is not used needs none")
    void acceptsAnAccountWithCopies() {
        String given = "AccountName=acct;AccountKey=" + Bench.KEY
                + ";TableEndpoint=https://t.example;TableSecondaryEndpoint=https://copy.example";
        try (Stowline storage = Stowline.builder()
                .connectionString(given)
                .readFrom(ReadFrom.SECONDARY_AFTER_PRIMARY)
                .build()) {
            assertThat(storage.table("people").name()).isEqualTo("people");
        }
        assertThat(SecondaryEndpoint.of(Bench.copied(), Service.BLOB).root())
                .hasToString("https://acct-secondary.blob.core.windows.net");
    }
}
