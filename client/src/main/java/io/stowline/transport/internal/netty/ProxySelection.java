package io.stowline.transport.internal.netty;

import com.azure.core.http.ProxyOptions;
import com.azure.core.util.Configuration;
import io.stowline.transport.internal.account.HttpAuthority;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Proxy that our HTTP client goes through, and the hosts that it reaches past it. The proxy is the one that the application gives, else that of the
 * JVM's properties, else that of {@code HTTPS_PROXY} or {@code HTTP_PROXY} with {@code NO_PROXY}, in capitals or not, else the one that
 * azure-core finds in its configuration. azure-core takes the variables only with {@code java.net.useSystemProxies}; here they always
 * count.
 *
 * @param proxy the proxy
 * @param direct the hosts past it
 */
record ProxySelection(ProxyOptions proxy, DirectHosts direct) {

    private static final List<String> SCHEMES = List.of("https", "http");
    private static final int PLAIN_PORT = 80;
    private static final int ENCRYPTED_PORT = 443;

    /** Returns the proxy of a client, or {@code null} for none. */
    static @Nullable ProxySelection of(HttpSettings settings) {
        if (settings.proxy() != null) {
            return of(settings.proxy());
        }
        Configuration given =
                settings.configuration() == null ? Configuration.getGlobalConfiguration() : settings.configuration();
        for (String scheme : SCHEMES) {
            String host = given.get(scheme + ".proxyHost");
            if (host != null && !host.isBlank()) {
                return ofJvm(given, scheme, host.strip());
            }
        }
        for (String scheme : SCHEMES) {
            String variable = scheme.toUpperCase(Locale.ROOT) + "_PROXY";
            String value = inEitherCase(given, variable);
            if (value != null) {
                return new ProxySelection(
                        ofVariable(variable, value), DirectHosts.ofNoProxy(inEitherCase(given, "NO_PROXY")));
            }
        }
        // azure-core's own properties have no variables: only a configuration that an application makes can hold them
        ProxyOptions found = settings.configuration() == null ? null : ProxyOptions.fromConfiguration(given, true);
        return found == null ? null : of(found);
    }

    /** Returns a proxy that the application gives, with its own hosts past it. */
    static ProxySelection of(ProxyOptions given) {
        return new ProxySelection(given, DirectHosts.ofPattern(given.getNonProxyHosts()));
    }

    /** Returns the proxy to a host, or {@code null} if requests go past it. */
    @Nullable
    ProxyOptions to(InetSocketAddress address) {
        return direct.contain(address.getHostString(), address.getPort()) ? null : proxy;
    }

    private static ProxySelection ofJvm(Configuration given, String scheme, String host) {
        String port = given.get(scheme + ".proxyPort");
        int number;
        try {
            number = port == null || port.isBlank() ? port(scheme) : Integer.parseInt(port.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the property " + scheme + ".proxyPort is no number: " + port, e);
        }
        ProxyOptions proxy = proxy(ProxyOptions.Type.HTTP, host, number);
        String user = given.get(scheme + ".proxyUser");
        String password = given.get(scheme + ".proxyPassword");
        if (user != null && password != null) {
            proxy.setCredentials(user, password);
        }
        return new ProxySelection(proxy, DirectHosts.ofJvm(given.get("http.nonProxyHosts")));
    }

    private static int port(String scheme) {
        return scheme.equals("https") ? ENCRYPTED_PORT : PLAIN_PORT;
    }

    private static ProxyOptions proxy(ProxyOptions.Type type, String host, int port) {
        return new ProxyOptions(type, InetSocketAddress.createUnresolved(host, port));
    }

    private static @Nullable String inEitherCase(Configuration given, String variable) {
        String value = given.get(variable);
        String found = value == null || value.isBlank() ? given.get(variable.toLowerCase(Locale.ROOT)) : value;
        return found == null || found.isBlank() ? null : found.strip();
    }

    /** Reads {@code [scheme://][user:password@]host[:port]}. */
    private static ProxyOptions ofVariable(String variable, String value) {
        try {
            int colon = value.indexOf("://");
            String scheme = colon < 0 ? "http" : value.substring(0, colon).toLowerCase(Locale.ROOT);
            String rest = colon < 0 ? value : value.substring(colon + 3);
            int at = rest.lastIndexOf('@');
            HttpAuthority authority = HttpAuthority.of(rest.substring(at + 1).split("[/?#]", 2)[0]);
            String host = authority.isIpV6()
                    ? authority.host().substring(1, authority.host().length() - 1)
                    : authority.host();
            ProxyOptions proxy = proxy(type(scheme), host, authority.port() < 0 ? port(scheme) : authority.port());
            if (at >= 0) {
                String[] user = rest.substring(0, at).split(":", 2);
                proxy.setCredentials(decoded(user[0]), user.length < 2 ? "" : decoded(user[1]));
            }
            return proxy;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(variable
                    + " of the environment is no address of a proxy, http://[user:password@]host[:port] (its value is"
                    + " not shown): give proxy(..) or configuration(Configuration.NONE) to the builder, or correct it");
        }
    }

    private static ProxyOptions.Type type(String scheme) {
        return switch (scheme) {
            case "http", "https" -> ProxyOptions.Type.HTTP;
            case "socks4", "socks4a" -> ProxyOptions.Type.SOCKS4;
            case "socks5", "socks5h", "socks" -> ProxyOptions.Type.SOCKS5;
            default -> throw new IllegalArgumentException("unknown scheme");
        };
    }

    /** A plus is a plus, unlike in a form. */
    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
