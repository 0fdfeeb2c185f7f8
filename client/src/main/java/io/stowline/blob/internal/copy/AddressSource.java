package io.stowline.blob.internal.copy;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.request.BlobReads;
import io.stowline.blob.internal.request.BlobReads.ContentRange;
import io.stowline.blob.internal.request.SourceAccess;
import io.stowline.transport.ReadOrigin;
import io.stowline.transport.internal.account.Endpoint;
import io.stowline.transport.internal.account.HttpAuthority;
import io.stowline.transport.internal.http.StorageResponse;
import io.stowline.transport.internal.pipeline.Exchange;
import io.stowline.transport.internal.request.DocumentedStatus;
import io.stowline.transport.internal.request.OperationType;
import io.stowline.transport.internal.request.Request;
import io.stowline.transport.internal.request.ResponseParser.ParseResult;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A source of a copy at an address that everyone may read, or that holds a signature. The client's own proof never goes there. */
public final class AddressSource implements CopySource {

    private static final String METADATA = "x-ms-meta-";
    private static final DocumentedStatus READ = DocumentedStatus.status(200);

    private final BlobContext context;
    private final String address;

    /**
     * A source at an address.
     *
     * @param context the container of the target, which sends the request for the facts
     * @throws IllegalArgumentException if the address is not one of HTTP
     */
    public AddressSource(BlobContext context, URI source) {
        this.context = context;
        this.address = Objects.requireNonNull(source, "source").toASCIIString();
        String scheme = source.getScheme() == null ? "" : source.getScheme().toLowerCase(Locale.ROOT);
        // The name of a container of Docker Compose may have an underscore, which is an authority without a host to
        // URI.
        String authority = source.getRawAuthority();
        if (authority == null
                || authority.indexOf('@') >= 0
                || source.getRawFragment() != null
                || !(scheme.equals("https") || scheme.equals("http"))) {
            throw refused("");
        }
        try {
            HttpAuthority.of(authority);
        } catch (IllegalArgumentException e) {
            throw refused(": " + e.getMessage());
        }
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException("source is an address of HTTP with a host, without a user and without"
                + " a fragment, not " + Endpoint.shown(address) + why);
    }

    @Override
    public Mono<SourceInfo> info(String verb, @Nullable String ifMatch) {
        return Mono.defer(() -> context.calls()
                .direct()
                .observed(verb, this::shown, () -> request(verb, ifMatch), (found, exchange) -> found));
    }

    private Exchange<SourceInfo> request(String verb, @Nullable String ifMatch) {
        Request request = Request.of(verb, shown(), OperationType.READ, HttpMethod.HEAD, address);
        if (ifMatch != null) {
            request.addHeader(HttpHeaderName.IF_MATCH, ifMatch);
        }
        return Exchange.of(request.toForeignHost(), context.retry(), response -> read(verb, response));
    }

    private ParseResult<SourceInfo> read(String verb, StorageResponse response) {
        String wrong = READ.against(response.status());
        if (wrong != null) {
            return new ParseResult.Unreadable<>(wrong);
        }
        StorageResponse.Headers headers = response.headers();
        ContentRange range = ContentRange.of(response.status(), headers, length(headers));
        return range == null
                ? new ParseResult.Unreadable<>(
                        "the response names no version or no length, so that the copy could not be of one version",
                        false)
                : new ParseResult.Value<>(SourceInfo.of(
                        new BlobReads(context, verb, shown()).info(headers, range, ReadOrigin.primary()),
                        headers.startingWith(METADATA)));
    }

    private static long length(StorageResponse.Headers headers) {
        String length = headers.value(HttpHeaderName.CONTENT_LENGTH);
        try {
            return length == null ? -1 : Long.parseLong(length);
        } catch (NumberFormatException noNumber) {
            return -1;
        }
    }

    @Override
    public Mono<SourceAccess> access(String etag, Duration time) {
        return Mono.fromSupplier(() -> new SourceAccess(address, null, etag));
    }

    @Override
    public Mono<SourceAccess> lastingAccess(String etag, String account) {
        return access(etag, Duration.ZERO);
    }

    /** The address opens the blob and seldom its tags, which are another permission. */
    @Override
    public Mono<Map<String, String>> tags(String verb) {
        return Mono.error(() -> new IllegalArgumentException("sourceTags needs a source that is a container of a"
                + " client; this one is an address, " + shown() + ": set its tags with tags(..)"));
    }

    @Override
    public String shown() {
        return SourceAccess.shown(address);
    }
}
