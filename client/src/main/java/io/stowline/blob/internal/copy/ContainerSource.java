package io.stowline.blob.internal.copy;

import com.azure.core.http.HttpHeaderName;
import com.azure.core.http.HttpMethod;
import io.stowline.blob.internal.base.BlobContext;
import io.stowline.blob.internal.base.BlobContext.RevisionId;
import io.stowline.blob.internal.operations.PropertyReads;
import io.stowline.blob.internal.operations.TagOperations;
import io.stowline.blob.internal.request.SourceAccess;
import io.stowline.blob.internal.rule.BlobNameRules;
import io.stowline.transport.internal.http.DirectRequest;
import io.stowline.transport.internal.http.RequestHeaders;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A source of a copy in a container of this library, whose client gives the access: a signature for this blob, to read it for a short time, by the
 * account key; the token of a {@code TokenCredential}; or the signature that the client itself has (COPY-3).
 */
public final class ContainerSource implements CopySource {

    /** The service reads the source as long as the copy is pending. */
    private static final Duration LASTING = Duration.ofDays(1);

    private final BlobContext context;
    private final String name;

    public ContainerSource(BlobContext context, String name) {
        this.context = context.atPrimary();
        this.name = BlobNameRules.check(name);
    }

    @Override
    public Mono<SourceInfo> info(String verb, @Nullable String ifMatch) {
        return new PropertyReads(context)
                .version(verb, name, ifMatch)
                .map(found -> SourceInfo.of(found.info(), found.metadata()));
    }

    @Override
    public Mono<SourceAccess> access(String etag, Duration time) {
        return signsEachRequest() ? signed(etag, time) : proved(etag);
    }

    private boolean signsEachRequest() {
        return context.service().pipeline().signsEachRequest();
    }

    /** Returns the address that the service of the same account reads, with the signature of this client if it has one. */
    Mono<String> address() {
        return signsEachRequest() ? Mono.fromSupplier(this::unproved) : proved().map(DirectRequest::address);
    }

    @Override
    public Mono<Map<String, String>> tags(String verb) {
        return new TagOperations(context).tags(verb, name);
    }

    /** The token or the signature of this client, which open more than one request. */
    private Mono<SourceAccess> proved(String etag) {
        return proved().map(proved -> new SourceAccess(
                DirectRequest.address(proved), DirectRequest.header(proved, HttpHeaderName.AUTHORIZATION), etag));
    }

    private Mono<SourceAccess> signed(String etag, Duration time) {
        return context.sas(name, Function.identity())
                .canRead()
                .validFor(time)
                .sign()
                .map(signed -> new SourceAccess(signed.uri().toString(), null, etag));
    }

    /** A pending copy takes no token, and the proof of its request opens the sources of the same account. */
    @Override
    public Mono<SourceAccess> lastingAccess(String etag, String account) {
        if (context.service().account().equals(account)) {
            return Mono.fromSupplier(() -> new SourceAccess(unproved(), null, etag));
        }
        return signsEachRequest()
                ? signed(etag, LASTING)
                : proved(etag).flatMap(access -> access.hasToken() ? signed(etag, LASTING) : Mono.just(access));
    }

    private Mono<DirectRequest> proved() {
        return Mono.defer(() -> context.service()
                .pipeline()
                .authorized(new DirectRequest(HttpMethod.GET, unproved(), new RequestHeaders(), null)));
    }

    private String unproved() {
        RevisionId kept = context.revision();
        return kept == null ? context.url(name) : context.url(name) + "?" + kept.query();
    }

    @Override
    public String shown() {
        return context.url(name);
    }
}
