package io.stowline.transport.internal.account;

import com.azure.core.credential.AzureNamedKey;
import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpRequest;
import com.azure.storage.common.StorageSharedKeyCredential;
import io.stowline.transport.internal.account.AccountCredential.Authorizer;
import io.stowline.transport.internal.account.SharedKeyCredential.KeySigner;
import io.stowline.transport.internal.concurrent.Lazy;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.HttpDates;
import io.stowline.transport.internal.http.RequestHeaders;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * An authorizer that dates and signs each attempt by the blob and queue services' form of Shared Key (their page "Authorize with Shared Key"). A request
 * with header names of other characters than letters, digits, hyphens and underscores is left to the SDK's signer, whose collator orders any names.
 */
final class StorageSharedKey implements Authorizer {

    private static final HttpHeaderName DATE = HttpHeaderName.fromString("x-ms-date");
    private static final String STORAGE_HEADERS = "x-ms-";

    private static final List<HttpHeaderName> BEFORE_DATE =
            List.of(HttpHeaderName.CONTENT_MD5, HttpHeaderName.CONTENT_TYPE);
    private static final List<HttpHeaderName> AFTER_DATE = List.of(
            HttpHeaderName.IF_MODIFIED_SINCE,
            HttpHeaderName.IF_MATCH,
            HttpHeaderName.IF_NONE_MATCH,
            HttpHeaderName.IF_UNMODIFIED_SINCE,
            HttpHeaderName.RANGE);

    private final SharedKeyCredential key;
    private final Lazy<SdkSigner> signer;
    private final HttpDates dates = new HttpDates();

    StorageSharedKey(SharedKeyCredential key) {
        this.key = key;
        this.signer = new Lazy<>(() -> new SdkSigner(key));
    }

    /** The SDK's signer, of a signed jar: the JVM checks that jar when it loads the first class of it. */
    private static final class SdkSigner {

        private final StorageSharedKeyCredential credential;

        SdkSigner(SharedKeyCredential key) {
            this.credential = StorageSharedKeyCredential.fromAzureNamedKeyCredential(key.credential());
        }

        String authorization(HttpRequest request) {
            return credential.generateAuthorizationHeader(
                    request.getUrl(), request.getHttpMethod().toString(), request.getHeaders(), false);
        }
    }

    @Override
    public boolean signsEachRequest() {
        return true;
    }

    @Override
    public Mono<Proof> authorize(HttpRequest request, Instant now) {
        AzureNamedKey used = key.current();
        request.setHeader(DATE, dates.print(now.getEpochSecond()));
        if (DirectRequest.header(request, HttpHeaderName.CONTENT_LENGTH) == null
                && request.getBodyAsBinaryData() == null) {
            // The SDK's signer writes "null" for a length that is not there (12.33); its own clients always send one.
            request.setHeader(HttpHeaderName.CONTENT_LENGTH, "0");
        }
        request.setHeader(HttpHeaderName.AUTHORIZATION, signer.get().authorization(request));
        return Mono.just(key.proof(used));
    }

    @Override
    public @Nullable Proof authorizeAtOnce(HttpRequest request, Instant now) {
        if (!(request instanceof DirectRequest own)) {
            return null;
        }
        request.setHeader(DATE, dates.print(now.getEpochSecond()));
        RequestHeaders headers = own.headers();
        int[] signed = storageHeaders(headers);
        if (signed == null) {
            return null;
        }
        KeySigner current = key.signer();
        return key.signed(request, current, stringToSign(current.account(), own, headers, signed));
    }

