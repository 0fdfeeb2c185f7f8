package io.stowline.transport.internal.sdk;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelineNextPolicy;
import com.azure.core.http.HttpPipelineNextSyncPolicy;
import com.azure.core.http.HttpRequest;
import com.azure.core.http.HttpResponse;
import com.azure.core.http.policy.HttpPipelinePolicy;
import io.stowline.transport.internal.account.Service;
import io.stowline.transport.internal.request.ServiceVersion;
import java.net.URI;
import reactor.core.publisher.Mono;

/**
 * The endpoint of a service for clients of the Azure SDK, which cannot express every one: their parsers lose a longer
 * path, double the slash behind a port and die of an IPv6 address. Such clients are built with a stand-in of Azure's
 * form. As the first policy of their pipeline it puts the account's own endpoint in place of the stand-in, and the
 * client's version in place of the version that the SDK was pinned to. Immutable.
 */
public final class SdkEndpoint implements HttpPipelinePolicy {

    /** Chosen because the DNS has no name below it. */
    private static final String DOMAIN = ".stowline.invalid";

    private final String root;
    private final String standIn;
    private final ServiceVersion version;
    private final String pinned;

    private SdkEndpoint(String root, String standIn, ServiceVersion version, String pinned) {
        this.root = root;
        this.standIn = standIn;
        this.version = version;
        this.pinned = pinned;
    }

    /**
     * Returns the endpoint of one service.
     *
     * @param account the account's name, which SDK clients read from the host
     * @param root the account's own endpoint
     * @param version the version that requests name
     * @param pinned the version that the SDK's clients are built with
     */
    public static SdkEndpoint of(
            String account,
            Service service,
            URI root,
            ServiceVersion version,
            com.azure.core.util.ServiceVersion pinned) {
        String standIn = root.getScheme() + "://" + account + "." + service.host() + DOMAIN;
        return new SdkEndpoint(root.toString(), standIn, version, pinned.getVersion());
    }

    /**
     * Returns the version of the SDK that is nearest to the one of the client's requests.
     *
     * @param known the versions that the SDK knows, oldest first
     * @return the newest one that is not newer, or else the oldest
     */
    public static <V extends com.azure.core.util.ServiceVersion> V nearest(V[] known, ServiceVersion wanted) {
        V nearest = known[0];
        for (V one : known) {
            if (!wanted.isOlderThan(new ServiceVersion(one.getVersion()))) {
                nearest = one;
            }
        }
        return nearest;
    }

    /** Returns the account's own endpoint, without a slash at its end. */
    public String root() {
        return root;
    }

    /** Returns the endpoint for the builder of an SDK client whose requests go through this policy. */
    public String standIn() {
        return standIn;
    }

    /**
     * Returns whether an SDK client that was built with the account's own endpoint sends its requests there.
     *
     * @param shown the client's address of the account
     */
    public boolean isKeptBy(String shown) {
        boolean bracketed = root.startsWith("[", root.indexOf("://") + 3);
        return !bracketed && (shown.endsWith("/") ? shown.substring(0, shown.length() - 1) : shown).equals(root);
    }

    @Override
    public Mono<HttpResponse> process(HttpPipelineCallContext context, HttpPipelineNextPolicy next) {
        redirect(context.getHttpRequest());
        return next.process();
    }

    @Override
    public HttpResponse processSync(HttpPipelineCallContext context, HttpPipelineNextSyncPolicy next) {
        redirect(context.getHttpRequest());
        return next.processSync();
    }

    private void redirect(HttpRequest request) {
        String url = request.getUrl().toString();
        if (url.startsWith(standIn)) {
            request.setUrl(root + url.substring(standIn.length()));
        }
        if (pinned.equals(request.getHeaders().getValue(ServiceVersion.HEADER))) {
            request.setHeader(ServiceVersion.HEADER, version.date());
        }
    }
}
