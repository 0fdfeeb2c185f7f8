package io.stowline.transport.internal.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.core.credential.AzureNamedKeyCredential;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import com.azure.core.http.HttpRequest;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.RequestHeaders;
import io.stowline.transport.internal.outcome.WriteIdMetadata;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.GenerationMode;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorageSharedKeyTest {

    private static final Instant NOW = Instant.parse("2024-02-29T12:00:00Z");
    private static final String ROOT = "https://acct.queue.core.windows.net";

    /** The SDK's signer writes "null" for a length that is not there. */
    private static final Map<HttpHeaderName, String> LENGTH = Map.of(HttpHeaderName.CONTENT_LENGTH, "0");

    private final AzureNamedKeyCredential named = new AzureNamedKeyCredential("acct", Bench.KEY);
    private final StorageSharedKey key = new StorageSharedKey(new SharedKeyCredential(named));

    private static HttpRequest request(HttpMethod method, String address, Map<HttpHeaderName, String> headers) {
        RequestHeaders all = new RequestHeaders()
                .set(HttpHeaderName.fromString("x-ms-version"), "2020-12-06")
                .set(HttpHeaderName.fromString("x-ms-client-request-id"), "0d3a");
        headers.forEach(all::set);
        return new DirectRequest(method, address, all, null);
    }

    private static String authorization(HttpRequest request) {
        return request.getHeaders().getValue(HttpHeaderName.AUTHORIZATION);
    }

    private String bySdk(HttpRequest request) {
        return StorageSharedKeyCredential.fromAzureNamedKeyCredential(named)
                .generateAuthorizationHeader(
                        request.getUrl(), request.getHttpMethod().toString(), request.getHeaders(), false);
    }

    @Provide
    Arbitrary<String> queries() {
        Arbitrary<String> value = Arbitraries.strings()
                .ofMaxLength(12)
                .map(text -> URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20"));
        return Arbitraries.maps(
                        Arbitraries.of(
                                "popreceipt",
                                "visibilitytimeout",
                                "timeout",
                                "numofmessages",
                                "peekonly",
                                "comp",
                                "blockid",
                                "blocklisttype",
                                "snapshot",
                                "versionid"),
                        value)
                .map(query -> query.entrySet().stream()
                        .map(one -> one.getKey() + "=" + one.getValue())
                        .reduce((one, other) -> one + "&" + other)
                        .map(text -> "?" + text)
                        .orElse(""));
    }

    @Property
    @Label("a request of ours has the signature that the SDK's signer gives it")
    void signsAsTheSdk(
            @ForAll("queries") String query,
            @ForAll("methods") HttpMethod method,
            @ForAll("paths") String path,
            @ForAll("headers") Map<HttpHeaderName, String> headers) {
        HttpRequest request = request(method, ROOT + path + query, headers);

        assertThat(key.authorizeAtOnce(request, NOW)).isNotNull();
        assertThat(authorization(request)).isEqualTo(bySdk(request));
    }

    /** A plus is a blank only beside an escape, as the decoder of the JDK reads it. */
    @ParameterizedTest
    @CsvSource({
        "?popreceipt=AgAA%2B%2f%3D%3D&timeout=30, 'popreceipt:AgAA+/==\ntimeout:30'",
        "?timeout=30&Comp=a+b&b=a+b%20, 'comp:a+b\nb:a b \ntimeout:30'",
        "?prefix=%E6%9D%B1a&a=2&a=1&restype, 'a:1\na:2\nprefix:\u6771a\nrestype:'"
    })
    void signsParametersInOrderWithDecodedValues(String query, String signed) {
        HttpRequest request = new DirectRequest(HttpMethod.GET, ROOT + "/orders" + query, new RequestHeaders(), null);

        key.authorizeAtOnce(request, NOW);

        String text = "GET\n\n\n\n\n\n\n\n\n\n\n\nx-ms-date:"
                + request.getHeaders().getValue(HttpHeaderName.fromString("x-ms-date")) + "\n/acct/orders\n" + signed;
        assertThat(authorization(request)).isEqualTo("SharedKey acct:" + IndependentHmac.of(Bench.KEY, text));
    }

    @Provide
    Arbitrary<HttpMethod> methods() {
        return Arbitraries.of(HttpMethod.GET, HttpMethod.PUT, HttpMethod.POST, HttpMethod.DELETE, HttpMethod.HEAD);
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.of("/orders", "/orders/messages", "/devstoreaccount1/orders/messages/a%20b", "/");
    }

    @Provide
    Arbitrary<Map<HttpHeaderName, String>> headers() {
        return Arbitraries.maps(
                        Arbitraries.of(
                                HttpHeaderName.CONTENT_TYPE,
                                HttpHeaderName.CONTENT_MD5,
                                HttpHeaderName.CONTENT_ENCODING,
                                HttpHeaderName.IF_MATCH,
                                HttpHeaderName.IF_NONE_MATCH,
                                HttpHeaderName.IF_MODIFIED_SINCE,
                                HttpHeaderName.IF_UNMODIFIED_SINCE,
                                HttpHeaderName.RANGE,
                                HttpHeaderName.CONTENT_LANGUAGE,
                                HttpHeaderName.ACCEPT,
                                HttpHeaderName.fromString("x-ms-access-tier"),
                                HttpHeaderName.fromString("x-ms-blob-cache-control"),
                                HttpHeaderName.fromString("x-ms-blob-content-disposition"),
                                HttpHeaderName.fromString("x-ms-blob-content-encoding"),
                                HttpHeaderName.fromString("x-ms-blob-content-language"),
                                HttpHeaderName.fromString("x-ms-blob-content-md5"),
                                HttpHeaderName.fromString("x-ms-blob-content-type"),
                                HttpHeaderName.fromString("x-ms-blob-type"),
                                HttpHeaderName.fromString("x-ms-meta-" + WriteIdMetadata.NAME),
                                HttpHeaderName.fromString("x-ms-range")),
                        Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(8))
                .flatMap(named -> Arbitraries.of("0", "17").map(length -> {
                    named.put(HttpHeaderName.CONTENT_LENGTH, length);
                    return named;
                }));
    }

    @Property(generation = GenerationMode.RANDOMIZED)
    @Label("a request with any plain names of headers has the signature that the SDK's signer gives it")
    void ordersNamesAsTheSdk(@ForAll("names") List<String> names) {
        Map<HttpHeaderName, String> headers = new HashMap<>(LENGTH);
        Set<String> letters = new HashSet<>();
        names.stream()
                .filter(name -> letters.add(name.toLowerCase(Locale.ROOT).replace("-", "")))
                .forEach(name -> headers.put(HttpHeaderName.fromString(name), "blue"));
        HttpRequest request = request(HttpMethod.PUT, ROOT + "/orders", headers);

        assertThat(key.authorizeAtOnce(request, NOW)).isNotNull();
        assertThat(authorization(request)).isEqualTo(bySdk(request));
    }

    @Provide
    Arbitrary<List<String>> names() {
        Arbitrary<String> ofCopies = Arbitraries.of(
                "x-ms-copy-source",
                "x-ms-copy-source-authorization",
                "x-ms-copy-source-blob-properties",
                "x-ms-source-if-match",
                "x-ms-source-range",
                "x-ms-lease-id",
                "x-ms-if-tags",
                "x-ms-tags",
                "x-ms-meta-stowlinemodified");
        Arbitrary<String> end = Arbitraries.strings()
                .withCharRange('a', 'e')
                .withCharRange('A', 'E')
                .withChars("09_-")
                .ofMinLength(1)
                .ofMaxLength(8);
        Arbitrary<String> any = Combinators.combine(Arbitraries.of("x-ms-meta-", "x-ms-", "X-MS-Meta-"), end)
                .as((begin, more) -> begin + more);
        return Arbitraries.frequencyOf(Tuple.of(1, ofCopies), Tuple.of(2, any))
                .list()
                .ofMaxSize(12);
    }

    @Test
    void leavesNamesThatOnlyACollatorOrdersToTheSdksSigner() {
        for (List<String> names : List.of(List.of("x-ms-meta-a.b"), List.of("x-ms-meta-ab", "x-ms-meta-a-b"))) {
            Map<HttpHeaderName, String> headers = new HashMap<>();
            names.forEach(name -> headers.put(HttpHeaderName.fromString(name), "blue"));
            HttpRequest request = request(HttpMethod.GET, ROOT + "/orders", headers);

            assertThat(key.authorizeAtOnce(request, NOW)).isNull();
            key.authorize(request, NOW).block();
            assertThat(authorization(request)).isEqualTo(bySdk(request));
        }
    }

    @Test
    void leavesRequestsOfSdkClientsToTheSdksSigner() {
        HttpRequest foreign = new HttpRequest(HttpMethod.GET, ROOT + "/orders");

        assertThat(key.authorizeAtOnce(foreign, NOW)).isNull();
    }

    @Test
    void signsWithTheKeyOfTheMoment() {
        HttpRequest before = request(HttpMethod.GET, ROOT + "/orders", LENGTH);
        key.authorizeAtOnce(before, NOW);
        named.update("acct", "b3RoZXIga2V5");
        HttpRequest after = request(HttpMethod.GET, ROOT + "/orders", LENGTH);
        key.authorizeAtOnce(after, NOW);

        assertThat(authorization(after)).isNotEqualTo(authorization(before)).isEqualTo(bySdk(after));
    }
}