    /** Returns the places of the services' headers in the order of the signature, or {@code null} if only a collator knows it. */
    private static int @Nullable [] storageHeaders(RequestHeaders headers) {
        int[] ordered = new int[headers.size()];
        int count = 0;
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.name(i);
            if (!name.regionMatches(true, 0, STORAGE_HEADERS, 0, STORAGE_HEADERS.length())) {
                continue;
            }
            if (!isPlain(name)) {
                return null;
            }
            int at = count;
            int order = 1;
            while (at > 0 && (order = compare(name, headers.name(ordered[at - 1]))) < 0) {
                at--;
            }
            if (order == 0) {
                return null;
            }
            System.arraycopy(ordered, at, ordered, at + 1, count - at);
            ordered[at] = i;
            count++;
        }
        return Arrays.copyOf(ordered, count);
    }

    private static boolean isPlain(String name) {
        for (int i = STORAGE_HEADERS.length(); i < name.length(); i++) {
            char c = name.charAt(i);
            boolean plain =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            if (!plain) {
                return false;
            }
        }
        return true;
    }

    /** Compares names as a collator does: hyphens do not count, and an underscore comes before digits and letters. */
    private static int compare(String name, String other) {
        int i = letter(name, STORAGE_HEADERS.length());
        int j = letter(other, STORAGE_HEADERS.length());
        while (i < name.length() && j < other.length()) {
            int difference = rank(name.charAt(i)) - rank(other.charAt(j));
            if (difference != 0) {
                return difference;
            }
            i = letter(name, i + 1);
            j = letter(other, j + 1);
        }
        return Boolean.compare(i < name.length(), j < other.length());
    }

    private static int letter(String name, int from) {
        int at = from;
        while (at < name.length() && name.charAt(at) == '-') {
            at++;
        }
        return at;
    }

    private static int rank(char c) {
        return c == '_' ? 0 : c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }

    private static SignedText stringToSign(
            String account, DirectRequest request, RequestHeaders headers, int[] signed) {
        SignedText text = SignedText.begin().add(request.getHttpMethod().toString());
        text.add('\n').add(SharedKeyCredential.value(request, HttpHeaderName.CONTENT_ENCODING));
        text.add('\n').add(SharedKeyCredential.value(request, HttpHeaderName.CONTENT_LANGUAGE));
        String length = SharedKeyCredential.value(request, HttpHeaderName.CONTENT_LENGTH);
        text.add('\n').add(length.equals("0") ? "" : length);
        addValues(text, BEFORE_DATE, request);
        text.add('\n'); // the date is one of the storage headers
        addValues(text, AFTER_DATE, request);
        text.add('\n');
        for (int index : signed) {
            String name = headers.name(index);
            text.addLowerCase(name, 0, name.length())
                    .add(':')
                    .add(headers.value(index))
                    .add('\n');
        }
        addResource(text.add('/').add(account), DirectRequest.address(request));
        return text;
    }

    private static void addValues(SignedText text, List<HttpHeaderName> names, DirectRequest request) {
        for (HttpHeaderName name : names) {
            text.add('\n').add(SharedKeyCredential.value(request, name));
        }
    }

    /** The path, and each parameter of the query with its decoded value, in the order of their names. */
    private static void addResource(SignedText text, String address) {
        int query = SharedKeyCredential.addPath(text, address);
        if (query < 0) {
            return;
        }
        for (int begin : parameters(address, query + 1)) {
            int end = end(address, begin);
            int name = begin;
            while (name < end && address.charAt(name) != '=') {
                name++;
            }
            text.add('\n').addLowerCase(address, begin, name).add(':');
            addDecoded(text, address, Math.min(name + 1, end), end);
        }
    }

    /** Returns where the parameters begin, in their order as texts; an address has few. */
    private static int[] parameters(String address, int first) {
        int count = 0;
        for (int begin = first; begin <= address.length(); begin = end(address, begin) + 1) {
            count++;
        }
        int[] ordered = new int[count];
        int begin = first;
        for (int i = 0; i < count; i++, begin = end(address, begin) + 1) {
            int at = i;
            while (at > 0 && compareParameters(address, begin, ordered[at - 1]) < 0) {
                ordered[at] = ordered[--at];
            }
            ordered[at] = begin;
        }
        return ordered;
    }

    private static int end(String address, int parameter) {
        int next = address.indexOf('&', parameter);
        return next < 0 ? address.length() : next;
    }

    private static int compareParameters(String address, int one, int other) {
        int left = end(address, one) - one;
        int right = end(address, other) - other;
        for (int i = 0; i < Math.min(left, right); i++) {
            int difference = address.charAt(one + i) - address.charAt(other + i);
            if (difference != 0) {
                return difference;
            }
        }
        return left - right;
    }

    /** Escapes of ASCII need no decoder, and values of other requests than those for blobs have no others. */
    private static void addDecoded(SignedText text, String address, int from, int to) {
        int escape = address.indexOf('%', from);
        if (escape < 0 || escape >= to) {
            text.add(address, from, to);
            return;
        }
        int begin = text.length();
        for (int i = from; i < to; i++) {
            char c = address.charAt(i);
            if (c == '%' && i + 2 < to && address.charAt(i + 1) < '8') {
                text.add((char) HexFormat.fromHexDigits(address, i + 1, i + 3));
                i += 2;
            } else if (c == '%' || c == '+' || c >= 0x80) {
                text.cut(begin);
                text.add(URLDecoder.decode(address.substring(from, to), StandardCharsets.UTF_8));
                return;
            } else {
                text.add(c);
            }
        }
    }
}
