package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureNamedKey;
import com.azure.core.http.HttpHeader;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpHeaders;
import com.azure.core.http.HttpRequest;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.SharedKeyCredential.KeySigner;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.http.StorageResponse;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * An authorizer that dates and signs each attempt by the blob and queue services' form of Shared Key (their page "Authorize with Shared Key"). A request
 * with headers of the application that count in the signature is left to the SDK's signer, which knows the order of any header names.
 */
final class StorageSharedKey implements Authorizer {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");
    private static final String STORAGE_HEADERS = "x-ms-";

    /** Ordered as in the signature. */
    private static final List<HttpHeaderName> OWN = Stream.of(
                    "x-ms-access-tier",
                    "x-ms-blob-cache-control",
                    "x-ms-blob-content-disposition",
                    "x-ms-blob-content-encoding",
                    "x-ms-blob-content-language",
                    "x-ms-blob-content-md5",
                    "x-ms-blob-content-type",
                    "x-ms-blob-type",
                    StorageResponse.CLIENT_REQUEST_ID.getCaseInsensitiveName(),
                    DATE.getCaseInsensitiveName(),
                    "x-ms-meta-stowlinewrite",
                    "x-ms-range",
                    "x-ms-version")
            .map(HttpHeaderName::fromString)
            .toList();

    private static final Set<String> OWN_NAMES =
            OWN.stream().map(HttpHeaderName::getCaseInsensitiveName).collect(Collectors.toUnmodifiableSet());

    private static final List<HttpHeaderName> BEFORE_DATE =
            List.of(HttpHeaderName.CONTENT_MD5, HttpHeaderName.CONTENT_TYPE);
    private static final List<HttpHeaderName> AFTER_DATE = List.of(
            HttpHeaderName.IF_MODIFIED_SINCE,
            HttpHeaderName.IF_MATCH,
            HttpHeaderName.IF_NONE_MATCH,
            HttpHeaderName.IF_UNMODIFIED_SINCE,
            HttpHeaderName.RANGE);

    private final SharedKeyCredential key;
    private final StorageSharedKeyCredential signer;
    private final HttpDates dates = new HttpDates();

    StorageSharedKey(SharedKeyCredential key) {
        this.key = key;
        this.signer = StorageSharedKeyCredential.fromAzureNamedKeyCredential(key.credential());
    }

    @Override
    public Mono<Proof> authorize(HttpRequest request, Instant now) {
        AzureNamedKey used = key.current();
        request.setHeader(DATE, dates.print(now.getEpochSecond()));
        if (request.getHeaders().get(HttpHeaderName.CONTENT_LENGTH) == null && request.getBodyAsBinaryData() == null) {
            // The SDK's signer writes "null" for a length that is not there (12.33); its own clients always send one.
            request.setHeader(HttpHeaderName.CONTENT_LENGTH, "0");
        }
        request.setHeader(
                HttpHeaderName.AUTHORIZATION,
                signer.generateAuthorizationHeader(
                        request.getUrl(), request.getHttpMethod().toString(), request.getHeaders(), false));
        return Mono.just(key.proof(used));
    }

    @Override
    public @Nullable Proof authorizeAtOnce(HttpRequest request, Instant now) {
        if (!(request instanceof DirectRequest) || !ownHeadersOnly(request.getHeaders())) {
            return null;
        }
        KeySigner current = key.signer();
        request.setHeader(DATE, dates.print(now.getEpochSecond()));
        return key.signed(request, current, stringToSign(current.account(), request));
    }

    private static boolean ownHeadersOnly(HttpHeaders headers) {
        for (HttpHeader header : headers) {
            String name = header.getName();
            if (name.regionMatches(true, 0, STORAGE_HEADERS, 0, STORAGE_HEADERS.length())
                    && !OWN_NAMES.contains(name.toLowerCase(Locale.ROOT))) {
                return false;
            }
        }
        return true;
    }

    static CharSequence stringToSign(String account, HttpRequest request) {
        HttpHeaders headers = request.getHeaders();
        String address = DirectRequest.address(request);
        StringBuilder text = new StringBuilder(address.length() + 256).append(request.getHttpMethod());
        text.append('\n').append(SharedKeyCredential.value(headers, HttpHeaderName.CONTENT_ENCODING));
        text.append('\n').append(SharedKeyCredential.value(headers, HttpHeaderName.CONTENT_LANGUAGE));
        String length = SharedKeyCredential.value(headers, HttpHeaderName.CONTENT_LENGTH);
        text.append('\n').append(length.equals("0") ? "" : length);
        addValues(text, BEFORE_DATE, headers);
        text.append('\n'); // the date is one of the storage headers
        addValues(text, AFTER_DATE, headers);
        text.append('\n');
        for (HttpHeaderName own : OWN) {
            String value = headers.getValue(own);
            if (value != null) {
                text.append(own.getCaseInsensitiveName())
                        .append(':')
                        .append(value)
                        .append('\n');
            }
        }
        addResource(text.append('/').append(account), address);
        return text;
    }

    private static void addValues(StringBuilder text, List<HttpHeaderName> names, HttpHeaders headers) {
        for (HttpHeaderName name : names) {
            text.append('\n').append(SharedKeyCredential.value(headers, name));
        }
    }

    /** The path, and each parameter of the query with its decoded value, in the order of their names. */
    private static void addResource(StringBuilder text, String address) {
        int query = SharedKeyCredential.addPath(text, address);
        if (query < 0) {
            return;
        }
        String[] parameters = address.substring(query + 1).split("&", -1);
        Arrays.sort(parameters);
        for (String parameter : parameters) {
            int value = parameter.indexOf('=');
            text.append('\n')
                    .append(parameter.substring(0, value).toLowerCase(Locale.ROOT))
                    .append(':')
                    .append(decoded(parameter.substring(value + 1)));
        }
    }

    private static String decoded(String value) {
        return value.indexOf('%') < 0 ? value : URLDecoder.decode(value, StandardCharsets.UTF_8);
    }
}
