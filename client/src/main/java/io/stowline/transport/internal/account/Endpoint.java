package io.stowline.transport.internal.account;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The root of one service, checked.
 *
 * @param setting the parameter or setting that gave it
 * @param root its address without a trailing slash and without the port that its scheme implies
 * @param authority host and port of the address; {@link URI#getHost} does not know hosts with underscores
 * @param standard what its host implies, or {@code null} if it is an address, a name without dots or a custom domain
 */
public record Endpoint(
        String setting,
        URI root,
        HttpAuthority authority,
        @Nullable StandardHost standard) {

    private static final Pattern COSMOS =
            Pattern.compile("(?:.*\\.)?(?:cosmos|cosmosdb|documents)\\.[a-z]*azure\\.[a-z.]+");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*]|localhost|[^.]+");
    private static final Pattern PLAIN_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{0,15}");
    private static final Pattern PLAIN_HOST =
            Pattern.compile("(?:[A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}])(?::[0-9]{1,5})?");
    private static final Pattern LOOPBACK =
            Pattern.compile("127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}|\\[::1]|\\[0:0:0:0:0:0:0:1]");
    private static final Pattern WEB = Pattern.compile("(?i)(https?)://([^/?#@\\\\]*)(/[^?#@\\\\]*)?");
    private static final Pattern PATH = Pattern.compile("(?:/[!-.0-~]+)*");
    /** A dot step as a gateway reads it that decodes once or twice, also behind a slash or backslash that it decodes. */
    private static final Pattern DOT_STEP = Pattern.compile(
            "(?:/|%(?:25)?(?:2f|5c))(?:\\.|%(?:25)?2e){1,2}(?:/|%(?:25)?(?:2f|5c)|$)", Pattern.CASE_INSENSITIVE);

    private static final Map<String, Integer> PORTS = Map.of("http", 80, "https", 443);

    static Endpoint of(String setting, String text) {
        Endpoint endpoint = web(setting, text.trim());
        String host = endpoint.host();
        if (COSMOS.matcher(host).matches()) {
            throw new IllegalArgumentException(setting + " is an endpoint of Azure Cosmos DB (" + host
                    + "). Stowline is a client of Azure Storage: Cosmos DB has other limits and throttles by"
                    + " request units");
        }
        StandardHost standard = endpoint.standard;
        if (standard != null
                && standard.certain()
                && !endpoint.root.getRawPath().isEmpty()) {
            throw new IllegalArgumentException(
                    setting + " is the root of the service: nothing may follow " + host + " (what does is not shown)");
        }
        return endpoint;
    }

    private static Endpoint web(String setting, String text) {
        Matcher parts = WEB.matcher(text);
        if (!parts.matches()) {
            throw refused(setting, "", text);
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        String path = parts.group(3) == null ? "" : withoutSlashes(parts.group(3));
        try {
            // One spelling from here on: all that follows compares scheme and host exactly.
            HttpAuthority authority = HttpAuthority.of(parts.group(2));
            if (Integer.valueOf(authority.port()).equals(PORTS.get(scheme))) {
                authority = new HttpAuthority(authority.host(), -1);
            }
            if (!PATH.matcher(path).matches() || DOT_STEP.matcher(path).find()) {
                throw new IllegalArgumentException(
                        "its path has an empty step, a dot step or a character that is to be" + " percent-encoded");
            }
            URI root = address(scheme, authority, path);
            return new Endpoint(setting, root, authority, StandardHost.of(authority.host()));
        } catch (IllegalArgumentException e) {
            String why =
                    e.getCause() instanceof URISyntaxException ? "it is not a URI" : String.valueOf(e.getMessage());
            throw refused(setting, ": " + why, text);
        }
    }

    private static IllegalArgumentException refused(String setting, String why, String text) {
        return new IllegalArgumentException(setting
                + " must be http(s)://host[:port][/path] without user, query or fragment, not " + shown(text) + why);
    }

    private static String withoutSlashes(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '/') {
            end--;
        }
        return path.substring(0, end);
    }

    private URI at(String other) {
        return address(root.getScheme(), new HttpAuthority(other, authority.port()), root.getRawPath());
    }

    private static URI address(String scheme, HttpAuthority authority, String path) {
        return URI.create(String.join("", scheme, "://", authority.toString(), path));
    }

    private String host() {
        return authority.host();
    }

    /**
     * Returns scheme and host of an address that is refused. A query may hold a signature, a user a password, with slashes and more in it; and a
     * text that is no address at all may be a key that went astray.
     */
    public static String shown(String address) {
        int colon = address.indexOf("://");
        if (colon < 0 || !PLAIN_SCHEME.matcher(address.substring(0, colon)).matches()) {
            return "a text without scheme:// (not shown)";
        }
        String scheme = address.substring(0, colon + 3);
        int end = colon + 3;
        while (end < address.length() && "/?#\\".indexOf(address.charAt(end)) < 0) {
            end++;
        }
        int user = address.lastIndexOf('@');
        // Only one at sign, before anything else, is certain to end the user.
        boolean certain = user < 0 || (user < end && address.indexOf('@') == user);
        String host = address.substring(user < 0 || !certain ? colon + 3 : user + 1, end);
        if (!certain || !PLAIN_HOST.matcher(host).matches()) {
            return scheme + "… (the rest is not shown)";
        }
        StringJoiner hidden = new StringJoiner(", ", " (", ")").setEmptyValue("");
        if (user >= 0) {
            hidden.add("user not shown");
        }
        String rest = address.substring(end);
        if (rest.indexOf('?') >= 0) {
            hidden.add("query not shown");
        } else if (rest.length() > 1) {
            hidden.add("what follows not shown");
        }
        return scheme + host + hidden;
    }

    /** Returns scheme, host and port for an error. */
    String shown() {
        return root.getScheme() + "://" + authority;
    }

    boolean serves(Service service) {
        return standard != null && standard.service() == service;
    }

    boolean encrypted() {
        return root.getScheme().equals("https");
    }

    /** Returns whether its host is this machine by its name, without a lookup. */
    boolean loopback() {
        return isLoopback(host());
    }

    /** Returns whether an address is this machine by its name, without a lookup. */
    public static boolean isLoopback(URI address) {
        return address.getHost() != null && isLoopback(address.getHost().toLowerCase(Locale.ROOT));
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || LOOPBACK.matcher(host).matches();
    }

    /** Returns the account, if its host names it for certain. */
    @Nullable
    String certainAccount() {
        return standard != null && standard.certain() ? standard.account() : null;
    }

    /**
     * Returns the apparent account: the part before the kind in a host name, or the path of an address without a
     * domain.
     */
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
        return ADDRESS.matcher(host()).matches();
    }

    /** Returns the endpoint of another service of the same account, if it is known: another port may be anything's. */
    @Nullable
    Endpoint sibling(Service service) {
        if (standard == null || authority.port() >= 0 || !root.getRawPath().isEmpty()) {
            return null;
        }
        String other = standard.of(service);
        return new Endpoint(setting, at(other), new HttpAuthority(other, -1), StandardHost.of(other));
    }

    /**
     * Returns the endpoint of the read-only copy by Azure's convention and the emulator's; {@code null} for a custom
     * domain.
     */
    @Nullable
    URI secondary(String account) {
        if (!account.equalsIgnoreCase(likelyAccount())) {
            return null;
        }
        if (standard == null) {
            return URI.create(root + "-secondary");
        }
        return standard.isSecondary() ? null : at(standard.secondary());
    }

    /**
     * A host name of the form {@code <account>.<kind>.<suffix>}, with what may stand between: {@code acct-secondary.blob…},
     * {@code acct-ipv6.blob…} and the DNS zone of {@code acct.z01.blob.storage.azure.net}.
     *
     * @param account the account's name
     * @param variant what follows it, such as {@code -secondary}; mostly empty
     * @param zone the DNS zone with its dot; mostly empty
     * @param kind the service, ours or another one of the account
     * @param suffix the domain of the cloud
     */
    public record StandardHost(String account, String variant, String zone, String kind, String suffix) {

        private static final Pattern FORM = Pattern.compile(
                "([a-z0-9]{3,24})((?:-[a-z0-9]+)*)\\.((?:z\\d{1,2}\\.)?)(blob|queue|table|file|dfs|web)\\.(.+)");
        /** The clouds whose names no other owner can have, so that the part before them is the account. */
        private static final Set<String> CLOUDS = Set.of(
                "core.windows.net",
                "core.chinacloudapi.cn",
                "core.usgovcloudapi.net",
                "core.cloudapi.de",
                "storage.azure.net");

        private static final String SECONDARY = "-secondary";

        public static @Nullable StandardHost of(String host) {
            Matcher parts = FORM.matcher(host.toLowerCase(Locale.ROOT));
            return parts.matches()
                    ? new StandardHost(parts.group(1), parts.group(2), parts.group(3), parts.group(4), parts.group(5))
                    : null;
        }

        /** Returns whether the suffix is one of Azure's own; behind another one the form may be an accident. */
        boolean certain() {
            return CLOUDS.contains(suffix);
        }

        public @Nullable Service service() {
            for (Service service : Service.values()) {
                if (service.host().equals(kind)) {
                    return service;
                }
            }
            return null;
        }

        String of(Service service) {
            return String.join("", account, variant, ".", zone, service.host(), ".", suffix);
        }

        boolean isSecondary() {
            return variant.startsWith(SECONDARY);
        }

        String secondary() {
            return String.join("", account, SECONDARY, variant, ".", zone, kind, ".", suffix);
        }
    }
}
