package io.stowline.transport.internal;

import io.stowline.transport.internal.StorageAccount.Service;
import java.net.URI;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The root of one service, checked.
 *
 * @param setting the parameter or setting that gave it
 * @param root its address without a trailing slash
 * @param standard what its host says, or {@code null} if it is an address, a name without dots or a domain of somebody's own
 */
record Endpoint(String setting, URI root, @Nullable StandardHost standard) {

    private static final Pattern COSMOS =
            Pattern.compile("(?:.*\\.)?(?:cosmos|cosmosdb|documents)\\.[a-z]*azure\\.[a-z.]+");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*]|localhost|[^.]+");
    private static final Pattern USER = Pattern.compile("//[^/@]*@");

    static Endpoint of(String setting, String text) {
        URI root = web(setting, text.trim());
        String host = root.getHost().toLowerCase(Locale.ROOT);
        if (COSMOS.matcher(host).matches()) {
            throw new IllegalArgumentException(
                    setting + " is an endpoint of Azure Cosmos DB (" + host
                            + "). Stowline is a client of Azure Storage: Cosmos DB has other limits and throttles by request units");
        }
        StandardHost standard = StandardHost.of(host);
        if (standard != null && standard.certain() && !root.getRawPath().isEmpty()) {
            throw new IllegalArgumentException(
                    setting + " is the root of the service: nothing may follow " + host + ", not " + root.getRawPath());
        }
        return new Endpoint(setting, root, standard);
    }

    private static URI web(String setting, String text) {
        URI uri;
        try {
            uri = URI.create(withoutSlash(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(setting + " is not a URI: " + shown(text));
        }
        boolean web = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
        boolean more = uri.getRawQuery() != null || uri.getRawFragment() != null || uri.getRawUserInfo() != null;
        if (!web || uri.getHost() == null || more) {
            throw new IllegalArgumentException(setting
                    + " must be http(s)://host[:port][/path] without user, query or fragment, not " + shown(text));
        }
        return uri;
    }

    private static String withoutSlash(String text) {
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }

    /** A query may hold a signature, and what is no address at all may be a key that went astray. */
    private static String shown(String address) {
        if (!address.contains("://")) {
            return "a text without :// (not shown)";
        }
        String anonymous = USER.matcher(address).replaceFirst("//(user not shown)@");
        int query = anonymous.indexOf('?');
        return query < 0 ? anonymous : anonymous.substring(0, query) + "? (query not shown)";
    }

    boolean serves(Service service) {
        return standard != null && standard.service() == service;
    }

    boolean encrypted() {
        return "https".equalsIgnoreCase(root.getScheme());
    }

    /** The account that nobody but its host can name. */
    @Nullable
    String certainAccount() {
        return standard != null && standard.certain() ? standard.account() : null;
    }

    /** The account by the looks of it: before the kind in a host name, or the path of an address without a domain. */
    @Nullable
    String likelyAccount() {
        if (standard != null) {
            return standard.account();
        }
        String path = root.getRawPath();
        boolean pathStyle = local() && path.length() > 1 && path.indexOf('/', 1) < 0;
        return pathStyle ? path.substring(1) : null;
    }

    private boolean local() {
        return ADDRESS.matcher(root.getHost()).matches();
    }

    /** Where another service of the same account is, if that can be told: another port may be anything's. */
    @Nullable
    Endpoint sibling(Service service) {
        return standard == null || root.getPort() >= 0 || !root.getRawPath().isEmpty()
                ? null
                : new Endpoint(setting, withHost(standard.of(service)), StandardHost.of(standard.of(service)));
    }

    /** Where the read-only copy is by Azure's convention and the emulator's; {@code null} for a domain of somebody's own. */
    @Nullable
    URI secondary(String account) {
        if (!account.equalsIgnoreCase(likelyAccount())) {
            return null;
        }
        if (standard == null) {
            return URI.create(root + "-secondary");
        }
        return standard.isSecondary() ? null : withHost(standard.secondary());
    }

    private URI withHost(String host) {
        String port = root.getPort() < 0 ? "" : ":" + root.getPort();
        return URI.create(root.getScheme() + "://" + host + port + root.getRawPath());
    }
}
