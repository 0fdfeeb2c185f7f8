package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableSharedKeyTest {

    private static final String DATE = "Thu, 29 Feb 2024 12:00:00 GMT";

    private final TableSharedKey signer = signer("acct");

    private static TableSharedKey signer(String account) {
        return new TableSharedKey(new SharedKeyCredential(new AzureNamedKeyCredential(account, Bench.KEY)));
    }

    private static String signed(String account, String stringToSign) {
        return "SharedKey " + account + ":" + IndependentHmac.of(Bench.KEY, stringToSign);
    }

    private static String authorization(HttpRequest request) {
        return request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION);
    }

    @Test
    void signsVerbDigestTypeDateAndResource() {
        HttpRequest request = new HttpRequest(HttpMethod.PUT, "https://acct.table.core.windows.net/people?timeout=30")
                .setHeader(HttpHeaderName.CONTENT_MD5, "abc==")
                .setHeader(HttpHeaderName.CONTENT_TYPE, "application/json");

        signer.authorize(request, Bench.START).block();

        assertThat(request.getHeaders().getValue(HttpHeaderName.fromString("x-ms-date")))
                .isEqualTo(DATE);
        assertThat(authorization(request))
                .isEqualTo(signed("acct", "PUT\nabc==\napplication/json\n" + DATE + "\n/acct/people"));
    }

    @ParameterizedTest
    @CsvSource({
        "https://acct.table.core.windows.net, /acct/",
        "https://acct.table.core.windows.net/, /acct/",
        "https://acct.table.core.windows.net/Tables?$top=5, /acct/Tables",
        "https://acct.table.core.windows.net/?timeout=30&comp=properties&restype=service, /acct/?comp=properties",
        "https://acct.table.core.windows.net/people?xcomp=1, /acct/people",
        "https://acct.table.core.windows.net/p(PartitionKey='a%20b'), /acct/p(PartitionKey='a%20b')"
    })
    void signsThePathAsItIsSentAndOfTheQueryOnlyComp(String url, String resource) {
        HttpRequest request = new HttpRequest(HttpMethod.GET, url);

        signer.authorize(request, Bench.START).block();

        assertThat(authorization(request)).isEqualTo(signed("acct", "GET\n\n\n" + DATE + "\n" + resource));
    }

    @Test
    void pathStyleNamesTheAccountTwice() {
        HttpRequest request =
                new HttpRequest(HttpMethod.PUT, "http://127.0.0.1:10002/devstoreaccount1/people?comp=acl");

        signer("devstoreaccount1").authorize(request, Bench.START).block();

        String resource = "/devstoreaccount1/devstoreaccount1/people?comp=acl";
        assertThat(authorization(request)).isEqualTo(signed("devstoreaccount1", "PUT\n\n\n" + DATE + "\n" + resource));
    }
}
